/**
 * The loop of one agent: model call, batch of calls, model call, … until an answer, a pause or a failure. Layer 5.
 *
 * A frame is rebuilt from the log, whether it starts, goes on after a pause, or is a sub-agent's: one code for all.
 */
import { Cause, Clock, Context, Effect, Exit, Result, type Schema } from "effect"
import { AiError, LanguageModel, Prompt, type Response } from "effect/ai"
import type { Script } from "../Agent.ts"
import {
  HookFailed,
  type LimitReached,
  ModelFailed,
  OutputInvalid,
  type RunCancelled,
  type StateError,
  type SubAgentFailed
} from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Open } from "../Interrupt.ts"
import type * as Middleware from "../Middleware.ts"
import type { Row, StoreError } from "../SessionStore.ts"
import type * as StateDelta from "../StateDelta.ts"
import { beginCall, type CallInProgress, hookProblem } from "./attempt.ts"
import { runBatch } from "./batch.ts"
import { ToolCall } from "./call.ts"
import { runIn } from "./context.ts"
import { foldHistory, type History, isComplete, type Step, stepOf, textOf, toolMessage, transferOf } from "./fold.ts"
import { CurrentFork, type Fork } from "./fork.ts"
import { deepFreeze, freezeMade } from "./freeze.ts"
import { generate } from "./generate.ts"
import { type Holders, receiverOf } from "./holders.ts"
import { changed, hooked, observe } from "./hooks.ts"
import { instructionsOf } from "./instructions.ts"
import { inWords } from "./json.ts"
import type { Meter } from "./meter.ts"
import { AgentModel } from "./model.ts"
import { type Output, outputOf } from "./output.ts"
import type { Plan, PlannedHook, PlannedTool } from "./plan.ts"
import { placeOf } from "./results.ts"
import { baseOf } from "./rows.ts"
import type { Delegation, Moment, Opened, Run } from "./run.ts"
import { partsOf, turnOf } from "./script.ts"
import type { Author } from "./stamp.ts"
import type { ToolContextError } from "./supply.ts"
import { agentSpan, chatSpan } from "./telemetry.ts"
import { isWhole } from "./transcript.ts"

/** Everything that can end a run but an answer or a pause. */
export type Failure =
  | HookFailed
  | ModelFailed
  | OutputInvalid
  | RunCancelled
  | StateError
  | StoreError
  | SubAgentFailed
  | ToolContextError

/** How an agent's loop ends, when nothing fails. */
export type Outcome =
  | {
    readonly _tag: "Completed"
    /** Who answered, by name. */
    readonly agent: string
    readonly text: string
    /** The encoded value of the agent's output schema, where it has one. */
    readonly output?: Schema.Json
    /** Its answer is that of the agents above it too. */
    readonly escalated?: boolean
  }
  | { readonly _tag: "Paused"; readonly open: ReadonlyArray<Open> }
  /** A limit of this agent's own, or of one above it, was reached. */
  | { readonly _tag: "Limited"; readonly meter: Meter; readonly error: LimitReached }

/** Another agent goes on with the conversation. */
interface Transferred {
  readonly _tag: "Transferred"
}

type Completed = Extract<Outcome, { readonly _tag: "Completed" }>
export type Paused = Extract<Outcome, { readonly _tag: "Paused" }>

type CommitBody = (delta: StateDelta.StateDelta, shared: Event.Shared | undefined) => Event.Body

const statuses = { Completed: "completed", Transferred: "transferred", Paused: "paused", Limited: "failed" } as const

const statusOf = (exit: Exit.Exit<Outcome | Transferred, unknown>): Middleware.RunEnd["status"] =>
  Exit.isFailure(exit) ? "failed" : statuses[exit.value._tag]

/** A pause of a hook ends the loop as one of a call does. */
const orPaused = <E extends Failure | Paused>(
  effect: Effect.Effect<Outcome | Transferred, E>
): Effect.Effect<Outcome | Transferred, Exclude<E, Paused>> =>
  Effect.catchIf(effect, (error): error is E & Paused => error._tag === "Paused", Effect.succeed) as Effect.Effect<
    Outcome | Transferred,
    Exclude<E, Paused>
  >

