/**
 * What can be done to the past of a session: go back, go on elsewhere, take texts out, put a summary in place.
 *
 * Each works under the session's lease, and is refused with `SessionBusy` while a run goes on. The log stays the truth:
 * what comes of it is what the folds make of it, State included. The rows of `user` and `app` fields, which other sessions
 * share, stay as they are.
 *
 * Layer 5, run.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Option, Result, Schema } from "effect"
import type { Prompt } from "effect/ai"
import { SessionExists, SessionMissing } from "./AgentError.ts"
import type * as Event from "./Event.ts"
import { abandoning, cutShort } from "./internal/closing.ts"
import { foldQuestions, sharedIn } from "./internal/fold.ts"
import { deepFreeze } from "./internal/freeze.ts"
import { transcriptOf } from "./internal/history.ts"
import { isAtRest, isCutOff, isPending } from "./internal/inbox.ts"
import { Log } from "./internal/log.ts"
import { redactContent, redactState } from "./internal/redaction.ts"
import { movedTo, namesOf, rootOf } from "./internal/session.ts"
import { endOfLog, type Entry, stamp, stampAll } from "./internal/stamp.ts"
import { unfinishedCalls } from "./internal/start.ts"
import { isWhole } from "./internal/transcript.ts"
import * as Middleware from "./Middleware.ts"
import { type Ref, SessionStore } from "./SessionStore.ts"

// ===== models ================================================================

/**
 * A change of a session's past that cannot be made. Nothing has changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class HistoryRefused extends Schema.TaggedError<HistoryRefused>()("HistoryRefused", {
  session: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `the history of the session '${this.session}' stays as it is: ${this.problem}`
  }
}

/**
 * Where a session goes back to: an event, which is the last to count, or what was before an invocation.
 *
 * @category models
 * @since 0.1.0
 */
export type Place = { readonly to: number } | { readonly before: string }

/**
 * What came of going back.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rewound {
  readonly revision: number
  /** How many events count no more. */
  readonly events: number
  /** The `user` and `app` fields that those wrote, by full name: their values stay. */
  readonly shared: ReadonlyArray<string>
}

// ===== internals =============================================================

/** A session that nobody else writes while the scope is open, with what is stored of it. */
const held = Effect.fnUntraced(function*(ref: Ref) {
  const store = yield* SessionStore
  const lease = yield* store.lease(ref)
  const stored = yield* store.load(ref)
  if (Option.isNone(stored)) return yield* new SessionMissing(namesOf(ref))
  const time = yield* Clock.currentTimeMillis
  return {
    store,
    lease,
    stored: stored.value,
    time,
    refused: (problem: string) => new HistoryRefused({ session: ref.session, problem })
  }
})

/** Closes what is open, so that nothing is under way. */
const closed = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Entry> => {
  const entries = abandoning(events)
  return entries.at(-1)?.body.kind === "ended" ? entries : [...entries, cutShort(events)]
}

/** The last event that counts at a place. */
const sequenceAt = ({ events }: Log, place: Place): number | undefined => {
  if ("to" in place) return events.find(({ sequence }) => sequence === place.to)?.sequence
  const first = events.findIndex(({ invocation }) => invocation === place.before)
  // a session keeps the event that it began with
  return first === -1 ? undefined : events[Math.max(0, first - 1)]?.sequence
}

// ===== going back ============================================================

