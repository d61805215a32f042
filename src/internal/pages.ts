/**
 * Where a page of a list of sessions ends, whatever keeps them. Layer 4.
 */
import type { Page, Summary } from "../SessionStore.ts"

/** A whole number that every database takes. */
export const wholeOf = (number: number): number =>
  Math.ceil(Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER - 1))

/** How many sessions are on a page: 100 where nobody says. */
export const lengthOf = (limit = 100): number => wholeOf(Math.max(0, Math.floor(limit)))

/** A session and the number that its store gave it, which tells it from others of the same time. */
export interface Found {
  readonly number: number
  readonly summary: Summary
}

/** The place in a list that a page named as the `next` one's. */
export const placeOf = (after: string): { readonly updated: number; readonly number: number } => {
  const [updated, number] = after.split(" ").map(Number)
  return { updated: updated ?? Number.NaN, number: number ?? Number.NaN }
}

/** The first of what was found, in order; there is a next page where one more was. */
export const pageOf = (found: ReadonlyArray<Found>, limit?: number): Page => {
  const shown = found.slice(0, lengthOf(limit))
  const last = shown.at(-1)
  return {
    sessions: shown.map(({ summary }) => summary),
    ...(found.length > shown.length && last !== undefined && { next: `${last.summary.updated} ${last.number}` })
  }
}