/** What failed first is what is told: a failure, then a limit. A pause holds the questions of calls and of a hook. */
const toldFirst = (
  ended: Exit.Exit<Outcome | Transferred, Failure>,
  cause: Cause.Cause<Failure | Paused>
): Effect.Effect<void, Failure | Paused> => {
  if (Exit.isFailure(ended)) return Effect.failCause(ended.cause)
  if (ended.value._tag === "Limited") return Effect.void
  const before = ended.value._tag === "Paused" ? ended.value.open : []
  return Effect.failCause(
    Cause.map(cause, (error) => error._tag === "Paused" ? { ...error, open: [...before, ...error.open] } : error)
  )
}

/** How often a model is asked again for an answer that fits. */
const corrections = 2

/** A conversation: what the agents that hold it in turn share. */
export interface Thread {
  readonly holders: Holders
  /** The loops of those who held it in this run. */
  readonly frames: Map<string, Frame>
  /** Encoded values of session and temp fields; shared ones are read from their rows. */
  readonly values: Map<string, Schema.Json>
  readonly history: History
  /** The operations on temp fields that a parent gets back. */
  readonly temp: Array<StateDelta.Operation>
}

/** What a frame is made of. */
export interface FrameOptions {
  readonly run: Run
  readonly plan: Plan
  readonly author: Author
  readonly meter: Meter
  /** What the call ids of this conversation begin with. */
  readonly prefix: string
  readonly parent: Frame | undefined
  /** Whose model an agent uses that has none of its own. */
  readonly above: Frame | undefined
  readonly thread: Thread
}

export class Frame {
  readonly run: Run
  readonly plan: Plan
  readonly author: Author
  readonly meter: Meter
  readonly prefix: string
  readonly depth: number
  /** Whose call this conversation answers. */
  readonly parent: Frame | undefined
  readonly thread: Thread
  readonly output: Output | undefined
  /** The agent's own model, or that of the one above it, or the run's. */
  readonly model: AgentModel
  /** The context of hooks outside of a call: who asks a model there asks the agent's. */
  readonly hookContext: Context.Context<never>
  /** What was wrong with the answers that the model gave since the last step. */
  private readonly misfits: Array<string> = []
  private fresh: Step | undefined

  constructor({ above, author, meter, parent, plan, prefix, run, thread }: FrameOptions) {
    this.run = run
    this.plan = plan
    this.author = author
    this.meter = meter
    this.prefix = prefix
    this.thread = thread
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.parent = parent
    const { context, definition } = plan
    this.output = definition.output && outputOf(definition.output)
    this.model = AgentModel.of(context, definition.name) ?? above?.model ??
      { name: undefined, provider: undefined, ...AgentModel.modelIn(context), model: run.options.model }
    this.hookContext = this.model.model === run.options.model
      ? context
      : Context.add(context, LanguageModel.LanguageModel, this.model.model)
    this.watch()
  }

  /** Its hooks on events see those that come from here on. */
  private watch(): void {
    const { author, plan, run } = this
    run.observe(author.id, plan.hooks.onEvent.length === 0 ? undefined : (event) => observe(this, event))
  }

  get name(): string {
    return this.plan.definition.name
  }

  /** What the ids of its hooks' questions begin with. */
  get place(): string {
    const [first] = this.thread.holders.keys()
    return this.name === first ? this.prefix : `${this.prefix}${this.name}.`
  }

  get values(): Map<string, Schema.Json> {
    return this.thread.values
  }

  get messages(): ReadonlyArray<Prompt.Message> {
    return this.thread.history.transcript.messages
  }

  /** The number of the invocation's last step. */
  private get steps(): number {
    const { invocation, number } = this.thread.history.last
    return invocation === this.run.options.invocation ? number : 0
  }

  /** The number that a call has in this agent's log. */
  numberOf(step: Step, position: number): number {
    return this.thread.history.calls - step.calls.length + position + 1
  }

  /** The id of the sub-agent that a call delegates to. */
  childId(number: number): string {
    return `${this.author.id}-sub-${number}`
  }

  // ----- what a batch needs ------------------------------------------------------

  /** Were the calls of this step asked for just now? Once they were run as far as they can go, it is as in a later run. */
  takeFresh(step: Step): boolean {
    const isFresh = this.fresh === step
    this.fresh = undefined
    return isFresh
  }

  /** What a fork reads under its own writes. */
  base(rows: ReadonlyMap<string, Row>): (name: string) => Schema.Json | undefined {
    return baseOf(this.values, rows)
  }

