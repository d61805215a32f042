/**
 * A seeded source of choices, so that a failing case can be run again: `TENON_SEED=… TENON_CASE=… npx vitest run …`.
 */

/** Where the choices of this process begin. */
export const seed: number = Number(process.env["TENON_SEED"] ?? Date.now() % 2_147_483_647)

/** The one case to run, when a failure is looked into. */
export const onlyCase: number | undefined = process.env["TENON_CASE"] === undefined
  ? undefined
  : Number(process.env["TENON_CASE"])

/** A number that is a function of a number and a text; good enough to spread choices. */
export const mix = (a: number, text: string): number => {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x27d4eb2d)
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

export interface Random {
  /** An integer from 0 up to, and without, `below`. */
  readonly int: (below: number) => number
  /** True once in `times`. */
  readonly once: (times: number) => boolean
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  /** `count` of the items at most, each once, in any order. */
  readonly some: <A>(items: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
}

/** mulberry32. */
export const make = (start: number): Random => {
  let state = start | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
  const int = (below: number) => next() % below
  return {
    int,
    once: (times) => int(times) === 0,
    pick: (items) => items[int(items.length)] as (typeof items)[number],
    some: (items, count) => {
      const left = [...items]
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(left.length), 1)).flat()
    }
  }
}
