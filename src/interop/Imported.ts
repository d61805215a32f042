/**
 * What an import makes of what another tool kept: a log that a run can go on in, and what had no place in it.
 *
 * Layer 6, edge `interop`.
 *
 * @since 0.1.0
 */
import { Effect, Schema } from "effect"
import type * as Event from "../Event.ts"
import { type Ref, SessionStore, type SharedWrite, type StoreError, type Waiting } from "../SessionStore.ts"

// ===== models ================================================================

/**
 * Something that the other side has no place for, and where it stood.
 *
 * @category models
 * @since 0.1.0
 */
export interface Loss {
  readonly path: ReadonlyArray<string>
  readonly problem: string
}

/**
 * What came out, and all that could not be carried over.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reported<out A> {
  readonly value: A
  readonly report: ReadonlyArray<Loss>
}

/**
 * A session out of what another tool kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface Imported {
  readonly ref: Ref
  /** The log. `Session.fold` gives its history and its state. */
  readonly events: ReadonlyArray<Event.Event>
  /** The values of `user` and `app` fields, which are not in a log: they replace what their rows hold. */
  readonly writes: ReadonlyArray<SharedWrite>
  /** What was still to be said to the agent. */
  readonly waiting: ReadonlyArray<Waiting>
  readonly report: ReadonlyArray<Loss>
}

// ===== errors ================================================================

/**
 * What was read is not of the format, is of a later version of it, or does not fit the field that it was mapped to.
 *
 * @category errors
 * @since 0.1.0
 */
export class InteropError extends Schema.TaggedError<InteropError>()("InteropError", {
  /** What was read, or written. */
  format: Schema.Literals(["adk", "sagents", "ui-messages"]),
  /** Where it does not fit. */
  path: Schema.Array(Schema.String),
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.format}: at '${this.path.join(".")}': ${this.problem}`
  }
}

// ===== storing ===============================================================

/** Tells the versions that the rows have, where an event tells of the rows that are written with it. */
const withVersions = (event: Event.Event, versions: Readonly<Record<string, number>>): Event.Event =>
  event.kind === "hook" && event.shared !== undefined && Object.keys(event.shared.versions).length > 0
    ? Object.freeze({ ...event, shared: { ...event.shared, versions } })
    : event

/**
 * Stores an imported session as a new one, with its shared values, and leaves what waits in its inbox. Fails with
 * `StaleSession` where there is a session of that name, and then changes nothing.
 *
 * **Gotchas**
 *
 * The values of `user` and `app` fields replace those that are there. Leave them as they are by
 * `Imported.save({ ...imported, writes: [] })`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const save = Effect.fnUntraced(
  function*({ events, ref, waiting, writes }: Imported): Effect.fn.Return<void, StoreError, SessionStore> {
    const store = yield* SessionStore
    yield* store.append(ref, {
      expected: 0,
      events: (versions) => events.map((event) => withVersions(event, versions)),
      writes
    })
    yield* Effect.forEach(waiting, (each) => store.post(ref, each), { discard: true })
  }
)
