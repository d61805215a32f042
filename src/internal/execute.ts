/**
 * One run of an agent in a session: what is checked before it, how it begins, and how it ends. Layer 5.
 */
import { Cause, Clock, Effect, Exit, Option } from "effect"
import { LanguageModel } from "effect/ai"
import type * as Agent from "../Agent.ts"
import * as AgentError from "../AgentError.ts"
import type * as AgentRunner from "../AgentRunner.ts"
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import type * as Session from "../Session.ts"
import { type Lease, type Ref, SessionStore } from "../SessionStore.ts"
import * as StateDelta from "../StateDelta.ts"
import { fateOf, inputWith, isKeyed, isPaused, leaseFor } from "./again.ts"
import { pendingOf } from "./commit.ts"
import { compatible } from "./compatible.ts"
import type { AskDefinition } from "./contract.ts"
import {
  fieldsIn,
  foldQuestions,
  foldState,
  holderOf,
  initialSection,
  lackingSections,
  type StateFold
} from "./fold.ts"
import { ContractViolation } from "./fork.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import { type Holders, holdersOf, receiverOf } from "./holders.ts"
import { answeredBy, isAtRest, isCutOff, isMessage, isPending, lateCancellations, sortAnswers } from "./inbox.ts"
import { Log, readLog } from "./log.ts"
import { Meter } from "./meter.ts"
import { openChild, openHolder, openThread } from "./open.ts"
import { outputOf } from "./output.ts"
import { clashesIn, strangersIn } from "./plan.ts"
import { failure } from "./results.ts"
import { loadRows, withRows } from "./rows.ts"
import { type Chunk, type Ending, type Preliminary, Run } from "./run.ts"
import { namesOf, ofFolds } from "./session.ts"
import { nextSnapshot } from "./snapshot.ts"
import { type Author, endOfLog, type Entry, stamp } from "./stamp.ts"
import {
  asksOf,
  encodeAnswer,
  fingerprintOf,
  sectionsOf,
  type Start,
  unfinishedCalls,
  usedBefore,
  userFields
} from "./start.ts"
import { closed } from "./step.ts"
import { take } from "./supply.ts"

export type Emit = (item: Event.Event | Chunk | Preliminary) => Effect.Effect<unknown>

/** Results for calls that no attempt will end any more. */
const closing = (
  events: ReadonlyArray<Event.Event>,
  result: Event.CallResult,
  waiting?: ReadonlyArray<Interrupt.Open>
): ReadonlyArray<Entry> =>
  unfinishedCalls(events, waiting).map(({ event, call }) => ({
    author: { id: event.agent, path: event.path },
    body: closed(call, result)
  }))

/** The end of what nobody goes on with. */
export const cutShort = (events: ReadonlyArray<Event.Event>): Entry => ({
  author: endOfLog(events).author,
  body: { kind: "ended", status: "cancelled", elapsed: 0 }
})

/** Gives up what a log waits for, calls and hooks alike; what a call left pending stays open. */
export const abandoning = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Entry> => {
  const result = failure("Abandoned", "the question that this call waited for was abandoned")
  // a hook's question has no call: the end of its run closes it
  const ended = foldQuestions(events).some(({ hook }) => hook !== undefined) ? [cutShort(events)] : []
  return [...closing(events, result, []), ...ended]
}

const closeAll = (run: Run, result: Event.CallResult, waiting?: ReadonlyArray<Interrupt.Open>) =>
  Effect.suspend(() => run.appendAll(closing(run.log, result, waiting)))

/** The questions that outlive a run which does not pause: those of calls. */
const callsAsked = (log: ReadonlyArray<Event.Event>): ReadonlyArray<Interrupt.Open> =>
  foldQuestions(log).filter(({ hook }) => hook === undefined)

/** Sections as a log stores them. */
type Added = Readonly<Record<string, Event.Section>>

