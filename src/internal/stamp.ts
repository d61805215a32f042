/**
 * An event's place in its log. Layer 4.
 */
import type * as Event from "../Event.ts"
import type { Ref } from "../SessionStore.ts"

/** Who appends: an agent by its id, and the names down to it. */
export interface Author {
  readonly id: string
  readonly path: ReadonlyArray<string>
}

/** The root agent of a log, and the invocation that goes on: what an event from outside of a run belongs to. */
export const endOfLog = (
  events: ReadonlyArray<Event.Event>
): { readonly author: Author; readonly invocation: string } => ({
  author: { id: events[0]?.agent ?? "", path: events[0]?.path ?? [] },
  invocation: events.at(-1)?.invocation ?? "i1"
})

/** An event before the log gives it its place. */
export interface Entry {
  readonly author: Author
  readonly body: Event.Body
}

/** Gives an event its place, who wrote it and when; nobody can change it from here on. */
export const stamp = (
  ref: Ref,
  author: Author,
  invocation: string,
  body: Event.Body,
  sequence: number,
  time: number
): Event.Event =>
  Object.freeze({
    ...body,
    id: `${ref.session}/${sequence}`,
    sequence,
    invocation,
    agent: author.id,
    path: author.path,
    time
  }) as Event.Event

/** Gives events of one invocation the places from `first` on. */
export const stampAll = (
  ref: Ref,
  invocation: string,
  entries: ReadonlyArray<Entry>,
  first: number,
  time: number
): ReadonlyArray<Event.Event> =>
  entries.map(({ author, body }, index) => stamp(ref, author, invocation, body, first + index, time))
