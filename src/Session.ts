/**
 * One conversation: its log, and what the folds make of it.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Option, Result, type Schema } from "effect"
import type { Prompt } from "effect/ai"
import { type EventUnreadable, SessionMissing, type StateError, type StoreFailed, UserMissing } from "./AgentError.ts"
import type * as Event from "./Event.ts"
import { pendingOf, prepare, sharedOperations } from "./internal/commit.ts"
import { oneByName } from "./internal/contract.ts"
import { documentOf, readDocument } from "./internal/document.ts"
import { foldState, lackingSections, type Sections, type StateFold } from "./internal/fold.ts"
import { transcriptOf } from "./internal/history.ts"
import { Log, readLog } from "./internal/log.ts"
import { lengthOf, wholeOf } from "./internal/pages.ts"
import { loadRows, withRows } from "./internal/rows.ts"
import { namesOf, ofFolds, rootOf, sectionsIn, stateOf } from "./internal/session.ts"
import { readNewest } from "./internal/snapshot.ts"
import { endOfLog, stamp } from "./internal/stamp.ts"
import type { Open } from "./Interrupt.ts"
import { type Ref, SessionStore } from "./SessionStore.ts"
import type * as State from "./State.ts"
import type * as StateDelta from "./StateDelta.ts"

// ===== models ================================================================

/**
 * The state of a session, as it is read from outside: by field, decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionState {
  /** The encoded values, by full name. */
  readonly values: StateDelta.Values
  /** The version of each section. */
  readonly versions: ReadonlyMap<string, number>
  /**
   * Why sections have no values here: their version rose within the log, and who reads it does not know them. Reading a
   * field of theirs throws this error.
   */
  readonly unreadable: ReadonlyMap<string, StateError>
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
  /** The messages of the root agent as its model is shown them: compactions stand in place of what they replace. */
  readonly history: ReadonlyArray<Prompt.Message>
  /** All messages of the root agent, those included that a compaction replaces. */
  readonly transcript: ReadonlyArray<Prompt.Message>
  /** The questions without an answer, those of pending calls (`mode: "pending"`) included. */
  readonly open: ReadonlyArray<Open>
}

/**
 * What a session has come to, without what led there.
 *
 * @category models
 * @since 0.1.0
 */
export type Newest = Pick<Session, "ref" | "revision" | "state" | "open">

/**
 * A part of a session's history.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page {
  /** The messages of the root agent, compacted ones included. */
  readonly messages: ReadonlyArray<Prompt.Message>
  readonly events: ReadonlyArray<Event.Event>
  /** What comes before it, for the next page; absent where the history begins. */
  readonly before?: number
}

// ===== reading ===============================================================

/** The sections that a reader knows: a list, or those of an agent. @since 0.1.0 */
export type Known = ReadonlyArray<State.AnySection> | { readonly definition: { readonly sections: Sections } }

/**
 * What the folds make of a log. Known sections are migrated to the versions of this program and checked; unknown ones
 * are carried through. The values of `user` and `app` fields are not in a log; `load` reads them.
 *
 * @category combinators
 * @since 0.1.0
 */
export const fold = (
  events: ReadonlyArray<Event.Event>,
  known: Known = []
): Result.Result<Session, StateError> => {
  const log = new Log(events)
  return Result.map(foldLog(log, known), (state) => ofFolds(refOf(events), log, state, false))
}

/** The state of the root agent, of the versions that a reader knows. */
const foldLog = ({ events }: Log, known: Known): Result.Result<StateFold, StateError> => {
  const definitions = sectionsIn(known)
  return Result.flatMap(
    foldState(events, rootOf(events), definitions),
    (state) => Result.map(state.finish(definitions), () => state)
  )
}

const refOf = (events: ReadonlyArray<Event.Event>): Ref => {
  const [created] = events
  return created?.kind === "created"
    ? { app: created.app, user: created.user, session: created.session }
    : { app: "", session: "" }
}

/**
 * Reads a session from its store, with the `user` and `app` fields of these sections as they are now.
 *
 * @category constructors
 * @since 0.1.0
 */
export const load = Effect.fnUntraced(function*(ref: Ref, known: Known = []) {
  const store = yield* SessionStore
  const log = yield* readLog(store, ref)
  if (Option.isNone(log)) return yield* new SessionMissing(namesOf(ref))
  const { unreadable, values, versions } = yield* Effect.fromResult(foldLog(log.value, known))
  const { rows } = yield* loadRows(store, ref, sectionsIn(known).values())
  return ofFolds(ref, log.value, { unreadable, values: withRows(values, rows), versions })
})

/**
 * Reads what a session has come to: its state, with the `user` and `app` fields of these sections as they are now, and
 * its open questions. It takes as long for a session of ten thousand events as for one of a hundred: the store keeps a
 * snapshot, which each run renews every 256 events, and only the events since are read.
 *
 * **Example** (A field, without the log)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Agent, AgentRunner, Session, SessionStore, State } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Cart = State.make("cart", { items: State.field(Schema.Int, { initial: 0 }) })
 * const Shop = Agent.make("shop", { instructions: "Sell." })
 * const program = Effect.gen(function*() {
 *   yield* AgentRunner.run(Shop, { session: "s-1", input: "Two, please.", state: [Cart.items.to(2)] })
 *   const { state } = yield* Session.newest({ app: "shop", session: "s-1" }, [Cart])
 *   return state.get(Cart.items)
 * }).pipe(Effect.provide([ScriptedModel.layer([ScriptedModel.text("Done.")]), SessionStore.layerMemory]))
 *
 * const items = await Effect.runPromise(program)
 * items // => 2
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const newest = Effect.fnUntraced(function*(ref: Ref, known: Known = []): Effect.fn.Return<
  Newest,
  EventUnreadable | SessionMissing | StateError | StoreFailed,
  SessionStore
> {
  const store = yield* SessionStore
  const definitions = sectionsIn(known)
  const found = yield* readNewest(store, ref, definitions)
  if (Option.isNone(found)) return yield* new SessionMissing(namesOf(ref))
  const { open, revision, state } = found.value
  yield* Effect.fromResult(state.finish(definitions))
  const { rows } = yield* loadRows(store, ref, definitions.values())
  return { ref, revision, open, state: stateOf({ ...state, values: withRows(state.values, rows) }) }
})

/** Does an event of the root agent begin something that its history shows as one? */
const isBeginning = ({ kind, path }: Event.Event): boolean =>
  path.length === 1 && (kind === "input" || kind === "model")

