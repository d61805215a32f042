/**
 * One invocation's share of a run: how it begins, what is done until its loop comes to an end, and how it is given up.
 * Layer 5.
 */
import { Cause, type Context, Effect, Exit, Option } from "effect"
import type * as Agent from "../Agent.ts"
import * as AgentError from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import * as StateDelta from "../StateDelta.ts"
import { inputWith, isKeyed } from "./again.ts"
import { closing } from "./closing.ts"
import { pendingOf } from "./commit.ts"
import { foldQuestions, initialSection, lackingSections, type StateFold } from "./fold.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import { holderOf } from "./history.ts"
import { holdersOf, receiverOf } from "./holders.ts"
import { answeredBy } from "./inbox.ts"
import type { Meter } from "./meter.ts"
import { openThread } from "./open.ts"
import { failure } from "./results.ts"
import type { Ending, Run } from "./run.ts"
import { namesOf } from "./session.ts"
import type { Author } from "./stamp.ts"
import { type Accepted, fingerprintOf, type Start } from "./start.ts"

export interface Stretch {
  readonly agent: Agent.Any
  readonly author: Author
  readonly context: Context.Context<never>
  readonly fold: StateFold
  readonly run: Run
  readonly meter: Meter
  readonly started: number
}

const openRoot = ({ agent, author, context, fold, meter, run }: Stretch): Effect.Effect<Frame, Failure> =>
  openThread(agent, fold.values, {
    run,
    around: context,
    author,
    meter,
    prefix: `${run.options.invocation}.`,
    parent: undefined,
    above: undefined
  })

/** The agent that gets the next message. */
const receiver = ({ agent, author, run }: Stretch): Author => ({
  id: author.id,
  path: Object.freeze([receiverOf(holdersOf(agent), holderOf(run.log, author.id))])
})

// ----- ends -------------------------------------------------------------------

const closeAll = (run: Run, result: Event.CallResult, waiting?: ReadonlyArray<Interrupt.Open>) =>
  Effect.suspend(() => run.appendAll(closing(run.log, result, waiting)))

/** The questions that outlive a run which does not pause: those of calls. */
const callsAsked = (log: ReadonlyArray<Event.Event>): ReadonlyArray<Interrupt.Open> =>
  foldQuestions(log).filter(({ hook }) => hook === undefined)

const endOf = ({ run, started }: Stretch, status: Ending["status"]): Ending => ({
  kind: "ended",
  status,
  elapsed: run.now() - started
})

const ended = (stretch: Stretch, status: Ending["status"]) =>
  Effect.suspend(() => stretch.run.append(stretch.author, endOf(stretch, status)))

/** An answer as it is stored. */
const answerOf = ({ agent, output, text }: Extract<Outcome, { _tag: "Completed" }>): Event.Answer => ({
  agent,
  text,
  ...(output !== undefined && { output })
})

/** Why a run ended, where that is more than that it failed: because questions wait, or by whose cancellation. */
const reasonOf = (cause: Cause.Cause<unknown>): { readonly _tag?: string; readonly key?: string } =>
  Option.getOrElse(
    Option.filter(
      Cause.findErrorOption(cause),
      (error) => error instanceof AgentError.QuestionsOpen || error instanceof AgentError.RunCancelled
    ),
    () => ({})
  )

/** Did the store take something or not, and did not say so, or takes it nothing more of this run? */
const isOfStore = (error: unknown): boolean =>
  error instanceof AgentError.StoreFailed || error instanceof AgentError.StaleSession ||
  error instanceof AgentError.LeaseLost

const giveUp = (stretch: Stretch, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const { run } = stretch
  const { log } = run
  // a session begins with its first event, not with an end
  if (log.length === 0) return Effect.void
  const result = failure("Cancelled", "the run ended before this call did")
  // what was done may not be stored: as after a crash, the next run asks of each call what became of it
  if (Option.exists(Cause.findErrorOption(cause), isOfStore)) return Effect.void
  const { _tag: reason, key } = reasonOf(cause)
  const isCancelled = reason === "RunCancelled" || Cause.hasInterruptsOnly(cause)
  const status = isCancelled ? "cancelled" : reason === "QuestionsOpen" ? "paused" : "failed"
  // hooks on events have seen enough: they may be what failed
  run.observers.clear()
  const waiting = status === "paused" ? undefined : callsAsked(log)
  // one that did nothing leaves nothing but its cancellation
  const end = Effect.suspend((): Effect.Effect<unknown, Failure> => {
    if (key !== undefined) return run.endCancelled(key, endOf(stretch, status), receiver(stretch))
    return log.at(-1)?.kind === "ended" ? Effect.void : ended(stretch, status)
  })
  return Effect.ignore(Effect.andThen(closeAll(run, result, waiting), end))
}

