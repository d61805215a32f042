/**
 * Runs agents: the loop over a language model, tools, sub-agents and people.
 *
 * A run takes a message, or answers, up to a response, a pause or a failure. Everything that happens is an event in the
 * session's log; the state is its fold. The run requires what the agent's contract requires, its handlers, a model and a
 * store, and nothing else.
 *
 * Layer 5, run.
 *
 * @since 0.1.0
 */
import { Cause, Clock, Effect, Exit, Option, Queue, type Schema, Stream } from "effect"
import { LanguageModel, Prompt, type Tool as AiTool } from "effect/ai"
import type * as Agent from "./Agent.ts"
import * as AgentError from "./AgentError.ts"
import type * as Event from "./Event.ts"
import { failure } from "./internal/attempt.ts"
import type { ToolCall } from "./internal/call.ts"
import { pendingOf } from "./internal/commit.ts"
import { fieldsIn, foldQuestions, foldState, initialSection, lackingSections, type StateFold } from "./internal/fold.ts"
import type { Failure, Frame } from "./internal/frame.ts"
import { deepFreeze } from "./internal/freeze.ts"
import { Meter } from "./internal/meter.ts"
import { openChild, openFrame } from "./internal/open.ts"
import { clashesIn } from "./internal/plan.ts"
import { withRows } from "./internal/rows.ts"
import { type Chunk, Run } from "./internal/run.ts"
import { namesOf, ofFolds, rootOf } from "./internal/session.ts"
import { type Author, stamp } from "./internal/stamp.ts"
import {
  asksOf,
  encodeAnswer,
  fingerprintOf,
  invocationAfter,
  sectionsOf,
  type Start,
  unfinishedCalls,
  usedBefore,
  userFields
} from "./internal/start.ts"
import { closed } from "./internal/step.ts"
import { take } from "./internal/supply.ts"
import type * as Interrupt from "./Interrupt.ts"
import type * as Session from "./Session.ts"
import { type Ref, SessionStore } from "./SessionStore.ts"
import type * as State from "./State.ts"
import * as StateDelta from "./StateDelta.ts"
import type * as ToolContext from "./ToolContext.ts"

// ===== types =================================================================

/** What the loop itself provides; the rest is the caller's. */
type Loop = State.AnyRight | State.AnyOwner | Interrupt.AnyAsks | ToolCall
type Handlers<T> = T extends AiTool.Any ? AiTool.HandlersFor<{ readonly _: T }> : never

/**
 * What a run of an agent requires.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Requires<A extends Agent.Any> =
  | Exclude<A["~needs"], Loop>
  | Handlers<A["~tools"]>
  | LanguageModel.LanguageModel
  | SessionStore extends infer Identifiers ? Identifiers : never

/**
 * What a hosted run of an agent requires: one service in place of the context keys, which answers for them at the start
 * of each run, after a crash too.
 *
 * @category utility types
 * @since 0.1.0
 */
export type HostedRequires<A extends Agent.Any> =
  | Exclude<Requires<A>, ToolContext.AnyKey>
  | ToolContext.Resolver<A["name"], ToolContext.Supply<A["~needs"]>> extends infer Identifiers ? Identifiers : never

type AnswerTo<Q> = Q extends Interrupt.Asks<infer Name, infer Type> ? Interrupt.Answer<Name, Type> : never

/** The answers that an agent's questions take. @since 0.1.0 */
export type Answers<A extends Agent.Any> =
  | AnswerTo<A["~needs"]>
  | Interrupt.Answer<"approval", Interrupt.Decision>
  | Interrupt.EncodedAnswer

// ===== models ================================================================

/**
 * Where a run happens, and its bounds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** The session's name. */
  readonly session: string
  /** Whose session it is; `user` fields belong to them. */
  readonly user?: string
  /** The application; the agent's name otherwise. */
  readonly app?: string
  readonly limits?: Agent.Limits
  /** How many calls of a step may run at once; 8 otherwise. */
  readonly concurrency?: number
  /** How deep sub-agents may be nested; 8 otherwise. */
  readonly maxDepth?: number
}