/** One invocation's share of a run. */
interface Stretch {
  readonly run: Run
  readonly meter: Meter
  readonly started: number
}

const otherTools = (names: ReadonlyArray<string>) =>
  `the handlers of ${names.map((name) => `'${name}'`).join(", ")} were given for other tools of the same names`

/** Runs an agent on a message, or goes on with answers. */
export const execute = (
  agent: Agent.Any,
  options: AgentRunner.Options,
  wanted: Start,
  emit: Emit | undefined
): Effect.Effect<AgentRunner.AgentResult, AgentError.Reason, LanguageModel.LanguageModel | SessionStore> =>
  Effect.scoped(Effect.gen(function*() {
    const context = yield* Effect.context<LanguageModel.LanguageModel | SessionStore>()
    const store = yield* SessionStore
    const model = yield* LanguageModel.LanguageModel
    const ref: Ref = { app: options.app ?? agent.name, user: options.user, session: options.session }

    // whole before anything happens: context, user, answers
    yield* Effect.fromResult(take(agent.contract, context as never))
    const clashes = clashesIn(agent.definition)
    if (clashes.length > 0) return yield* new AgentError.ToolNamesClash({ tools: clashes })
    const strangers = strangersIn(agent.definition, context)
    if (strangers.length > 0) return yield* Effect.die(new ContractViolation(otherTools(strangers)))
    const holders = holdersOf(agent)
    const sections = sectionsOf(agent, wanted)
    const needsUser = options.user === undefined ? userFields(agent, wanted) : []
    if (needsUser.length > 0) return yield* new AgentError.UserMissing({ fields: needsUser })
    const key = wanted._tag === "Input" ? wanted.key : undefined
    const lease = yield* leaseFor(store, ref, key)
    const stored = Option.getOrElse(yield* readLog(store, ref), () => new Log([]))
    const inbox = yield* store.inbox(ref)
    const log: ReadonlyArray<Event.Event> = stored.events
    const before = stored.revision
    const copied = key === undefined ? undefined : inputWith(log, key)
    // a message that was taken before is not taken again: its invocation goes on
    const start: Start = copied === undefined ? wanted : { _tag: "Answers", answers: [] }
    // a session begins with its first message, also where a crash came just before that
    if (start._tag === "Answers" && !log.some(({ kind }) => kind === "input") && !inbox.some(isMessage)) {
      return yield* new AgentError.SessionMissing(namesOf(ref))
    }
    yield* compatible(agent, ref, log, sections, key, context)
    yield* closeExpired(store, lease, ref, stored)
    const open = foldQuestions(log)
    const asks = asksOf(agent)
    const posted = sortAnswers(inbox, open, asks).fitting
    // a hook goes on with its answer in its own invocation alone
    const unanswered = open.filter((question) =>
      !isPending(question) && (question.hook !== undefined || !posted.some((each) => each.question.id === question.id))
    )
    if (start._tag === "Input" && unanswered.length > 0) {
      return yield* new AgentError.QuestionsOpen({ open: unanswered })
    }
    const answers = start._tag === "Input" ? [] : yield* accepted(start.answers, open, asks)

    // the id is the one that the session began with; the name is the one that others know the agent by now
    const author: Author = { id: log[0]?.agent ?? agent.name, path: Object.freeze([agent.name]) }
    const fold = yield* Effect.fromResult(foldState(log, author.id, sections))
    yield* Effect.fromResult(fold.finish(sections))

    if (copied !== undefined) {
      const { invocation } = copied
      const known = yield* fateOf(log, copied)
      if (known !== undefined || (isPaused(log) && inbox.length === 0)) {
        const { rows } = yield* loadRows(store, ref, sections.values())
        const { unreadable, values, versions } = fold
        const { elapsed: _, ...usage } = usedBefore(log, invocation, () => true)
        const rest = {
          invocation,
          session: ofFolds(ref, stored, { values: withRows(values, rows), versions, unreadable }),
          usage
        }
        return known === undefined ? { _tag: "Paused", open, ...rest } : completed(holders, known, rest)
      }
    }

    const late = lateCancellations(inbox, isCutOff(log))
    const stretch = (invocation: string, ignored: ReadonlySet<string>): Effect.Effect<Stretch> =>
      Effect.map(Clock.currentTimeMillis, (started) => {
        const used = usedBefore(log, invocation, () => true)
        const limits = { ...agent.definition.limits, ...options.limits }
        const meter = new Meter(author.id, limits, undefined, started, used.elapsed)
        meter.resume(used)
        const run = new Run({
          ref: { app: ref.app, user: ref.user, session: ref.session },
          store,
          lease,
          model,
          sections,
          invocation,
          concurrency: Math.max(1, Math.floor(options.concurrency ?? 8) || 1),
          maxDepth: options.maxDepth ?? 8,
          root: author,
          asks,
          late: ignored,
          log: stored,
          openChild,
          openHolder,
          emit
        })
        return { run, meter, started }
      })
    const frameOf = ({ run, meter }: Stretch): Effect.Effect<Frame, Failure> =>
      openThread(agent, fold.values, {
        run,
        around: context,
        author,
        meter,
        prefix: `${run.options.invocation}.`,
        parent: undefined,
        above: undefined
      })
    const receiver = (): Author => ({
      id: author.id,
      path: Object.freeze([receiverOf(holders, holderOf(log, author.id))])
    })
    const ended = (current: Stretch, status: Event.Ended["status"]) =>
      Effect.flatMap(endOf(current, status), (body) => current.run.append(author, body))
    const giveUp = (current: Stretch, cause: Cause.Cause<unknown>) => {
      // a session begins with its first event, not with an end
      if (log.length === 0) return Effect.void
      const result = failure("Cancelled", "the run ended before this call did")
      // what was done may not be stored: as after a crash, the next run asks of each call what became of it
      if (Option.exists(Cause.findErrorOption(cause), isOfStore)) return Effect.void
      const { _tag: reason, key } = reasonOf(cause)
      const isCancelled = reason === "RunCancelled" || Cause.hasInterruptsOnly(cause)
      const status = isCancelled ? "cancelled" : reason === "QuestionsOpen" ? "paused" : "failed"
      // hooks on events have seen enough: they may be what failed
      current.run.observers.clear()
      const waiting = status === "paused" ? undefined : callsAsked(log)
      // one that did nothing leaves nothing but its cancellation
      const end = Effect.suspend((): Effect.Effect<unknown, Failure> => {
        if (key !== undefined) {
          return Effect.flatMap(endOf(current, status), (body) => current.run.endCancelled(key, body, receiver()))
        }
        return log.at(-1)?.kind === "ended" ? Effect.void : ended(current, status)
      })
      return Effect.ignore(Effect.andThen(closeAll(current.run, result, waiting), end))
    }
    const orGiveUp = <A, E, R>(current: Stretch, effect: Effect.Effect<A, E, R>) =>
      Effect.onExit(effect, (exit) => Exit.isFailure(exit) ? giveUp(current, exit.cause) : Effect.void)

    const last = endOfLog(log).invocation
    const waitedBefore = new Set(inbox.flatMap(({ key, kind }) => kind === "cancellation" ? [key] : []))
    while (start._tag === "Input" && !isAtRest(log)) {
      // what a crash left open, or answers set free, is ended first, in its own invocation, each call as it allows
      const cut = yield* stretch(last, late)
      yield* orGiveUp(cut, cut.run.watched(finishCut(cut.run, agent, author, fold, frameOf(cut)))).pipe(
        // a cancellation that came before the message ends nothing that came after it
        Effect.catchIf((error) => error._tag === "RunCancelled" && waitedBefore.delete(error.key), () => Effect.void)
      )
    }
    const begins = start._tag === "Input" || isAtRest(log)
    // the answer to a call that ended pending is something new, as a message is
    const isNew = start._tag === "Input" ||
      (begins && (answers.length > 0 || posted.length > 0 || inbox.some(isMessage)))
    const current = yield* stretch(
      isNew ? stored.nextInvocation : last,
      start._tag === "Input" ? waitedBefore : late
    )
    const { meter, run } = current
    const prepared = Effect.gen(function*() {
      yield* run.migrateShared()
      const added = yield* prepareLog(run, agent, author, fold)
      // the first event that can carry the sections that the log lacks is the message, or the first answer
      if (start._tag === "Input") return added
      if (added !== undefined && answers.length === 0) yield* run.append(author, addedSections(added))
      // all at once: an approved call whose answer is stored alone would be taken for one that began
      yield* run.answer(
        answers.map((answer, index) => answeredBy(log, answer, index === 0 ? added : undefined)),
        answers.map(({ question }) => question.call)
      )
    })
    const loop = Effect.fnUntraced(function*(added: Added | undefined) {
      // what waits came before the message that comes now
      yield* run.take(begins ? "between" : "paused", receiver())
      // it may have waited in the inbox, too
      if (start._tag === "Input" && (key === undefined || inputWith(log, key) === undefined)) {
        yield* begin(run, receiver(), fold, start, added)
      } else if (start._tag === "Input" && added !== undefined) yield* run.append(author, addedSections(added))
      const frame = yield* frameOf(current)
      let ran = yield* frame.converse(start._tag === "Answers")
      while (ran._tag !== "Limited") {
        const asked = ran._tag === "Paused" ? ran.open : undefined
        const answer = ran._tag === "Completed" && isKeyed(log, run.options.invocation) ? answerOf(ran) : undefined
        const end = yield* endOf(current, asked === undefined ? "completed" : "paused")
        if (yield* run.end({ ...end, ...(answer !== undefined && { answer }) }, asked)) break
        const isJoined = yield* asked === undefined ? frame.joinNext() : (yield* frame.holding()).join("paused")
        if (asked === undefined ? isJoined : run.isAnswered(asked)) ran = yield* frame.converse(true)
      }
      return ran
    })
    const outcome = yield* orGiveUp(
      current,
      Effect.gen(function*() {
        const ran = yield* run.watched(loop(yield* prepared))
        if (ran._tag !== "Limited") return ran
        yield* closeAll(run, failure("LimitReached", ran.error.message), callsAsked(log))
        yield* ended(current, "failed")
        return yield* ran.error
      })
    )
    if (outcome._tag === "Paused") yield* warnOfTemp(run, fold.values)
    yield* keepSnapshot(run, before)
    const result = {
      invocation: run.options.invocation,
      session: yield* sessionOf(ref, run, fold),
      usage: meter.used
    }
    return outcome._tag === "Completed"
      ? completed(holders, outcome, result)
      : { _tag: "Paused", open: outcome.open, ...result }
  }))

