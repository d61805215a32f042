/**
 * What the folds made of a log up to a revision, so that a reader need not begin at its first event. Layer 4.
 *
 * It is derived, and no more than a shortcut: where it cannot be used, the log is read.
 */
import { Effect, Option, Result, Schema } from "effect"
import type { EventUnreadable, StateError, StoreFailed } from "../AgentError.ts"
import { Open } from "../Interrupt.ts"
import type { Ref, SessionStore, Snapshot } from "../SessionStore.ts"
import { continueState, foldQuestions, foldState, type Sections, StateFold } from "./fold.ts"
import { liveOf, Log } from "./log.ts"
import { rootOf } from "./session.ts"

// lists of pairs: a section or a field may be called `__proto__`
const Content = Schema.Struct({
  format: Schema.tag("tenon/snapshot/1"),
  /** The root agent's id. */
  agent: Schema.String,
  /** The root agent's state as the log has it, not yet brought up to a program's versions. */
  values: Schema.Array(Schema.Tuple([Schema.String, Schema.Json])),
  versions: Schema.Array(Schema.Tuple([Schema.String, Schema.Int])),
  open: Schema.Array(Open)
})

const codec = Schema.toCodecJson(Content)
const encode = Schema.encodeSync(codec)
const decode = Schema.decodeUnknownOption(codec)

/** How many events there may be beyond a snapshot before a run takes the next one. */
const every = 256

/** A snapshot of a log; none where the state cannot be told. */
export const snapshotOf = (log: Log, sections: Sections): Snapshot | undefined => {
  const agent = rootOf(log.events)
  const state = Result.getOrUndefined(foldState(log.events, agent, sections))
  if (state === undefined || state.unreadable.size > 0) return undefined
  const open = foldQuestions(log.events)
  const data = encode({
    format: "tenon/snapshot/1",
    agent,
    values: [...state.values],
    versions: [...state.versions],
    open
  })
  return { revision: log.revision, data }
}

/** The next snapshot of a log that had so many events before, if it is due. */
export const nextSnapshot = (log: Log, before: number, sections: Sections): Snapshot | undefined =>
  Math.floor(log.revision / every) === Math.floor(before / every) ? undefined : snapshotOf(log, sections)

/** What a session has come to. */
export interface Newest {
  readonly revision: number
  readonly state: StateFold
  readonly open: ReadonlyArray<Open>
}

/** What a log has come to, from its first event on. */
const newestOf = (log: Log, sections: Sections): Result.Result<Newest, StateError> =>
  Result.map(foldState(log.events, rootOf(log.events), sections), (state) => ({
    revision: log.revision,
    state,
    open: foldQuestions(log.events)
  }))

/** What a session has come to, out of its newest snapshot and the events since. */
export const readNewest = Effect.fnUntraced(function*(
  store: SessionStore["Service"],
  ref: Ref,
  sections: Sections
): Effect.fn.Return<Option.Option<Newest>, EventUnreadable | StateError | StoreFailed> {
  const stored = yield* store.newest(ref)
  if (Option.isNone(stored)) return Option.none()
  const { events, snapshot } = stored.value
  if (snapshot === undefined) return Option.some(yield* Effect.fromResult(newestOf(new Log(events), sections)))
  const content = decode(snapshot.data)
  const isRewound = events.some((event) => event.kind === "rewound" && event.to < snapshot.revision - 1)
  if (Option.isNone(content) || isRewound) {
    const whole = yield* store.load(ref)
    return Option.isNone(whole)
      ? Option.none()
      : Option.some(yield* Effect.fromResult(newestOf(new Log(whole.value), sections)))
  }
  const { agent, open, values, versions } = content.value
  const state = new StateFold(new Map(values), new Map(versions))
  const since = liveOf(events)
  yield* Effect.fromResult(continueState(state, since, { agent, definitions: sections }))
  return Option.some({ revision: snapshot.revision + events.length, state, open: foldQuestions(since, open) })
})