/**
 * Goes back to an earlier event, or to what was before an invocation: what came after it counts no more, neither for the
 * state and the history nor for what is open.
 *
 * **Details**
 *
 * The log keeps everything, and an event, `rewound`, tells of it; ids of invocations and calls do not come again. What was
 * open at the place is closed as abandoned, but for what calls had left pending. `user` and `app` fields keep their values;
 * the result names those that were written since. Outside effects of tools are not undone. Going back to before an earlier
 * `rewound` is possible, going back to what that took away is not.
 *
 * **Example** (Ask again)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, History, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help." })
 * const say = (input: string) => AgentRunner.run(Assistant, { session: "s-1", input })
 * const program = Effect.gen(function*() {
 *   yield* say("Good day.")
 *   const { invocation } = yield* say("Tell me a lie.")
 *   yield* History.rewind({ app: "assistant", session: "s-1" }, { before: invocation })
 *   const { session } = yield* say("Tell me the truth.")
 *   return session.history.filter(({ role }) => role === "user").length
 * }).pipe(Effect.provide([
 *   ScriptedModel.layer(["Good day.", "I am a fish.", "I am a program."].map(ScriptedModel.text)),
 *   SessionStore.layerMemory
 * ]))
 *
 * const asked = await Effect.runPromise(program)
 * asked // => 2
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const rewind = Effect.fnUntraced(function*(ref: Ref, place: Place) {
  const { lease, refused, store, stored, time } = yield* held(ref)
  const log = new Log(stored)
  const to = sequenceAt(log, place)
  if (to === undefined) {
    const named = "to" in place ? `event ${place.to} is none that counts` : `there is no invocation '${place.before}'`
    return yield* refused(named)
  }
  const kept = log.events.filter(({ sequence }) => sequence <= to)
  const dropped = log.events.slice(kept.length)
  const shared = dropped.flatMap((event) => sharedIn(event))
  const { author } = endOfLog(kept)
  const entries: ReadonlyArray<Entry> = dropped.length === 0
    ? []
    : [{ author, body: { kind: "rewound", to } }, ...closed(kept)]
  if (entries.length > 0) {
    yield* store.append(ref, {
      expected: log.revision,
      lease,
      events: () => stampAll(ref, log.nextInvocation, entries, log.revision, time)
    })
  }
  return {
    revision: log.revision + entries.length,
    events: dropped.length,
    shared: [...new Set(shared)]
  } satisfies Rewound
}, Effect.scoped)

// ===== going on elsewhere ====================================================

/**
 * Begins a session with what another was up to an event; without one, with all of it. Gives its revision.
 *
 * **Details**
 *
 * What is open there is closed as abandoned, but for what calls had left pending, whose answers go to the first session.
 * That stays as it is. The state is the same, artifacts included; a session of another user has that user's fields. What
 * waits in the inbox stays where it is. A target that is there already is refused with `SessionExists`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const fork = Effect.fnUntraced(function*(ref: Ref, target: Ref, at: { readonly to?: number } = {}) {
  const store = yield* SessionStore
  const stored = yield* store.load(ref)
  if (Option.isNone(stored)) return yield* new SessionMissing(namesOf(ref))
  const { to = stored.value.length - 1 } = at
  if (!stored.value.some(({ sequence }) => sequence === to)) {
    return yield* new HistoryRefused({ session: ref.session, problem: `there is no event ${to}` })
  }
  const events = stored.value.slice(0, to + 1).map(movedTo(target))
  const log = new Log(events)
  const isOpen = unfinishedCalls(log.events, []).length > 0 || isCutOff(log.events) ||
    foldQuestions(log.events).some((question) => !isPending(question))
  const time = yield* Clock.currentTimeMillis
  const all = isOpen
    ? [...events, ...stampAll(target, log.nextInvocation, closed(log.events), log.revision, time)]
    : events
  yield* store.append(target, { expected: 0, events: () => all }).pipe(
    Effect.catchTag("StaleSession", () => Effect.fail(new SessionExists(namesOf(target))))
  )
  return all.length
})

// ===== taking texts out ======================================================

/**
 * Puts other texts in place of what was said, asked and given, in what is stored: what was there is gone. Gives the number
 * of events that changed; each says when, in `redacted`.
 *
 * **Details**
 *
 * `replace` gets every text of messages, arguments, results, questions, answers and summaries, not names and ids, nor the
 * keys of objects, and files only by their names. It is called for every event, or for those that `where` takes.
 * State is left alone: a session whose State holds such a text too is refused, unless `state` says to replace it there as
 * well, from the first delta on. Rows of `user` and `app` fields are written by `Session.write`.
 *
 * **Gotchas**
 *
 * A database may keep old pages for a while: SQLite until they are written anew or the file is vacuumed, PostgreSQL until a
 * vacuum; backups keep them too.
 *
 * @category combinators
 * @since 0.1.0
 */
export const redact = Effect.fnUntraced(function*(ref: Ref, options: {
  readonly replace: (text: string) => string
  readonly where?: (event: Event.Event) => boolean
  readonly state?: boolean
}) {
  // what was rewound is stored all the same
  const { lease, refused, store, stored, time } = yield* held(ref)
  const { replace, state = false, where = () => true } = options
  const changed: Array<Event.Event> = []
  for (const event of stored) {
    const inState = redactState(event, replace, time)
    if (!state && where(event) && Result.isSuccess(inState) && inState.success !== event) {
      return yield* refused(
        `event ${event.sequence} has such a text in State: say 'state: true', or write the field first`
      )
    }
    const redacted = Result.flatMap(
      state ? inState : Result.succeed(event),
      (each) => where(event) ? redactContent(each, replace, time) : Result.succeed(each)
    )
    if (Result.isFailure(redacted)) return yield* refused(`event ${event.sequence} would be none any more`)
    if (redacted.success !== event) changed.push(deepFreeze(redacted.success))
  }
  if (changed.length > 0) yield* store.rewrite(ref, { expected: stored.length, lease, events: changed })
  return changed.length
}, Effect.scoped)

// ===== putting a summary in place ============================================

/**
 * Puts a text, or other messages, in place of what the root agent's events between two places brought into its history, as
 * the middleware `Compaction` does within a run. Tells whether there was anything to replace.
 *
 * @category combinators
 * @since 0.1.0
 */
export const compact = Effect.fnUntraced(function*(
  ref: Ref,
  range: Middleware.Range,
  replacement: string | ReadonlyArray<Prompt.Message>
) {
  const { lease, refused, store, stored, time } = yield* held(ref)
  const log = new Log(stored)
  const { events } = log
  const { author, invocation: last } = endOfLog(events)
  // what an invocation began with stays while it goes on
  const invocation = isAtRest(events) ? log.nextInvocation : last
  const reach = transcriptOf(events, rootOf(events)).reach(range, invocation)
  const { messages } = Middleware.compact(range, replacement)
  if (!isWhole(messages)) return yield* refused("the messages part a call from its result")
  if (reach === undefined) return false
  const body: Event.Body = { kind: "compacted", middleware: "session", ...reach, messages: deepFreeze(messages) }
  yield* store.append(ref, {
    expected: log.revision,
    lease,
    events: () => [stamp(ref, author, invocation, body, log.revision, time)]
  })
  return true
}, Effect.scoped)