/** Where it fails, or is cancelled, the log gets its end. */
const orGiveUp = <A, E>(stretch: Stretch, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.onExit(effect, (exit) => Exit.isFailure(exit) ? giveUp(stretch, exit.cause) : Effect.void)

// ----- beginnings --------------------------------------------------------------

/** Sections as a log stores them. */
type Added = Readonly<Record<string, Event.Section>>

/** The event of a new session, and the sections that an older one lacks. */
const prepareLog = Effect.fnUntraced(function*({ agent, author, fold, run }: Stretch) {
  const { ref, sections } = run.options
  if (run.log.length === 0) {
    const initial = Object.fromEntries([...sections].map(([name, definition]) => [name, initialSection(definition)]))
    yield* run.append(author, {
      kind: "created",
      ...namesOf(ref),
      fingerprint: fingerprintOf(agent),
      sections: initial
    })
    fold.add(initial)
  }
  const lacking = lackingSections(fold, sections)
  if (lacking !== undefined) fold.add(lacking)
  return lacking
})

/** Sections that the log lacked, in an event of their own where no other can carry them. */
const addedSections = (sections: Added): Event.Body => ({
  kind: "hook",
  middleware: "session",
  hook: "sections",
  delta: StateDelta.empty,
  sections
})

/** How often a write is made again that met another session's. */
const tries = { times: 3, while: (error: { readonly _tag: string }) => error._tag === "StateConflict" } as const

/** The message that a run starts with. */
const begin = (
  stretch: Stretch,
  { key, message, state }: Extract<Start, { readonly _tag: "Input" }>,
  lacking: Added | undefined
) => {
  const { fold: { values }, run } = stretch
  const author = receiver(stretch)
  const pending = pendingOf(state)
  const fork = { pending, sharedReads: new Map() }
  const added = lacking === undefined ? {} : { sections: lacking }
  const committed = Effect.flatMap(
    run.rowsOf(pending.map(({ field }) => field)),
    (rows) =>
      run.commit({ values, fork, rows }, (delta, shared) => [{
        author,
        body: {
          kind: "input",
          message,
          ...(key !== undefined && { key }),
          delta,
          ...(shared !== undefined && { shared }),
          ...added
        }
      }])
  )
  return Effect.retry(committed, tries)
}

const prepared = Effect.fnUntraced(function*(stretch: Stretch, start: Start, answers: ReadonlyArray<Accepted>) {
  const { author, run } = stretch
  yield* run.migrateShared()
  const added = yield* prepareLog(stretch)
  // the first event that can carry the sections that the log lacks is the message, or the first answer
  if (start._tag === "Input") return added
  if (added !== undefined && answers.length === 0) yield* run.append(author, addedSections(added))
  // all at once: an approved call whose answer is stored alone would be taken for one that began
  yield* run.answer(
    answers.map((answer, index) => answeredBy(run.log, answer, index === 0 ? added : undefined)),
    answers.map(({ question }) => question.call)
  )
  return undefined
})

// ----- what runs ---------------------------------------------------------------

const looped = Effect.fnUntraced(function*(stretch: Stretch, start: Start, begins: boolean, added: Added | undefined) {
  const { author, run } = stretch
  const { log } = run
  // what waits came before the message that comes now
  yield* run.take(begins ? "between" : "paused", receiver(stretch))
  // it may have waited in the inbox, too
  if (start._tag === "Input" && (start.key === undefined || inputWith(log, start.key) === undefined)) {
    yield* begin(stretch, start, added)
  } else if (start._tag === "Input" && added !== undefined) yield* run.append(author, addedSections(added))
  const frame = yield* openRoot(stretch)
  let ran = yield* frame.converse(start._tag === "Answers")
  while (ran._tag !== "Limited") {
    const asked = ran._tag === "Paused" ? ran.open : undefined
    const answer = ran._tag === "Completed" && isKeyed(log, run.options.invocation) ? answerOf(ran) : undefined
    const end = endOf(stretch, asked === undefined ? "completed" : "paused")
    if (yield* run.end({ ...end, ...(answer !== undefined && { answer }) }, asked)) break
    const isJoined = yield* asked === undefined ? frame.joinNext() : (yield* frame.holding()).join("paused")
    if (asked === undefined ? isJoined : run.isAnswered(asked)) ran = yield* frame.converse(true)
  }
  return ran
})

const untilEnd = Effect.fnUntraced(function*(
  stretch: Stretch,
  start: Start,
  answers: ReadonlyArray<Accepted>,
  begins: boolean
) {
  const { run } = stretch
  const added = yield* prepared(stretch, start, answers)
  const ran = yield* run.watched(looped(stretch, start, begins, added))
  if (ran._tag !== "Limited") return ran
  yield* closeAll(run, failure("LimitReached", ran.error.message), callsAsked(run.log))
  yield* ended(stretch, "failed")
  return yield* ran.error
})

/** Runs on a message, or goes on with answers, until an answer, a pause or a failure; `begins` where nothing is open. */
export const runStretch = (
  stretch: Stretch,
  start: Start,
  answers: ReadonlyArray<Accepted>,
  begins: boolean
) => orGiveUp(stretch, untilEnd(stretch, start, answers, begins))

const cutEnded = Effect.fnUntraced(function*(stretch: Stretch) {
  const { author, run } = stretch
  yield* run.migrateShared()
  const added = yield* prepareLog(stretch)
  if (added !== undefined) yield* run.append(author, addedSections(added))
  yield* run.take("paused")
  const frame = yield* openRoot(stretch)
  const asked = yield* (yield* frame.holding()).finishStep()
  if (asked.length > 0) return yield* new AgentError.QuestionsOpen({ open: asked })
  yield* closeAll(run, failure("OutcomeUnknown", "an earlier run ended while this call ran"))
})

/** Ends what an earlier run left open, as far as it can; a question that comes up refuses the message. */
export const endCut = (stretch: Stretch) => orGiveUp(stretch, stretch.run.watched(cutEnded(stretch)))