const endOf = ({ started }: Stretch, status: Ending["status"]): Effect.Effect<Ending> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({ kind: "ended", status, elapsed: now - started }))

/** Ends the calls that have waited too long for an answer. */
const closeExpired = Effect.fnUntraced(function*(
  store: SessionStore["Service"],
  lease: Lease,
  ref: Ref,
  log: Log
) {
  const now = yield* Clock.currentTimeMillis
  const late = foldQuestions(log.events).filter(({ expires }) => expires !== undefined && expires <= now)
  if (late.length === 0) return
  const events = late.map(({ call, name, tool }, index) => {
    const { agent: id, invocation, path } = log.events.findLast((event) =>
      event.kind === "asked" && event.question.call === call
    ) as Event.Event
    const body = closed({ id: call, tool }, failure("Expired", `nobody answered '${name}' in time`))
    return stamp(ref, { id, path }, invocation, body, log.revision + index, now)
  })
  log.append(yield* store.append(ref, { expected: log.revision, lease, events: () => events }))
})

/** An answer as it is stored. */
const answerOf = ({ agent, output, text }: Extract<Outcome, { _tag: "Completed" }>): Event.Answer => ({
  agent,
  text,
  ...(output !== undefined && { output })
})

/** The end of an invocation with an answer: its text, or the value in it. */
const completed = (
  holders: Holders,
  { agent, output, text }: Pick<Extract<Outcome, { _tag: "Completed" }>, "agent" | "output" | "text">,
  rest: Omit<AgentRunner.Completed, "_tag" | "agent" | "text" | "output">
): AgentRunner.Completed => {
  const schema = holders.get(agent)?.definition.output
  const value = schema === undefined || output === undefined ? text : outputOf(schema).decode(output)
  return { _tag: "Completed", agent, text, output: value, ...rest }
}

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

