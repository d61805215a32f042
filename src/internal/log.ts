/**
 * A session's log as a run and the folds read it. Layer 4.
 */
import { Effect, Option } from "effect"
import type { EventUnreadable, StoreFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Ref, SessionStore } from "../SessionStore.ts"

/** The events that count: without those that were rewound. */
export const liveOf = (stored: ReadonlyArray<Event.Event>): Array<Event.Event> => {
  const live: Array<Event.Event> = []
  for (const event of stored) {
    if (event.kind !== "rewound") live.push(event)
    else while ((live.at(-1)?.sequence ?? -1) > event.to) live.pop()
  }
  return live
}

/** The events that count, in the order of their sequences, which need not be their places here. */
export class Log {
  readonly events: Array<Event.Event>
  /** The number of all events that the session has: the sequence of the next one. */
  revision: number
  /** How many invocations the session ever had. */
  readonly invocations: number

  constructor(stored: ReadonlyArray<Event.Event>) {
    this.events = liveOf(stored)
    this.revision = stored.length
    this.invocations = new Set(stored.map(({ invocation }) => invocation)).size
  }

  /** The id of the next invocation: none that was comes again, also where it was rewound. */
  get nextInvocation(): string {
    return `i${this.invocations + 1}`
  }

  /** Takes what was appended to the session. */
  append(events: ReadonlyArray<Event.Event>): void {
    for (const event of events) this.events.push(event)
    this.revision += events.length
  }
}

/** A session's log out of its store, if it has one. */
export const readLog = (
  store: SessionStore["Service"],
  ref: Ref
): Effect.Effect<Option.Option<Log>, EventUnreadable | StoreFailed> =>
  Effect.map(store.load(ref), Option.map((stored) => new Log(stored)))

/** The events from a sequence on. */
export const eventsFrom = (events: ReadonlyArray<Event.Event>, sequence: number): ReadonlyArray<Event.Event> =>
  events.slice(events.findLastIndex((event) => event.sequence < sequence) + 1)
