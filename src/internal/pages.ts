/**
 * Where a page of a list of sessions ends, and a part of a log, whatever keeps them. Layer 4.
 */
import type { Page, Part, Summary } from "../SessionStore.ts"

/** A whole number that every database takes; 0 for none at all. */
export const wholeOf = (number: number): number =>
  Math.ceil(Math.min(Math.max(number || 0, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER - 1))

/** How many sessions are on a page: 100 where nobody says. */
export const lengthOf = (limit = 100): number => wholeOf(Math.max(0, Math.floor(limit)))

/** No session has more events: their places are whole numbers of 32 bits. */
const most = 2 ** 31 - 1

/** Where a part of a log begins, and the place after it. */
export const placesOf = ({ from = 0, limit = most }: Part): { readonly from: number; readonly to: number } => {
  const start = Math.min(most, Math.max(0, wholeOf(from)))
  return { from: start, to: Math.min(most, start + lengthOf(limit)) }
}

/** A session and the number that its store gave it, which tells it from others of the same time. */
export interface Found {
  readonly number: number
  readonly summary: Summary
}

/** The place in a list that a page named as the `next` one's. */
export const placeOf = (after: string): { readonly updated: number; readonly number: number } => {
  const [updated = 0, number = 0] = after.split(" ").map(Number)
  return { updated: wholeOf(updated), number: wholeOf(number) }
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
