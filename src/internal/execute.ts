/**
 * One run of an agent in a session: what is checked before it, how it begins, and how it ends. Layer 5.
 */
import { Clock, Context, Effect, Option, type Scope } from "effect"
import { LanguageModel } from "effect/ai"
import type * as Agent from "../Agent.ts"
import * as AgentError from "../AgentError.ts"
import type * as AgentRunner from "../AgentRunner.ts"
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import type * as Session from "../Session.ts"
import { type Lease, type Ref, SessionStore } from "../SessionStore.ts"
import { fateOf, inputWith, isPaused, leaseFor } from "./again.ts"
import { compatible } from "./compatible.ts"
import { flatten, runIn } from "./context.ts"
import type { AskDefinition } from "./contract.ts"
import { fieldsIn, foldQuestions, foldState, type StateFold } from "./fold.ts"
import { ContractViolation } from "./fork.ts"
import type { Outcome } from "./frame.ts"
import { type Holders, holdersOf } from "./holders.ts"
import { isAtRest, isCutOff, isMessage, isPending, lateCancellations, sortAnswers } from "./inbox.ts"
import { limitsOver } from "./limits.ts"
import { Log, readLog } from "./log.ts"
import { Meter } from "./meter.ts"
import { openChild, openHolder } from "./open.ts"
import { outputOf } from "./output.ts"
import { clashesIn, strangersIn } from "./plan.ts"
import { failure } from "./results.ts"
import { loadRows, withRows } from "./rows.ts"
import { type Chunk, type Preliminary, Run } from "./run.ts"
import { namesOf, ofFolds } from "./session.ts"
import { nextSnapshot } from "./snapshot.ts"
import { type Author, endOfLog, stamp } from "./stamp.ts"
import { asksOf, encodeAnswer, sectionsOf, type Start, usedBefore, userFields } from "./start.ts"
import { closed } from "./step.ts"
import { endCut, runStretch, type Stretch } from "./stretch.ts"
import { take } from "./supply.ts"

export type Emit = (item: Event.Event | Chunk | Preliminary) => Effect.Effect<unknown>

const otherTools = (names: ReadonlyArray<string>) =>
  `the handlers of ${names.map((name) => `'${name}'`).join(", ")} were given for other tools of the same names`

/** Runs an agent on a message, or goes on with answers. */
export const execute = Effect.fnUntraced(function*(
  agent: Agent.Any,
  options: AgentRunner.Options,
  wanted: Start,
  emit: Emit | undefined
): Effect.fn.Return<
  AgentRunner.AgentResult,
  AgentError.Reason,
  LanguageModel.LanguageModel | Scope.Scope | SessionStore
> {
  const context = flatten(yield* Effect.context<LanguageModel.LanguageModel | SessionStore>())
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
  const clock = Context.get(context, Clock.Clock)
  const stretch = (invocation: string, ignored: ReadonlySet<string>): Stretch => {
    const started = clock.currentTimeMillisUnsafe()
    const used = usedBefore(log, invocation, () => true)
    const limits = limitsOver(agent.name, agent.definition.limits, options.limits)
    const meter = new Meter(author.id, limits, undefined, started, used.elapsed)
    meter.resume(used)
    const run = new Run({
      clock,
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
    return { agent, author, context, fold, run, meter, started }
  }
  const last = endOfLog(log).invocation
  const waitedBefore = new Set(inbox.flatMap(({ key, kind }) => kind === "cancellation" ? [key] : []))
  while (start._tag === "Input" && !isAtRest(log)) {
    // what a crash left open, or answers set free, is ended first, in its own invocation, each call as it allows
    yield* endCut(stretch(last, late)).pipe(
      // a cancellation that came before the message ends nothing that came after it
      Effect.catchIf((error) => error._tag === "RunCancelled" && waitedBefore.delete(error.key), () => Effect.void)
    )
  }
  const begins = start._tag === "Input" || isAtRest(log)
  // the answer to a call that ended pending is something new, as a message is
  const isNew = start._tag === "Input" ||
    (begins && (answers.length > 0 || posted.length > 0 || inbox.some(isMessage)))
  const current = stretch(
    isNew ? stored.nextInvocation : last,
    start._tag === "Input" ? waitedBefore : late
  )
  const { meter, run } = current
  const outcome = yield* runIn(runStretch(current, start, answers, begins), context)
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
}, Effect.scoped)

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