  /** The call as its handler sees it. */
  beginCall(call: Event.Call, fork: Fork, actions?: Event.CallEnded["actions"]): CallInProgress {
    const { ref, invocation } = this.run.options
    const { id: agent, path: agentPath } = this.author
    return beginCall(
      call,
      { agent, agentPath, ...ref, invocation, step: this.steps },
      this.thread.history.transcript,
      fork,
      actions
    )
  }

  /** Runs an Effect as a handler would run. */
  inCall<A>(
    planned: PlannedTool,
    call: Event.Call,
    fork: Fork,
    effect: Effect.Effect<A, never, any>
  ): Effect.Effect<A> {
    const { shape } = this.beginCall(call, fork)
    const context = Context.add(Context.add(planned.context, CurrentFork, fork), ToolCall, shape)
    return runIn(effect, context)
  }

  commit(fork: Fork, rows: ReadonlyMap<string, Row>, body: CommitBody): Effect.Effect<Event.Event, Failure> {
    const { author } = this
    return this.commitAll(fork, rows, (delta, shared) => [{ author, body: body(delta, shared) }])
  }

  /** Commits what an attempt did by several events at once; gives the first. */
  commitAll(
    fork: Fork,
    rows: ReadonlyMap<string, Row>,
    entries: Parameters<Run["commit"]>[1],
    after?: () => void
  ): Effect.Effect<Event.Event, Failure> {
    return Effect.map(this.run.commit({ values: this.values, fork, rows }, entries, after), ({ event, prepared }) => {
      for (const operation of prepared.temp) this.thread.temp.push(operation)
      return event
    })
  }

  /** Ends what an earlier run left open, as far as it can; gives the questions that are open then. */
  finishStep(): Effect.Effect<ReadonlyArray<Open>, Failure> {
    const { step } = this.thread.history
    if (step === undefined || isComplete(step)) return Effect.succeed([])
    return Effect.map(runBatch(this, step), (outcome) => outcome?._tag === "Paused" ? outcome.open : [])
  }

  /** The loop of whoever holds the conversation. */
  holding(): Effect.Effect<Frame, Failure> {
    const { history } = this.thread
    return Effect.map(this.run.options.openHolder(this, history.holder), (frame) => {
      history.holder = frame.name
      return frame
    })
  }

  /** Runs whoever holds the conversation, and each agent that it is transferred to, as far as they can go. */
  converse(resumed: boolean): Effect.Effect<Outcome, Failure> {
    return Effect.gen({ self: this }, function*() {
      let outcome = yield* (yield* this.holding()).runHooked(resumed)
      while (outcome._tag === "Transferred") {
        this.run.passOn(this.author.id)
        outcome = yield* (yield* this.holding()).runHooked(false)
      }
      return outcome
    })
  }

  /** The loop between the hooks of a run; after-hooks see how it ended, also when it failed. */
  private runHooked(resumed: boolean): Effect.Effect<Outcome | Transferred, Failure> {
    this.watch()
    const { ref, invocation } = this.run.options
    const start: Middleware.RunStart = { agent: this.author.id, session: ref.session, invocation, resumed }
    const { afterRun, beforeRun } = this.plan.hooks
    const looped = Effect.gen({ self: this }, function*() {
      for (const hook of beforeRun) {
        const answer = yield* hooked<Middleware.Answer | undefined>(this, hook, "", start)
        if (answer === undefined) continue
        yield* this.say(hook, answer)
        break
      }
      return yield* this.loop()
    }).pipe(
      orPaused,
      Effect.exit,
      Effect.flatMap((exit) => afterRun.length === 0 ? exit : this.finish(start, exit)),
      Effect.tap((outcome) => outcome._tag === "Completed" ? this.keep(outcome) : Effect.void),
      orPaused
    )
    return agentSpan(this, looped)
  }

  /** Runs the hooks after a run. An answer that one gives stands in place of a completed run's. */
  private finish(
    start: Middleware.RunStart,
    ended: Exit.Exit<Outcome | Transferred, Failure>
  ): Effect.Effect<Outcome | Transferred, Failure | Paused> {
    const end: Middleware.RunEnd = { ...start, status: statusOf(ended) }
    return Effect.gen({ self: this }, function*() {
      for (const hook of this.plan.hooks.afterRun) {
        const answer = yield* hooked<Middleware.Answer | undefined>(this, hook, `${this.steps}.`, end)
        if (answer !== undefined && end.status === "completed") yield* this.say(hook, answer)
      }
    }).pipe(
      Effect.catchCause((cause) => toldFirst(ended, cause)),
      Effect.andThen(
        Effect.flatMap(
          ended,
          (outcome): Effect.Effect<Outcome | Transferred, Failure> =>
            outcome._tag === "Completed" && this.thread.history.answered
              ? Effect.map(Effect.fromResult(this.completed(this.lastText)), (said) => ({ ...outcome, ...said }))
              : Effect.succeed(outcome)
        )
      )
    )
  }