/**
 * A message for an agent.
 *
 * @category models
 * @since 0.1.0
 */
export interface RunOptions extends Options {
  readonly input: string | ReadonlyArray<Prompt.UserMessagePart>
  /** Writes that come with the message. */
  readonly state?: ReadonlyArray<State.Assignment>
}

/**
 * Answers to an agent's questions. Those that are left out stay open.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResumeOptions<A extends Agent.Any> extends Options {
  readonly answers: ReadonlyArray<Answers<A>>
}

interface ResultBase {
  readonly invocation: string
  /** The session as the run left it. */
  readonly session: Session.Session
  /** What the invocation has used so far, its earlier runs and sub-agents included. */
  readonly usage: {
    readonly steps: number
    readonly toolCalls: number
    readonly inputTokens: number
    readonly outputTokens: number
  }
}

/** The agent has answered. @category models @since 0.1.0 */
export interface Completed extends ResultBase {
  readonly _tag: "Completed"
  readonly text: string
}

/** Questions wait for their answers; `resume` goes on. @category models @since 0.1.0 */
export interface Paused extends ResultBase {
  readonly _tag: "Paused"
  readonly open: ReadonlyArray<Interrupt.Open>
}

/** How a run ended, when it did not fail. @category models @since 0.1.0 */
export type AgentResult = Completed | Paused

/** What a stream shows: events as they are stored, and parts of the model's answers as they come. @category models @since 0.1.0 */
export type StreamItem =
  | { readonly _tag: "Event"; readonly event: Event.Event }
  | ({ readonly _tag: "Part" } & Chunk)
  | { readonly _tag: "Result"; readonly result: AgentResult }

// ===== running ===============================================================

type Emit = (item: Event.Event | Chunk) => Effect.Effect<unknown>

/** Results for calls that no attempt will end any more. */
const closing = (
  events: ReadonlyArray<Event.Event>,
  result: Event.CallResult,
  waiting?: ReadonlyArray<Interrupt.Open>
): ReadonlyArray<{ readonly author: Author; readonly body: Event.Body }> =>
  unfinishedCalls(events, waiting).map(({ event, call }) => ({
    author: { id: event.agent, path: event.path },
    body: closed(call, result)
  }))

const closeAll = (run: Run, result: Event.CallResult, waiting?: ReadonlyArray<Interrupt.Open>) =>
  Effect.forEach(closing(run.log, result, waiting), ({ author, body }) => run.append(author, body), { discard: true })