/**
 * Reads a session's history in pages, from its end to its beginning: the last events, or those before an earlier page.
 * A page begins with a message or with what the model said, and has a few events more where it must to do so.
 *
 * **Gotchas**
 *
 * What came later changes nothing in a page: the final answer to a pending call stands in the page where it came.
 *
 * @category constructors
 * @since 0.1.0
 */
export const page = Effect.fnUntraced(
  function*(
    ref: Ref,
    { before, limit = 100 }: { readonly before?: number | undefined; readonly limit?: number } = {}
  ): Effect.fn.Return<Page, EventUnreadable | SessionMissing | StoreFailed, SessionStore> {
    const store = yield* SessionStore
    const size = Math.max(1, lengthOf(limit))
    const length = Effect.map(
      store.newest(ref),
      Option.match({
        onNone: () => 0,
        onSome: ({ events, snapshot }) => (snapshot?.revision ?? 0) + events.length
      })
    )
    let end = before === undefined ? yield* length : Math.max(0, wholeOf(before))
    if (before === undefined && end === 0) return yield* new SessionMissing(namesOf(ref))
    const shown: Array<Event.Event> = []
    const isWhole = () => shown.length >= size && shown.at(-1) !== undefined && isBeginning(shown.at(-1) as Event.Event)
    while (end > 0 && !isWhole()) {
      const from: number = Math.max(0, end - size)
      const part = yield* store.load(ref, { from, limit: end - from })
      if (Option.isNone(part)) return yield* new SessionMissing(namesOf(ref))
      // a place that no page named
      if (part.value.length === 0) end = Math.min(from, yield* length)
      for (const event of part.value.toReversed()) {
        if (event.sequence >= end || isWhole()) continue
        end = event.kind === "rewound" ? event.to + 1 : event.sequence
        if (event.kind !== "rewound") shown.push(event)
      }
    }
    shown.reverse()
    const messages = transcriptOf(shown, rootOf(shown)).entries.flatMap((entry) => entry.messages)
    return { messages, events: shown, ...(end > 0 && { before: end }) }
  }
)

// ===== writing ===============================================================

/**
 * Writes fields of a session from outside of a run, as one event under the session's lease. A run that goes on at the
 * time makes it fail with `SessionBusy`; a log of a newer program, or values that do not fit, with `StateError`.
 *
 * **Gotchas**
 *
 * A `temp` field lives in a run, and cannot be written from outside of one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const write = Effect.fnUntraced(
  function*(ref: Ref, assignments: ReadonlyArray<State.Assignment>) {
    const store = yield* SessionStore
    const lease = yield* store.lease(ref)
    const log = yield* readLog(store, ref)
    if (Option.isNone(log)) return yield* new SessionMissing(namesOf(ref))
    const { events, revision } = log.value
    const pending = pendingOf(assignments)
    const temp = pending.find(({ field }) => field.scope === "temp")
    if (temp !== undefined) {
      return yield* Effect.die(new TypeError(`'${temp.field.name}' lives in a run: it cannot be written from outside`))
    }
    const orphans = ref.user === undefined ? pending.filter(({ field }) => field.scope === "user") : []
    if (orphans.length > 0) return yield* new UserMissing({ fields: orphans.map(({ field }) => field.name) })

    // the state must fit the program that writes, before anything is written
    const known = oneByName("sections", pending.map(({ field }) => field.section))
    const state = yield* Effect.fromResult(foldState(events, rootOf(events), known))
    yield* Effect.fromResult(state.finish(known))
    const migrated = yield* loadRows(store, ref, known.values())
    const prepared = prepare(pending, new Map(), (name) => state.values.get(name), migrated.rows)
    const operations = sharedOperations(prepared)
    const lacking = lackingSections(state, known)
    const time = yield* Clock.currentTimeMillis
    const { author, invocation } = endOfLog(events)
    yield* store.append(ref, {
      expected: revision,
      lease,
      writes: [...migrated.writes, ...prepared.writes],
      unchanged: migrated.unchanged,
      // the root agent writes it, in its last invocation
      events: (versions) => [
        stamp(
          ref,
          author,
          invocation,
          {
            kind: "hook",
            middleware: "session",
            hook: "write",
            delta: prepared.delta,
            ...(operations.length > 0 && { shared: { operations, versions } }),
            ...(lacking !== undefined && { sections: lacking })
          },
          revision,
          time
        )
      ]
    })
  },
  Effect.scoped,
  Effect.asVoid
)

// ===== encoding ==============================================================

/**
 * A session as one JSON document. `SessionDocument` writes the text of one that is large piece by piece.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode: (events: ReadonlyArray<Event.Event>) => Schema.Json = documentOf

/**
 * Reads a session's events back from a JSON document. Fails with the place of what does not fit.
 *
 * @category encoding
 * @since 0.1.0
 */
export const decode = (input: unknown): Result.Result<ReadonlyArray<Event.Event>, StateError> =>
  Result.map(readDocument(input), ({ events }) => events)