/** Ends what an earlier run left open, as far as it can; a question that comes up refuses the message. */
const finishCut = Effect.fnUntraced(function*(
  run: Run,
  agent: Agent.Any,
  author: Author,
  fold: StateFold,
  open: Effect.Effect<Frame, Failure>
) {
  yield* run.migrateShared()
  const added = yield* prepareLog(run, agent, author, fold)
  if (added !== undefined) yield* run.append(author, addedSections(added))
  yield* run.take("paused")
  const asked = yield* open.pipe(
    Effect.flatMap((frame) => frame.holding()),
    Effect.flatMap((frame) => frame.finishStep())
  )
  if (asked.length > 0) return yield* new AgentError.QuestionsOpen({ open: asked })
  yield* closeAll(run, failure("OutcomeUnknown", "an earlier run ended while this call ran"))
})

/** Checks every answer before the first is stored: a refusal changes nothing. */
const accepted = (
  answers: Extract<Start, { _tag: "Answers" }>["answers"],
  open: ReadonlyArray<Interrupt.Open>,
  asks: ReadonlyMap<string, AskDefinition>
) => {
  const byId = new Map(open.map((question) => [question.id, question]))
  return Effect.forEach(answers, (answer) => {
    const encoded = encodeAnswer(answer, byId, asks)
    // a second answer to one question in one list finds it closed
    byId.delete(answer.id)
    return Effect.fromResult(encoded)
  })
}