  /** Writes an answer into the field that keeps it. */
  private keep({ output, text }: Completed): Effect.Effect<void, Failure | Paused> {
    const { keep } = this.plan
    if (keep === undefined || (output === undefined && text === "")) return Effect.void
    const value = output === undefined ? text : this.output?.decode(output)
    return hooked<void>(this, keep, `${this.steps}.`, value)
  }

  /** Appends an answer that a hook of the run gives. */
  private say(hook: PlannedHook, { parts }: Middleware.Answer): Effect.Effect<void, Failure> {
    const { step } = this.thread.history
    if ((step !== undefined && !isComplete(step)) || parts.some(({ type }) => type === "tool-call")) {
      return Effect.fail(hookProblem(hook, "its answer leaves calls without a result"))
    }
    if (step !== undefined) this.settle(step)
    this.meter.startModel()
    return this.answered(this.steps + 1, parts, "stop")
  }

  openChild(delegation: Delegation): Effect.Effect<Opened, Failure> {
    return this.run.options.openChild(this, delegation)
  }

  // ----- the model call ---------------------------------------------------------

  /** May the next model call be made? */
  private limit(): Effect.Effect<Outcome | undefined> {
    return Effect.map(Clock.currentTimeMillis, (now): Outcome | undefined => {
      const exceeded = this.meter.beforeModel(now)
      return exceeded && { _tag: "Limited", ...exceeded }
    })
  }

  /** Runs the hooks before a step. They take time and tokens, and others ask meanwhile: limits are checked again. */
  private beginStep(): Effect.Effect<Outcome | undefined, Failure | Paused> {
    const { beforeStep } = this.plan.hooks
    if (beforeStep.length === 0) return Effect.undefined
    const { invocation } = this.run.options
    const { transcript } = this.thread.history
    const number = this.steps + 1
    return Effect.gen({ self: this }, function*() {
      for (const hook of beforeStep) {
        const start: Middleware.StepStart = {
          agent: this.author.id,
          invocation,
          step: number,
          entries: transcript.entries,
          compactions: transcript.held,
          within: (range) => transcript.within(range, invocation)
        }
        const decided = yield* hooked<Middleware.Compact | undefined>(this, hook, `${number}.`, start)
        if (decided !== undefined) yield* this.compact(hook, decided)
      }
      return yield* this.limit()
    })
  }

  /** Appends what a hook puts in place of earlier messages. */
  private compact(hook: PlannedHook, { messages, range, usage }: Middleware.Compact): Effect.Effect<void, Failure> {
    const { transcript } = this.thread.history
    const reach = transcript.reach(range, this.run.options.invocation)
    if (reach === undefined) return Effect.void
    if (!isWhole(messages)) {
      return Effect.fail(hookProblem(hook, "its messages part a call from its result"))
    }
    const body: Event.Body = {
      kind: "compacted",
      middleware: hook.middleware,
      ...reach,
      messages: deepFreeze(messages),
      ...(usage !== undefined && { usage })
    }
    return Effect.map(this.run.append(this.author, body), ([event]) => {
      transcript.compact(event as Event.Compacted)
      if (usage !== undefined) this.meter.countModel(usage)
    })
  }

  private modelFailed(error: AiError.AiError): ModelFailed {
    this.meter.dropModel()
    return new ModelFailed({ agent: this.author.id, error })
  }

