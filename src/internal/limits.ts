/**
 * Limits that can be reached. Layer 3.
 */

interface Counted {
  readonly steps?: number | undefined
  readonly toolCalls?: number | undefined
  readonly tokens?: number | undefined
}

/** The limits themselves; none of them may be NaN, which nothing ever reaches. */
export const checkedLimits = <L extends Counted>(whose: string, limits: L): L => {
  for (const name of ["steps", "toolCalls", "tokens"] as const) {
    if (Number.isNaN(limits[name])) throw new TypeError(`the limit of '${whose}' for ${name} is not a number`)
  }
  return limits
}

/** An agent's limits, and over them those of a run, as far as it gives any. */
export const limitsOver = <L extends Counted>(whose: string, own: L, given: L | undefined): L => {
  const some = Object.entries(checkedLimits(whose, given ?? {})).filter(([, limit]) => limit !== undefined)
  return { ...own, ...Object.fromEntries(some) }
}