/** The event of a new session, and the sections that an older one lacks. */
const prepareLog = Effect.fnUntraced(function*(run: Run, agent: Agent.Any, author: Author, fold: StateFold) {
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
  run: Run,
  author: Author,
  { values }: StateFold,
  { key, message, state }: Extract<Start, { readonly _tag: "Input" }>,
  lacking: Added | undefined
) => {
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

/** A pause ends temp fields: what must outlive it belongs into another scope. */
const warnOfTemp = (run: Run, values: ReadonlyMap<string, unknown>): Effect.Effect<void> => {
  const held = fieldsIn(run.options.sections)
    .filter(({ scope, name, initial }) => scope === "temp" && values.has(name) && values.get(name) !== initial)
    .map(({ name }) => name)
  return held.length === 0
    ? Effect.void
    : Effect.logWarning(`the pause ends the values of these temp fields: ${held.join(", ")}`)
}

/** Keeps a snapshot for later readers now and then; that there is none costs them time alone. */
const keepSnapshot = ({ options: { lease, log, ref, sections, store } }: Run, before: number): Effect.Effect<void> => {
  const snapshot = nextSnapshot(log, before, sections)
  return snapshot === undefined ? Effect.void : Effect.ignore(store.saveSnapshot(ref, snapshot, lease))
}

/** The session as a run left it, with shared fields as they are now. */
const sessionOf = (ref: Ref, run: Run, { values, versions, unreadable }: StateFold) =>
  Effect.map(
    run.rowsOf(fieldsIn(run.options.sections)),
    (rows): Session.Session => ofFolds(ref, run.options.log, { values: withRows(values, rows), versions, unreadable })
  )