  private readonly modelCall: () => Effect.Effect<void, Failure | Paused> = Effect.fnUntraced(
    { self: this },
    function*() {
      const number = this.steps + 1
      const at = `${number}.`
      const { afterModel, beforeModel } = this.plan.hooks
      const told = yield* instructionsOf(this)
      let request: Middleware.ModelRequest = {
        agent: this.author.id,
        step: number,
        messages: told.concat(this.messages),
        tools: this.plan.toolNames
      }
      let given: Middleware.Answer | undefined
      for (const hook of beforeModel) {
        const decided = yield* Effect.onError(
          hooked<Middleware.Change | Middleware.Answer | undefined>(this, hook, at, request),
          () => Effect.sync(() => this.meter.dropModel())
        )
        if (decided?._tag === "Change") request = yield* changed(this.plan, hook, request, decided)
        if (decided?._tag === "Answer") given = decided
        if (given !== undefined) break
      }
      const { messages, tools } = request
      const correction = this.correction()
      const asked = given === undefined
        ? chatSpan(this, generate(this, { messages: correction ? [...messages, correction] : messages, tools }))
        : Effect.succeed(given.parts)
      let exit: Middleware.ModelOutcome["exit"] = afterModel.length === 0
        ? Exit.succeed(yield* Effect.mapError(asked, (error) => this.modelFailed(error)))
        : yield* Effect.exit(asked)
      for (const hook of afterModel) {
        const answer = yield* hooked<Middleware.Answer | undefined>(this, hook, at, { ...request, exit })
        if (answer !== undefined) exit = Exit.succeed(answer.parts)
      }
      if (Exit.isFailure(exit)) {
        return yield* Effect.failCause(
          Cause.map(exit.cause, (error) => AiError.isAiError(error) ? this.modelFailed(error) : error)
        )
      }
      yield* this.answered(number, exit.value, "unknown", tools === this.plan.toolNames ? undefined : tools)
    }
  )

  /** What a script says in place of a model. */
  private scripted(script: Script): Effect.Effect<void, Failure> {
    // how a task is put into words is the author's
    const said = Effect.catchDefect(
      Effect.suspend(() => Effect.fromResult(partsOf(this, script))),
      (defect) => Effect.fail(new HookFailed({ middleware: this.name, hook: "task", problem: placeOf(defect) }))
    )
    return Effect.flatMap(said, (parts) => this.answered(this.steps + 1, parts, "stop"))
  }

  /** Appends what the model said before any handler starts. */
  private answered(
    number: number,
    parts: ReadonlyArray<Response.AnyPart>,
    unfinished: Event.Model["finish"],
    shown?: ReadonlyArray<string>
  ): Effect.Effect<void, Failure> {
    // frozen: handlers, hooks and readers of the log all see these very messages
    const own = parts.flatMap((part) =>
      part.type === "tool-approval-request"
        ? []
        : [part.type === "tool-call" ? { ...part, params: deepFreeze(part.params ?? {}) } : part]
    )
    const said = Object.freeze(Prompt.fromResponseParts(own).content.map(freezeMade))
    const finish = parts.find((part) => part.type === "finish")
    const usage: Event.Usage = {
      inputTokens: finish?.usage.inputTokens.total ?? 0,
      outputTokens: finish?.usage.outputTokens.total ?? 0
    }
    const calls = own.filter((part) => part.type === "tool-call").filter((part) => !part.providerExecuted)
      .map((part, position): Event.Call => ({
        id: `${this.prefix}${number}.${position + 1}`,
        providerId: part.id,
        tool: part.name,
        // a handler gets what was decoded of it, and a schema need not copy
        parameters: part.params,
        ...(!this.plan.tools.has(part.name) && { unknown: true as const })
      }))
    return Effect.map(
      this.run.append(this.author, {
        kind: "model",
        step: number,
        messages: said,
        calls,
        usage,
        finish: finish?.reason ?? unfinished,
        ...(shown !== undefined && { shown })
      }),
      ([event]) => {
        const { history } = this.thread
        this.meter.countModel(usage)
        history.last = { number, invocation: event?.invocation ?? "" }
        history.calls += calls.length
        history.said = said
        history.step = stepOf(event as Event.Model)
        history.transcript.add(event as Event.Model, history.step)
        history.answered = history.step === undefined
        this.fresh = history.step
      }
    )
  }

  // ----- the loop ---------------------------------------------------------------

  /** The text of what the model said last. */
  private get lastText(): string {
    return this.thread.history.said.map(textOf).join("")
  }

