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
import { type Cause, Clock, Effect, Option, Queue, type Schema, Stream } from "effect"
import { type LanguageModel, Prompt, type Response, type Tool as AiTool } from "effect/ai"
import type * as Agent from "./Agent.ts"
import * as AgentError from "./AgentError.ts"
import type * as Event from "./Event.ts"
import type { ToolCall } from "./internal/call.ts"
import { abandoning } from "./internal/closing.ts"
import { type Emit, execute } from "./internal/execute.ts"
import { foldQuestions } from "./internal/fold.ts"
import { deepFreeze } from "./internal/freeze.ts"
import { readLog } from "./internal/log.ts"
import { namesOf } from "./internal/session.ts"
import { endOfLog, stampAll } from "./internal/stamp.ts"
import { asksOf, encodeAnswer, type Start } from "./internal/start.ts"
import type * as Interrupt from "./Interrupt.ts"
import type * as Session from "./Session.ts"
import { type Ref, SessionStore } from "./SessionStore.ts"
import type * as State from "./State.ts"
import type * as ToolContext from "./ToolContext.ts"

// ===== types =================================================================

/** What the loop itself provides; the rest is the caller's. */
type Loop = State.AnyRight | State.AnyOwner | Interrupt.AnyAsks | ToolCall
/** What a tool asks of a run besides its requirements: its handler, and what its schemas need. */
type Handling<T> = T extends AiTool.Any ?
    | (AiTool.RequiresHandler<T> extends true ? HandlerOf<T["name"]> : never)
    | T["parametersSchema"]["DecodingServices"]
    | T["successSchema"]["EncodingServices"]
    | T["failureSchema"]["EncodingServices"]
  : T extends Agent.Delegate<string> ? never
  : Unlisted
/** Of a tool whose name is lost nobody can say whose handler it takes. */
type HandlerOf<Name extends string> = string extends Name ? Unlisted : AiTool.Handler<Name>
type Unlisted = "list these one by one, a wider type loses their names"

/**
 * What a run of an agent requires: its context keys and other services, what the schemas of its tools need, its
 * handlers, a model and a store.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Requires<A extends Agent.Any> =
  | Exclude<A["~needs"], Loop>
  | Handling<A["~tools"]>
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

type AnswerTo<Q> = Q extends Interrupt.Asks<infer Name, any, infer Type> ? Interrupt.Answer<Name, Type> : never

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
  /**
   * Tells the message from a second copy, for ever: the same key again is the same invocation. Where that goes on, the
   * second call waits for its end; it gets the stored answer or the open questions, and goes on with what failed.
   */
  readonly key?: string
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

/**
 * What is left for a session: a message, an answer or a cancellation, under a key.
 *
 * @category models
 * @since 0.1.0
 */
export type PostOptions<A extends Agent.Any> =
  & Pick<Options, "session" | "user" | "app">
  & { readonly key: string }
  & (
    | { readonly input: RunOptions["input"]; readonly answer?: never; readonly cancel?: never }
    | { readonly answer: Answers<A>; readonly input?: never; readonly cancel?: never }
    | { readonly cancel: true; readonly input?: never; readonly answer?: never }
  )

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
export interface Completed<out Output = unknown> extends ResultBase {
  readonly _tag: "Completed"
  /** Who answered, by name: the agent, or one that it transferred the conversation to. */
  readonly agent: string
  readonly text: string
  /** The value of the agent's output schema; the text where it has none. */
  readonly output: Output
}

/** Questions wait for their answers; `resume` goes on. @category models @since 0.1.0 */
export interface Paused extends ResultBase {
  readonly _tag: "Paused"
  readonly open: ReadonlyArray<Interrupt.Open>
}

/** How a run ended, when it did not fail. @category models @since 0.1.0 */
export type AgentResult<Output = unknown> = Completed<Output> | Paused

/**
 * What a stream shows: events as they are stored, and parts of the model's answers and preliminary results of calls as
 * they come.
 *
 * @category models
 * @since 0.1.0
 */
export type StreamItem<Output = unknown> =
  | { readonly _tag: "Event"; readonly event: Event.Event }
  | {
    readonly _tag: "Part"
    readonly agent: string
    readonly path: ReadonlyArray<string>
    readonly part: Response.AnyPart
  }
  /** The model is asked again: the parts of its answer so far count no more. */
  | { readonly _tag: "Discarded"; readonly agent: string; readonly path: ReadonlyArray<string> }
  /**
   * What a handler gave by `preliminary` before its result, encoded as that is: no event holds it, and the model never
   * sees it. A call that runs again shows it again.
   */
  | {
    readonly _tag: "Preliminary"
    readonly agent: string
    readonly path: ReadonlyArray<string>
    readonly call: string
    readonly tool: string
    readonly result: Schema.Json
  }
  | { readonly _tag: "Result"; readonly result: AgentResult<Output> }

// ===== running ===============================================================

const failed = <A, R>(effect: Effect.Effect<A, AgentError.Reason, R>): Effect.Effect<A, AgentError.AgentError, R> =>
  Effect.mapError(effect, AgentError.make)

const messageOf = (input: RunOptions["input"]): Prompt.UserMessage =>
  deepFreeze(Prompt.userMessage({ content: typeof input === "string" ? [Prompt.textPart({ text: input })] : input }))

