/** What the processes of the crash tests say to each other. */
import type { Chapter } from "./life.ts"

/** The process ends when it comes by a point for the so-and-so-many-th time, counted from 1; by any point where none is named. */
export interface Kill {
  readonly point?: string
  readonly time: number
}

/** What the store, and what is beside it, acknowledged of a session. */
export interface Acknowledged {
  /** The digests of its events, by sequence. */
  readonly events: Readonly<Record<number, string>>
  /** The keys of what was left for it. */
  readonly posts: ReadonlyArray<string>
  /** The answers that runs gave, by the key of the message. */
  readonly answers: Readonly<Record<string, string>>
  /** The addresses of contents. */
  readonly contents: ReadonlyArray<string>
  readonly credential: boolean
  /** The revision of the newest snapshot. */
  readonly snapshot: number
}

export const nothing: Acknowledged = {
  events: {},
  posts: [],
  answers: {},
  contents: [],
  credential: false,
  snapshot: 0
}

/** A session that a process takes to its end, or to where it is killed. */
export interface Task {
  /** A file of SQLite, or the address of a PostgreSQL. */
  readonly database: string
  /** Where the outside world is: files. */
  readonly folder: string
  readonly session: string
  readonly chapter: Chapter
  readonly acknowledged: Acknowledged
  readonly kill?: Kill
  /** How long it waits, in milliseconds, before it goes on from a lease that nobody gave back. */
  readonly lease: number
}

/** What is wrong with a session. */
export interface Problem {
  readonly kind: "lost" | "doubled" | "broken"
  readonly what: string
}

/** A line that a process says. */
export type Line =
  | { readonly session: string; readonly begins: true }
  | { readonly session: string; readonly told: Partial<Told> }
  /** The session was looked at, before the process went on or at its end. */
  | { readonly session: string; readonly problems: ReadonlyArray<Problem>; readonly at: "start" | "end" }
  /** The process ends itself here. */
  | { readonly session: string; readonly killed: string; readonly time: number }
  /** The session's life is over; how often it came by each point. */
  | { readonly session: string; readonly trace: Readonly<Record<string, number>> }

/** What is acknowledged at once. */
export interface Told {
  readonly events: ReadonlyArray<readonly [sequence: number, digest: string]>
  readonly posted: string
  readonly answered: readonly [key: string, text: string]
  readonly content: string
  readonly credential: true
  readonly snapshot: number
}

export const withTold = (known: Acknowledged, told: Partial<Told>): Acknowledged => ({
  events: { ...known.events, ...Object.fromEntries(told.events ?? []) },
  posts: [...known.posts, ...told.posted === undefined ? [] : [told.posted]],
  answers: { ...known.answers, ...told.answered && { [told.answered[0]]: told.answered[1] } },
  contents: [...known.contents, ...told.content === undefined ? [] : [told.content]],
  credential: known.credential || told.credential === true,
  snapshot: Math.max(known.snapshot, told.snapshot ?? 0)
})