  /** Ends a step whose calls all have results; tells whether the invocation ends with it. */
  private settle(step: Step): Result.Result<Outcome | Transferred, OutputInvalid> | undefined {
    const { history } = this.thread
    history.transcript.answer(step, toolMessage(step))
    history.step = undefined
    const named = transferOf(step)
    // who hands over to itself goes on
    const to = named === this.name ? undefined : named
    if (to !== undefined) history.holder = to
    // a script knows by itself when it is over
    if (this.plan.definition.script !== undefined) return undefined
    const ended = step.calls.map(({ id }) => step.results.get(id) as Event.CallEnded)
    const last = (asked: (actions: Event.CallEnded["actions"]) => boolean | undefined) =>
      ended.findLast(({ actions }) => asked(actions) === true)
    const shown = last(({ skipSummarization }) => skipSummarization)
    const escalated = last(({ escalate }) => escalate)
    if (shown === undefined && escalated === undefined && last(({ end }) => end) === undefined) {
      return to === undefined ? undefined : Result.succeed({ _tag: "Transferred" })
    }
    const said = shown === undefined ? this.lastText : ""
    const result = shown ?? (said === "" ? escalated : undefined)
    const text = result === undefined ? said : inWords(result.result.value)
    return Result.map(
      this.completed(text, result?.result.value),
      (completed) => escalated === undefined ? completed : { ...completed, escalated: true }
    )
  }

  /** The end of an agent that answers with a text, or with the value in it. */
  private completed(
    text: string,
    value?: unknown
  ): Result.Result<Completed, OutputInvalid> {
    const agent = this.name
    if (this.output === undefined) return Result.succeed({ _tag: "Completed", agent, text })
    return Result.mapBoth(value === undefined ? this.output.read(text) : this.output.fit(value), {
      onSuccess: (output) => ({ _tag: "Completed", agent, text, output } as const),
      onFailure: (problem) => new OutputInvalid({ agent: this.author.id, problem })
    })
  }

  /** Tells the model what was wrong with its answer, in this call alone. */
  private correction(): Prompt.Message | undefined {
    const problem = this.thread.history.answered ? undefined : this.misfits.at(-1)
    if (problem === undefined) return undefined
    const text = `Your answer does not fit the JSON Schema: ${problem}\nAnswer again, with JSON alone.`
    return Prompt.userMessage({ content: [Prompt.textPart({ text })] })
  }

  /** Lets messages, and answers to pending calls, that came meanwhile join; tells whether there were any. */
  join(moment: Moment = "between"): Effect.Effect<boolean, Failure> {
    return Effect.map(this.run.take(moment, this.author), (isNew) => {
      if (isNew) {
        Object.assign(this.thread.history, foldHistory(this.run.log, this.author.id))
        this.misfits.length = 0
      }
      return isNew
    })
  }

  /** May messages join now? A script is told what it began with, and who answers once leaves the next to others. */
  private get mayJoin(): boolean {
    const { history, holders } = this.thread
    return this.depth === 0 &&
      (history.answered ? receiverOf(holders, this.name) === this.name : this.plan.definition.script === undefined)
  }

  /** Lets what came with the answer join; who gets the next message goes on. */
  joinNext(): Effect.Effect<boolean, Failure> {
    const { history, holders } = this.thread
    const passOn = Effect.sync(() => {
      history.holder = receiverOf(holders, history.holder)
    })
    return passOn.pipe(
      Effect.andThen(this.holding()),
      Effect.flatMap((frame) => frame.join("answered")),
      Effect.tap(passOn)
    )
  }

  private loop(): Effect.Effect<Outcome | Transferred, Failure | Paused> {
    const { history } = this.thread
    const { script } = this.plan.definition
    return Effect.gen({ self: this }, function*() {
      while (true) {
        const { step } = history
        if (step !== undefined) {
          if (!isComplete(step)) {
            const ended = yield* runBatch(this, step)
            if (ended !== undefined) return ended
          }
          const settled = this.settle(step)
          if (settled !== undefined) return yield* Effect.fromResult(settled)
          this.misfits.length = 0
          continue
        }
        // a message that came meanwhile joins here
        const isJoined = this.mayJoin && (yield* this.join())
        if (history.answered && !isJoined) {
          const completed = this.completed(this.lastText)
          if (Result.isSuccess(completed)) {
            this.misfits.length = 0
            return script !== undefined && script.escalates(turnOf(this))
              ? { ...completed.success, escalated: true }
              : completed.success
          }
          if (script !== undefined || this.misfits.push(completed.failure.problem) > corrections) {
            return yield* completed.failure
          }
          history.answered = false
        }
        const limited = (yield* this.limit()) ?? (yield* this.beginStep())
        if (limited !== undefined) return limited
        this.meter.startModel()
        yield* script === undefined ? this.modelCall() : this.scripted(script)
      }
    })
  }
}
