/** What several rounds gave: the least, the one in the middle, and the most. */
export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

export const spread = (numbers: ReadonlyArray<number>): Spread => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return { min: at(0), median: at(sorted.length >> 1), max: at(sorted.length - 1) }
}