const execute = (
  agent: Agent.Any,
  options: Options,
  start: Start,
  emit: Emit | undefined
): Effect.Effect<AgentResult, AgentError.Reason, LanguageModel.LanguageModel | SessionStore> =>
  Effect.scoped(Effect.gen(function*() {
    const context = yield* Effect.context<LanguageModel.LanguageModel | SessionStore>()
    const store = yield* SessionStore
    const model = yield* LanguageModel.LanguageModel
    const ref: Ref = { app: options.app ?? agent.name, user: options.user, session: options.session }

    // whole before anything happens: context, user, answers
    yield* Effect.fromResult(take(agent.contract, context as never))
    const clashes = clashesIn(agent.definition)
    if (clashes.length > 0) return yield* new AgentError.ToolNamesClash({ tools: clashes })
    const sections = sectionsOf(agent, start)
    const needsUser = options.user === undefined ? userFields(agent, start) : []
    if (needsUser.length > 0) return yield* new AgentError.UserMissing({ fields: needsUser })
    yield* store.lease(ref)
    const loaded = yield* store.load(ref)
    if (start._tag === "Answers" && Option.isNone(loaded)) {
      return yield* new AgentError.SessionMissing(namesOf(ref))
    }
    const log = [...Option.getOrElse(loaded, () => [])]
    const open = foldQuestions(log)
    if (start._tag === "Input" && open.length > 0) return yield* new AgentError.QuestionsOpen({ open })
    const answers = start._tag === "Input" ? [] : yield* accepted(agent, start.answers, open)

    const author: Author = log[0] === undefined
      ? { id: agent.name, path: Object.freeze([agent.name]) }
      : { id: log[0].agent, path: log[0].path }
    const fold = yield* Effect.fromResult(foldState(log, author.id, sections))
    yield* Effect.fromResult(fold.finish(sections))
    const invocation = start._tag === "Input" ? invocationAfter(log) : log.at(-1)?.invocation ?? "i1"
    const used = usedBefore(log, invocation, author.id)
    const started = yield* Clock.currentTimeMillis
    const run = new Run({
      ref: { app: ref.app, user: ref.user, session: ref.session },
      store,
      model,
      sections,
      invocation,
      concurrency: Math.max(1, Math.floor(options.concurrency ?? 8) || 1),
      maxDepth: options.maxDepth ?? 8,
      answered: new Set(answers.map(({ question }) => question.call)),
      log,
      openChild,
      emit
    })
    const meter = new Meter(
      author.id,
      { ...agent.definition.limits, ...options.limits },
      undefined,
      started,
      used.elapsed
    )
    meter.resume(used)

    const ended = (status: Extract<Event.Event, { kind: "ended" }>["status"]) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => run.append(author, { kind: "ended", status, elapsed: now - started })
      )
    const giveUp = (exit: Exit.Exit<unknown, unknown>) => {
      // a session begins with its first event, not with an end
      if (run.log.length === 0) return Effect.void
      const cancelled = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      const result = failure("Cancelled", "the run ended before this call did")
      return Effect.ignore(Effect.andThen(closeAll(run, result), ended(cancelled ? "cancelled" : "failed")))
    }

    const outcome = yield* Effect.gen(function*() {
      yield* run.migrateShared()
      const open = (): Effect.Effect<Frame, Failure> =>
        openFrame({
          run,
          definition: agent.definition,
          contract: agent.contract,
          around: context,
          author,
          meter,
          prefix: `${invocation}.`,
          parent: undefined,
          values: fold.values
        })
      const added = yield* prepareLog(run, agent, author, fold)
      const isCut = start._tag === "Input" && unfinishedCalls(log).length > 0
      if (added !== undefined && (isCut || (start._tag === "Answers" && answers.length === 0))) {
        yield* run.append(author, addedSections(added))
      }
      if (isCut) {
        // what a crash left open is ended first, as each call allows
        const asked = yield* Effect.flatMap(open(), (frame) => frame.finishStep())
        if (asked.length > 0) return yield* new AgentError.QuestionsOpen({ open: asked })
        yield* closeAll(run, failure("OutcomeUnknown", "an earlier run ended while this call ran"))
      }
      yield* begin(run, author, fold, start, answers, isCut ? undefined : added)
      const frame = yield* open()
      return yield* frame.runHooked(start._tag === "Answers")
    }).pipe(
      Effect.onExit((exit) => Exit.isFailure(exit) ? giveUp(exit) : Effect.void)
    )

    if (outcome._tag === "Limited") {
      yield* closeAll(run, failure("LimitReached", outcome.error.message))
      yield* ended("failed")
      return yield* outcome.error
    }
    yield* ended(outcome._tag === "Completed" ? "completed" : "paused")
    if (outcome._tag === "Paused") yield* warnOfTemp(run, fold.values)
    const result = {
      invocation,
      session: yield* sessionOf(ref, run, fold),
      usage: {
        steps: meter.steps,
        toolCalls: meter.toolCalls,
        inputTokens: meter.inputTokens,
        outputTokens: meter.outputTokens
      }
    }
    return outcome._tag === "Completed"
      ? { _tag: "Completed", text: outcome.text, ...result }
      : { _tag: "Paused", open: outcome.open, ...result }
  }))

