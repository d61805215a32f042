/**
 * Numbers and JSON as Python writes them. The tools of τ-bench are Python functions, and what they answered is on
 * record: a rebuilt tool must round and write as they did.
 */

/**
 * Rounds to two digits, as Python's `round(x, 2)` does: to the double nearest to the exact value's rounding, where an
 * exact tie goes to the even digit.
 */
export const round2 = (x: number): number => {
  if (!Number.isFinite(x) || Number.isInteger(x)) return x
  // `toFixed` rounds the exact value too, but a tie away from zero. Ties end in 1/8, 3/8, 5/8 or 7/8, three digits
  const isTie = Number.isInteger(x * 8) && !Number.isInteger(x * 4)
  const cut = x.toFixed(3).slice(0, -1)
  return Number(isTie && Number(cut.at(-1)) % 2 === 0 ? cut : x.toFixed(2))
}

/** A double as Python's `str` writes it: the shortest digits, always a fraction or an exponent. */
export const float = (x: number): string => {
  if (Number.isNaN(x)) return "nan"
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf"
  if (Object.is(x, -0)) return "-0.0"
  const [digits = "", power = ""] = x.toExponential().split("e")
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`
  }
  // JavaScript writes an exponent below 1e-6 and from 1e21 on only: never here
  const plain = String(x)
  return plain.includes(".") ? plain : `${plain}.0`
}

const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * A value as `json.dumps` writes it: a space after each comma and colon, and nothing but ASCII. One difference remains,
 * since JavaScript has one kind of number: a whole one has no `.0`.
 */
export const dumps = (value: unknown): string =>
  // the line breaks are those of the layout: within a string they are escaped
  JSON.stringify(value, null, 1)
    .replaceAll(/,\n */g, ", ")
    .replaceAll(/\n */g, "")
    .replaceAll(/[^ -~]/g, escape)
