/**
 * One agent in a run: what its loop stands on, and what it shares with those that hold the conversation in turn. Layer 5.
 *
 * A frame is rebuilt from the log, whether it starts, goes on after a pause, or is a sub-agent's: one code for all.
 */
import { Context, Effect, type Schema } from "effect"
import { LanguageModel, type Prompt } from "effect/ai"
import type {
  HookFailed,
  LimitReached,
  ModelFailed,
  OutputInvalid,
  RunCancelled,
  StateError,
  SubAgentFailed
} from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Open } from "../Interrupt.ts"
import type { Row, StoreError } from "../SessionStore.ts"
import type * as StateDelta from "../StateDelta.ts"
import { runBatch } from "./batch.ts"
import { ToolCall } from "./call.ts"
import { runIn } from "./context.ts"
import { CurrentFork, type Fork } from "./fork.ts"
import { foldHistory, type History, isComplete, type Step } from "./history.ts"
import { type Holders, receiverOf } from "./holders.ts"
import { observe } from "./hooks.ts"
import { converse } from "./loop.ts"
import type { Meter } from "./meter.ts"
import { AgentModel } from "./model.ts"
import { type Output, outputOf } from "./output.ts"
import type { Plan, PlannedTool } from "./plan.ts"
import { CallInProgress } from "./progress.ts"
import { baseOf } from "./rows.ts"
import type { Delegation, Moment, Opened, Run } from "./run.ts"
import type { Author } from "./stamp.ts"
import type { ToolContextError } from "./supply.ts"

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

export type Completed = Extract<Outcome, { readonly _tag: "Completed" }>
export type Paused = Extract<Outcome, { readonly _tag: "Paused" }>

type CommitBody = (delta: StateDelta.StateDelta, shared: Event.Shared | undefined) => Event.Body

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
  readonly misfits: Array<string> = []
  /** A step whose calls were asked for just now. */
  fresh: Step | undefined

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
  watch(): void {
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
  get steps(): number {
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
    const { ref: { app, user, session }, invocation } = this.run.options
    const { id: agent, path: agentPath } = this.author
    const at = { agent, agentPath, app, user, session, invocation, step: this.steps }
    return new CallInProgress(call, at, this.thread.history.transcript, fork, actions)
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
    return converse(this, resumed)
  }

  openChild(delegation: Delegation): Effect.Effect<Opened, Failure> {
    return this.run.options.openChild(this, delegation)
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
  get mayJoin(): boolean {
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
}