/** Checks every answer before the first is stored: a refusal changes nothing. */
const accepted = (
  agent: Agent.Any,
  answers: Extract<Start, { _tag: "Answers" }>["answers"],
  open: ReadonlyArray<Interrupt.Open>
) => {
  const byId = new Map(open.map((question) => [question.id, question]))
  const asks = asksOf(agent)
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
const addedSections = (sections: Readonly<Record<string, Event.Section>>): Event.Body => ({
  kind: "hook",
  middleware: "session",
  hook: "sections",
  delta: StateDelta.empty,
  sections
})

/** The events that a run starts with: its message, or its answers. */
const begin = Effect.fnUntraced(function*(
  run: Run,
  author: Author,
  fold: StateFold,
  start: Start,
  answers: ReadonlyArray<{ readonly question: Interrupt.Open; readonly json: Schema.Json }>,
  lacking: Readonly<Record<string, Event.Section>> | undefined
) {
  const added = lacking === undefined ? {} : { sections: lacking }
  if (start._tag === "Input") {
    const pending = pendingOf(start.state)
    const rows = yield* run.rowsOf(pending.map(({ field }) => field))
    yield* run.commit(author, fold.values, pending, new Map(), rows, (delta, shared) => ({
      kind: "input",
      message: start.message,
      delta,
      ...(shared !== undefined && { shared }),
      ...added
    }))
    return
  }
  for (const [index, { question, json }] of answers.entries()) {
    const asking = run.log.findLast((event) =>
      event.kind === "asked" && event.question.id === question.id
    ) as Event.Event
    yield* run.append({ id: asking.agent, path: asking.path }, {
      kind: "answered",
      question: question.id,
      answer: json,
      ...(index === 0 && added)
    })
  }
})

/** A pause ends temp fields: what must outlive it belongs into another scope. */
const warnOfTemp = (run: Run, values: ReadonlyMap<string, unknown>): Effect.Effect<void> => {
  const held = fieldsIn(run.options.sections)
    .filter(({ scope, name, initial }) => scope === "temp" && values.has(name) && values.get(name) !== initial)
    .map(({ name }) => name)
  return held.length === 0
    ? Effect.void
    : Effect.logWarning(`the pause ends the values of these temp fields: ${held.join(", ")}`)
}

/** The session as a run left it, with shared fields as they are now. */
const sessionOf = (ref: Ref, run: Run, { values, versions, unreadable }: StateFold) =>
  Effect.map(
    run.rowsOf(fieldsIn(run.options.sections)),
    (rows): Session.Session => ofFolds(ref, run.log, { values: withRows(values, rows), versions, unreadable })
  )

const failed = <A, R>(effect: Effect.Effect<A, AgentError.Reason, R>): Effect.Effect<A, AgentError.AgentError, R> =>
  Effect.mapError(effect, AgentError.make)

const inputOf = ({ input, state = [] }: RunOptions): Start => ({
  _tag: "Input",
  message: deepFreeze(
    Prompt.userMessage({ content: typeof input === "string" ? [Prompt.textPart({ text: input })] : input })
  ),
  state
})

const answersOf = (
  { answers }: { readonly answers: ReadonlyArray<Extract<Start, { _tag: "Answers" }>["answers"][number]> }
): Start => ({
  _tag: "Answers",
  answers
})

/**
 * Runs an agent on a message, up to its answer, a pause or a failure.
 *
 * **Details**
 *
 * A run requires everything that the agent's tree requires; `ToolContext.layer(agent, {…})` supplies the context keys.
 * While questions are open it is refused: `resume` answers them, `abandon` closes them.
 *
 * **Gotchas**
 *
 * One run at a time writes a session; a second one fails with `SessionBusy`.
 *
 * **Example** (A run with a scripted model)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help." })
 * const program = AgentRunner.run(Assistant, { session: "s-1", input: "Hello" }).pipe(
 *   Effect.provide([ScriptedModel.layer([ScriptedModel.text("Good day.")]), SessionStore.layerMemory])
 * )
 *
 * const result = await Effect.runPromise(program)
 * result._tag === "Completed" && result.text // => "Good day."
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const run = <A extends Agent.Any>(
  agent: A,
  options: RunOptions
): Effect.Effect<AgentResult, AgentError.AgentError, Requires<A>> =>
  failed(execute(agent, options, inputOf(options), undefined)) as Effect.Effect<
    AgentResult,
    AgentError.AgentError
  >

/**
 * Goes on after a pause, with some or all of the answers. It requires what `run` requires: the context is asked for
 * again, since it was never stored.
 *
 * @category running
 * @since 0.1.0
 */
export const resume = <A extends Agent.Any>(
  agent: A,
  options: ResumeOptions<A>
): Effect.Effect<AgentResult, AgentError.AgentError, Requires<A>> =>
  failed(execute(agent, options, answersOf(options), undefined)) as Effect.Effect<
    AgentResult,
    AgentError.AgentError
  >

/**
 * Runs an agent on a message, or goes on with answers, and shows what happens as it comes: parts of the model's answers,
 * events once they are stored, and at last the result. The same interpreter as `run` and `resume`; a slow reader slows
 * the run.
 *
 * @category running
 * @since 0.1.0
 */
export const stream = <A extends Agent.Any>(
  agent: A,
  options: RunOptions & { readonly answers?: never } | ResumeOptions<A> & { readonly input?: never }
): Stream.Stream<StreamItem, AgentError.AgentError, Requires<A>> =>
  Stream.unwrap(Effect.gen(function*() {
    const queue = yield* Queue.bounded<StreamItem, AgentError.AgentError | Cause.Done>(16)
    const emit: Emit = (item) =>
      Queue.offer(queue, "kind" in item ? { _tag: "Event", event: item } : { _tag: "Part", ...item })
    const start = options.input !== undefined ? inputOf(options) : answersOf(options)
    yield* failed(execute(agent, options, start, emit)).pipe(
      Effect.flatMap((result) => Queue.offer(queue, { _tag: "Result", result })),
      Effect.matchCauseEffect({
        onSuccess: () => Queue.end(queue),
        onFailure: (cause) => Queue.failCause(queue, cause)
      }),
      Effect.forkScoped
    )
    // runs before the run is cancelled: a reader that stops must not leave it waiting for room
    yield* Effect.addFinalizer(() => Queue.shutdown(queue))
    return Stream.fromQueue(queue)
  })) as Stream.Stream<StreamItem, AgentError.AgentError>

/**
 * Closes all open questions without answers: each call that waits gets an "abandoned" result, and the session takes
 * messages again.
 *
 * @category running
 * @since 0.1.0
 */
export const abandon = (agent: Agent.Any, options: Options): Effect.Effect<void, AgentError.AgentError, SessionStore> =>
  failed(Effect.scoped(Effect.gen(function*() {
    const store = yield* SessionStore
    const ref: Ref = { app: options.app ?? agent.name, user: options.user, session: options.session }
    yield* store.lease(ref)
    const events = yield* store.load(ref)
    if (Option.isNone(events)) return yield* new AgentError.SessionMissing(namesOf(ref))
    const time = yield* Clock.currentTimeMillis
    const result = failure("Abandoned", "the question that this call waited for was abandoned")
    const invocation = events.value.at(-1)?.invocation ?? "i1"
    const first = events.value.length
    // a hook's question has no call: the end of its run closes it
    const ended = foldQuestions(events.value).filter(({ hook }) => hook !== undefined).slice(0, 1).map(() => ({
      author: { id: rootOf(events.value), path: events.value[0]?.path ?? [] },
      body: { kind: "ended", status: "cancelled", elapsed: 0 } as const
    }))
    yield* store.append(ref, {
      expected: first,
      events: () =>
        [...closing(events.value, result, []), ...ended].map(({ author, body }, index) =>
          stamp(ref, author, invocation, body, first + index, time)
        )
    })
  })))
