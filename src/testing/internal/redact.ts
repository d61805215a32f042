/**
 * Values without what nobody else may read. Layer 6, edge `testing`.
 */
import { Redacted, type Schema } from "effect"

/** What is taken out of a text: a secret, what a pattern finds, or whatever a function leaves out. */
export type Rule = Redacted.Redacted | RegExp | ((text: string) => string)

export type Redact = (text: string) => string

/** A secret as it is, and as it stands in JSON text and in an address. */
const spellings = (secret: string): ReadonlyArray<string> => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  // of half a character it makes nothing
  encodeURIComponent(secret.replaceAll(/\p{Cs}/gu, "\uFFFD"))
]

const literally = (text: string): RegExp => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "g")

const marks = /<redacted(?::[^<>]*)?>/g

/** Puts a mark in place of what is found, but not within another mark: a text may be redacted again. */
const marking = (found: RegExp, mark: string): Redact => (text) => {
  const marked = [...text.matchAll(marks)].map(({ 0: { length }, index }) => [index, index + length] as const)
  return text.replace(found, (match: string, ...rest: ReadonlyArray<unknown>) => {
    const at = rest.find((each) => typeof each === "number") ?? 0
    return marked.some(([from, to]) => from <= at && at + match.length <= to) ? match : mark
  })
}

const ofRule = (rule: Rule): Redact => {
  if (Redacted.isRedacted(rule)) {
    const secret = Redacted.value(rule)
    const label = rule.label === undefined ? "<redacted>" : `<redacted:${rule.label}>`
    const found = secret === ""
      ? []
      : spellings(secret).map((each) => marking(literally(each), label))
    return (text) => found.reduce((text, take) => take(text), text)
  }
  if (rule instanceof RegExp) {
    // a sticky one would find nothing but at the beginning
    const all = new RegExp(rule.source, `${rule.flags.replace(/[gy]/g, "")}g`)
    return marking(all, "<redacted>")
  }
  return rule
}

/** All rules; longer secrets first, since one may begin with another. */
export const redactor = (rules: ReadonlyArray<Rule>): Redact => {
  const length = (rule: Rule) => Redacted.isRedacted(rule) ? Redacted.value(rule).length : 0
  const all = [...rules].sort((a, b) => length(b) - length(a)).map(ofRule)
  return (text) => all.reduce((text, rule) => rule(text), text)
}

/** JSON with every text in it redacted, keys too. */
export const redactJson = (redact: Redact) => {
  const inside = (value: Schema.Json): Schema.Json => {
    if (typeof value === "string") return redact(value)
    if (typeof value !== "object" || value === null) return value
    return Array.isArray(value)
      ? value.map(inside)
      : Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), inside(each)]))
  }
  return inside
}

/**
 * Pieces of one text, redacted as the text is: a cut that runs through a secret is taken away, and what comes after it is
 * in the piece before.
 */
export const redactPieces = (redact: Redact, pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const whole = redact(pieces.join(""))
  const each = pieces.map(redact)
  if (each.join("") === whole) return each
  const redacted: Array<string> = []
  let begun = ""
  let joined = 0
  for (const [index, piece] of pieces.entries()) {
    begun += piece
    joined += 1
    const rest = pieces.slice(index + 1).join("")
    if (rest !== "" && redacted.join("") + redact(begun) + redact(rest) !== whole) continue
    redacted.push(redact(begun), ...Array.from({ length: joined - 1 }, () => ""))
    begun = ""
    joined = 0
  }
  return redacted.join("") === whole ? redacted : [whole, ...pieces.slice(1).map(() => "")]
}
