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