const inputOf = ({ input, key, state = [] }: RunOptions): Start => ({
  _tag: "Input",
  message: messageOf(input),
  key,
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
 * While a call or a hook waits for an answer it is refused: `resume` answers, `abandon` closes. What a call left pending
 * holds up nothing.
 *
 * **Gotchas**
 *
 * One run at a time writes a session; a second one fails with `SessionBusy`, unless it is the same message again (`key`).
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
): Effect.Effect<AgentResult<A["~output"]>, AgentError.AgentError, Requires<A>> =>
  failed(execute(agent, options, inputOf(options), undefined)) as Effect.Effect<
    AgentResult<A["~output"]>,
    AgentError.AgentError
  >

/**
 * Goes on after a pause, with some or all of the answers; without any, with what was posted and waits. It requires what
 * `run` requires: the context is asked for again, since it was never stored.
 *
 * @category running
 * @since 0.1.0
 */
export const resume = <A extends Agent.Any>(
  agent: A,
  options: ResumeOptions<A>
): Effect.Effect<AgentResult<A["~output"]>, AgentError.AgentError, Requires<A>> =>
  failed(execute(agent, options, answersOf(options), undefined)) as Effect.Effect<
    AgentResult<A["~output"]>,
    AgentError.AgentError
  >

const itemOf = (item: Parameters<Emit>[0]): StreamItem => {
  if ("kind" in item) return { _tag: "Event", event: item }
  if ("preliminary" in item) {
    const { preliminary: result, ...call } = item
    return { _tag: "Preliminary", ...call, result }
  }
  const { agent, part, path } = item
  return part === undefined ? { _tag: "Discarded", agent, path } : { _tag: "Part", agent, path, part }
}

/**
 * Runs an agent on a message, or goes on with answers, and shows what happens as it comes: parts of the model's answers,
 * preliminary results of calls, events once they are stored, and at last the result. The same interpreter as `run` and
 * `resume`; a slow reader slows the run.
 *
 * @category running
 * @since 0.1.0
 */
export const stream = <A extends Agent.Any>(
  agent: A,
  options: RunOptions & { readonly answers?: never } | ResumeOptions<A> & { readonly input?: never }
): Stream.Stream<StreamItem<A["~output"]>, AgentError.AgentError, Requires<A>> =>
  Stream.unwrap(Effect.gen(function*() {
    const queue = yield* Queue.bounded<StreamItem, AgentError.AgentError | Cause.Done>(16)
    const emit: Emit = (item) => Queue.offer(queue, itemOf(item))
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
  })) as Stream.Stream<StreamItem<A["~output"]>, AgentError.AgentError>

/**
 * Leaves something for a session, without running an agent: a message, an answer to an open question, or the wish that
 * its run ends. It needs no lease.
 *
 * **Details**
 *
 * A run that is under way takes a message at its next step, an answer or a cancellation as soon as it comes. A call that
 * gets its answer while others still run goes on with it; a run does not pause where the answers are there. Where nobody
 * runs the session, what was posted waits: a `run` takes it before its own message, and a `resume` without answers goes
 * on with it. Messages wait while questions are open.
 *
 * A cancellation ends the run that is under way, or that would begin with what was posted before it: running tools are
 * cancelled, their calls closed, and the run fails with `RunCancelled`. Open questions stay open. One that finds no run is
 * recorded as refused.
 *
 * An answer is refused with `AnswerRefused` where no such question is open, or it does not fit. One that comes too late
 * all the same, since another was first, is recorded as refused in the session, and changes nothing.
 *
 * The key tells what is posted from a second copy, for ever: posting it again changes nothing.
 *
 * **Example** (A word in between)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help." })
 * const program = Effect.gen(function*() {
 *   yield* AgentRunner.post(Assistant, { session: "s-1", key: "m-1", input: "In German, please." })
 *   const { session } = yield* AgentRunner.run(Assistant, { session: "s-1", input: "Hello" })
 *   return session.history.length
 * }).pipe(Effect.provide([ScriptedModel.layer([ScriptedModel.text("Guten Tag.")]), SessionStore.layerMemory]))
 *
 * const messages = await Effect.runPromise(program)
 * messages // => 3
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const post = <A extends Agent.Any>(
  agent: A,
  options: PostOptions<A>
): Effect.Effect<void, AgentError.AgentError, SessionStore> =>
  failed(Effect.gen(function*() {
    const store = yield* SessionStore
    const { app = agent.name, key, session, user } = options
    const ref: Ref = { app, user, session }
    if (options.answer === undefined) {
      return yield* store.post(
        ref,
        options.input === undefined
          ? { kind: "cancellation", key }
          : { kind: "message", key, message: messageOf(options.input) }
      )
    }
    const log = yield* readLog(store, ref)
    if (Option.isNone(log)) return yield* new AgentError.SessionMissing(namesOf(ref))
    const { events } = log.value
    if (events.some((event) => "key" in event && event.key === key)) return
    const open = new Map(foldQuestions(events).map((question) => [question.id, question]))
    const { json, progress, question } = yield* Effect.fromResult(encodeAnswer(options.answer, open, asksOf(agent)))
    yield* store.post(ref, { kind: "answer", key, question: question.id, json, ...(progress && { progress }) })
  }))

/**
 * Gives up what a paused run waits for: each such call gets an "abandoned" result, and the session takes messages again.
 * A question that a call left pending stays open.
 *
 * @category running
 * @since 0.1.0
 */
export const abandon = (agent: Agent.Any, options: Options): Effect.Effect<void, AgentError.AgentError, SessionStore> =>
  failed(Effect.scoped(Effect.gen(function*() {
    const store = yield* SessionStore
    const ref: Ref = { app: options.app ?? agent.name, user: options.user, session: options.session }
    const lease = yield* store.lease(ref)
    const log = yield* readLog(store, ref)
    if (Option.isNone(log)) return yield* new AgentError.SessionMissing(namesOf(ref))
    const { events, revision } = log.value
    const time = yield* Clock.currentTimeMillis
    const { invocation } = endOfLog(events)
    yield* store.append(ref, {
      expected: revision,
      lease,
      events: () => stampAll(ref, invocation, abandoning(events), revision, time)
    })
  })))
