/**
 * One conversation: its log, and what the folds make of it.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Effect, Option, Result, Schema } from "effect"
import type { Prompt } from "effect/ai"
import { SessionMissing, StateError } from "./AgentError.ts"
import * as Event from "./Event.ts"
import { definitionOf, type SectionDefinition } from "./internal/field.ts"
import { foldState, type Sections } from "./internal/fold.ts"
import { ofFolds, rootOf } from "./internal/session.ts"
import type { Open } from "./Interrupt.ts"
import { type Ref, SessionStore } from "./SessionStore.ts"
import type * as State from "./State.ts"
import type { Values } from "./StateDelta.ts"

// ===== models ================================================================

/**
 * The state of a session, as it is read from outside: by field, decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionState {
  /** The encoded values, by full name. */
  readonly values: Values
  /** The version of each section. */
  readonly versions: ReadonlyMap<string, number>
  /** A field's value; its initial one where the session has none. */
  readonly get: <Type>(field: State.Ref<string, Type, any>) => Type
}

/**
 * A session: its events, and what the folds make of them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Session {
  readonly ref: Ref
  /** The number of its events. */
  readonly revision: number
  readonly events: ReadonlyArray<Event.Event>
  readonly state: SessionState
  readonly history: ReadonlyArray<Prompt.Message>
  /** The questions that wait for an answer. */
  readonly open: ReadonlyArray<Open>
}

// ===== reading ===============================================================

const sectionsByName = (sections: ReadonlyArray<State.AnySection>): Sections =>
  new Map(
    sections.map(definitionOf).map((definition): [string, SectionDefinition] => [definition.name, definition])
  )

/**
 * What the folds make of a log. Known sections are migrated to the versions of this program and checked; unknown ones
 * are carried through.
 *
 * @category combinators
 * @since 0.1.0
 */
export const fold = (
  events: ReadonlyArray<Event.Event>,
  sections: ReadonlyArray<State.AnySection> = []
): Result.Result<Session, StateError> => {
  const definitions = sectionsByName(sections)
  const agent = rootOf(events)
  return Result.flatMap(
    foldState(events, agent, definitions),
    (state) => Result.map(state.finish(definitions), () => ofFolds(refOf(events), events, state.values, state.versions))
  )
}

const refOf = (events: ReadonlyArray<Event.Event>): Ref => {
  const [created] = events
  return created?.kind === "created"
    ? { app: created.app, user: created.user, session: created.session }
    : { app: "", session: "" }
}

/**
 * Reads a session from its store.
 *
 * @category constructors
 * @since 0.1.0
 */
export const load = Effect.fnUntraced(function*(ref: Ref, sections: ReadonlyArray<State.AnySection> = []) {
  const store = yield* SessionStore
  const events = yield* store.load(ref)
  if (Option.isNone(events)) return yield* new SessionMissing({ session: ref.session })
  return yield* Effect.fromResult(fold(events.value, sections))
})

// ===== encoding ==============================================================

const Envelope = Schema.Struct({
  format: Schema.Literal("tenon/session"),
  version: Schema.Literal(1),
  events: Schema.Array(Schema.Unknown)
})

const decodeEnvelope = Schema.decodeUnknownResult(Envelope)

/**
 * A session as one JSON document.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (events: ReadonlyArray<Event.Event>): Schema.Json => ({
  format: "tenon/session",
  version: 1,
  events: events.map(Event.encode)
})

const bad = (problem: string, path: ReadonlyArray<string> = []) =>
  new StateError({ section: "session", version: 1, path, problem })

/**
 * Reads a session's events back from a JSON document. Fails with the place of what does not fit.
 *
 * @category encoding
 * @since 0.1.0
 */
export const decode = (input: unknown): Result.Result<ReadonlyArray<Event.Event>, StateError> => {
  const envelope = decodeEnvelope(input)
  if (Result.isFailure(envelope)) return Result.fail(bad(envelope.failure.message))
  const events: Array<Event.Event> = []
  for (const [index, each] of envelope.success.events.entries()) {
    const event = Event.decode(each)
    if (Result.isFailure(event)) return Result.fail(bad(event.failure.message, ["events", String(index)]))
    if (event.success.sequence !== index) {
      return Result.fail(bad("an event is missing or out of place", ["events", String(index)]))
    }
    events.push(event.success)
  }
  return Result.succeed(events)
}
