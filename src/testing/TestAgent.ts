/**
 * An agent, a tool, a middleware or a sub-agent under test: what it does with a message, told call by call.
 *
 * A test says what the subject must be given, as its types say, and what the model says. It runs in memory, by the clock
 * that the test has (effect's `TestClock`, say), and gives the same ids each time. It knows no test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Context, Data, Effect, Layer, MutableRef, Random, Result, Schema, type Scope } from "effect"
import { LanguageModel, type Tool as AiTool } from "effect/ai"
import type * as Agent from "../Agent.ts"
import type { AgentError } from "../AgentError.ts"
import * as AgentRunner from "../AgentRunner.ts"
import type * as Event from "../Event.ts"
import { jsonCodec } from "../internal/json.ts"
import type { Named } from "../internal/types.ts"
import type * as Interrupt from "../Interrupt.ts"
import * as Session from "../Session.ts"
import { layerMemory, type SessionStore } from "../SessionStore.ts"
import type * as State from "../State.ts"
import * as ToolContext from "../ToolContext.ts"
import { lines } from "./internal/lines.ts"
import type { NeedsOf, ToolsOf } from "./internal/needs.ts"
import { actionsIn, type Asked, type Call, callsIn, type Delta, deltasIn } from "./internal/record.ts"
import { collecting, type Span } from "./internal/spans.ts"
import { agentOf, type AnySubject, assignments, below, mocked, type Placing } from "./internal/subject.ts"
import * as ScriptedModel from "./ScriptedModel.ts"

// ===== what is tested ========================================================

/** What can be put under test: an agent, a sub-agent, a middleware, a toolkit or a tool. @category models @since 0.1.0 */
export type Subject = AnySubject

/** The agent that a test runs: the subject itself, or the smallest one that has it. @category utility types @since 0.1.0 */
export type AgentOf<D> = D extends Agent.Any ? D : Agent.Agent<"agent", NeedsOf<D>, Extract<ToolsOf<D>, Named>>

/** The values that a session can start with, by the full names of fields. @category utility types @since 0.1.0 */
export type Start<D> = Partial<State.Start<NeedsOf<D>>>

/** The names of the tools that take a handler. */
type Handled<T> = T extends AiTool.Any ? AiTool.RequiresHandler<T> extends true ? T["name"] : never : never

/** The handler of one of a subject's tools. */
type Handler<T> = T extends AiTool.Any ? (
    parameters: AiTool.Parameters<T>
  ) => Effect.Effect<AiTool.Success<T>, AiTool.Failure<T>, AiTool.HandlerServices<T>>
  : never

/** What a test supplies itself, beside its mocks and layers. */
type Supplied = ToolContext.AnyKey | LanguageModel.LanguageModel | SessionStore

type Keys<D> = ToolContext.Supply<NeedsOf<D>> extends infer Values
  ? {} extends Values ? { readonly context?: Values } : { readonly context: Values }
  : never

/**
 * What a test gives its subject. Leaving out a context key is a compile error that names it.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<D, Mocked extends string = never, Out = never, E = never, In = never> =
  & Keys<D>
  & {
    /** What the model says; a run may bring a script of its own. */
    readonly script?: ScriptedModel.Script
    /** The values that the session starts with, by the full names of fields; the others have their initial ones. */
    readonly state?: Start<D>
    /** Handlers and other services. */
    readonly layer?: Layer.Layer<Out, E, In>
    /** Handlers for the tools that the test is not about, by name. */
    readonly mocks?: { readonly [N in Mocked]: Handler<Extract<ToolsOf<D>, { readonly name: N }>> }
    /** Where the subject stands; alone, where nothing is said. */
    readonly place?: Place
    readonly limits?: Agent.Limits
    /** How many calls of a step may run at once. */
    readonly concurrency?: number
    /** Whose session it is; `"user"` otherwise. */
    readonly user?: string
    /** What effect's `Random` draws from in the runs. */
    readonly seed?: string | number
  }

// ===== what came out =========================================================

export type { Asked, Call, Delta, Span }

/**
 * What happened between a message, or answers, and the end of a run.
 *
 * @category models
 * @since 0.1.0
 */
export interface Run {
  readonly events: ReadonlyArray<Event.Event>
  /** The calls that ended or were asked for, in the order in which models asked. */
  readonly calls: ReadonlyArray<Call>
  /** What calls and hooks did to State, in the order in which it was stored. */
  readonly deltas: ReadonlyArray<Delta>
  /** What calls asked of the loop. */
  readonly actions: ReadonlyArray<Asked>
  /** In the order in which they began. */
  readonly spans: ReadonlyArray<Span>
  /** What the model was asked. */
  readonly requests: ReadonlyArray<ScriptedModel.Request>
  /** State as the run left it: `run.state.get(Search.count)`. */
  readonly state: Session.SessionState
  /** The questions that wait for an answer. */
  readonly open: ReadonlyArray<Interrupt.Open>
}

/** A run that ended with an answer, or paused. @category models @since 0.1.0 */
export interface Ended<out Output> extends Run {
  readonly result: AgentRunner.AgentResult<Output>
  /** The agent's answer; empty where it paused. */
  readonly text: string
}

/** A run of one call. @category models @since 0.1.0 */
export interface Called<out Success> extends Ended<unknown> {
  /** What the handler gave; `undefined` where the call failed or waits. */
  readonly value: Success | undefined
}

/** A run that failed, with what happened until then; its message tells all of it. @category errors @since 0.1.0 */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly error: AgentError
  readonly run: Run
}> {
  override get message(): string {
    return `${this.error.message}\n\n${transcript(this.run)}`
  }
}

/**
 * A subject in a session of its own.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestAgent<in out A extends Agent.Any> {
  /** Says something to the agent. */
  readonly run: (
    input: AgentRunner.RunOptions["input"],
    options?: { readonly script?: ScriptedModel.Script; readonly state?: ReadonlyArray<State.Assignment> }
  ) => Effect.Effect<Ended<A["~output"]>, RunFailed>
  /** Answers the questions that a pause left open. */
  readonly resume: (
    answers: ReadonlyArray<AgentRunner.Answers<A>>,
    options?: { readonly script?: ScriptedModel.Script }
  ) => Effect.Effect<Ended<A["~output"]>, RunFailed>
  /** Has the model call one of the agent's own tools, once, with these arguments, and then say nothing more. */
  readonly call: <T extends Extract<A["~tools"], AiTool.Any>>(
    tool: T,
    parameters: AiTool.Parameters<T>
  ) => Effect.Effect<Called<AiTool.Success<T>>, RunFailed>
  /** The whole session. */
  readonly session: Effect.Effect<Session.Session>
}

// ===== places ================================================================

/**
 * Where a subject stands: alone, or in a sub-agent of somebody else's.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place {
  readonly name: string
  readonly "~placing": Placing | undefined
}

/** A field that a subject writes, and that a parent may take back from it. */
type Returned<D> = {
  readonly name: Extract<NeedsOf<D>, State.Write<string, any> | State.Combine<string, any>>["name"]
  readonly "~writes": any
  readonly "~parameter"?: never
}

/**
 * The two places that a subject may stand in, so that one test of it runs in both: its writes go to the agent that it
 * belongs to, or, in a sub-agent, to a copy of the parent's state, of which only the fields in `returns` come back.
 *
 * **Details**
 *
 * `calls`, `deltas` and `actions` of a run are those of the subject in either place; `state` is the parent's, so a field
 * that does not come back is as it was. `context` and `script` are the same in both.
 *
 * @category places
 * @since 0.1.0
 */
export const places = <D extends Subject>(
  _subject: D,
  options?: {
    /** The fields whose operations come back to the parent. */
    readonly returns?: ReadonlyArray<Returned<D>>
    /** Which of the parent's states the sub-agent starts from. */
    readonly snapshot?: "spawn" | "step"
  }
): readonly [Place, Place] => [
  { name: "as the agent's own", "~placing": undefined },
  { name: "in a sub-agent", "~placing": { returns: options?.returns ?? [], snapshot: options?.snapshot ?? "spawn" } }
]

// ===== constructors ==========================================================

/** What the tests of one subject share. */
interface World {
  readonly agent: Agent.Any
  readonly subject: Agent.Any
  readonly ref: { readonly app: string; readonly user: string; readonly session: string }
  readonly context: Context.Context<never>
  readonly bounds: { readonly limits?: Agent.Limits; readonly concurrency?: number }
  readonly seed: string | number
  readonly first: ReadonlyArray<State.Assignment>
  /** What it said last: answers go on with that. */
  readonly last: MutableRef.MutableRef<Scripted>
}

/** What a test gives, whatever the subject. */
interface Given extends Omit<Options<never>, "context" | "layer" | "mocks" | "state"> {
  readonly context?: object
  readonly layer?: Layer.Layer<never, unknown>
  readonly mocks?: Readonly<Record<string, unknown>>
  readonly state?: Readonly<Record<string, unknown>>
}

type Scripted = Effect.Success<ReturnType<typeof ScriptedModel.make>>

/** A script that a run brings, or what is said otherwise. */
const scriptedBy = (script: ScriptedModel.Script | undefined, otherwise: Scripted): Effect.Effect<Scripted> =>
  script === undefined ? Effect.succeed(otherwise) : ScriptedModel.make(script)

const emptySession = (agent: Agent.Any): Session.Session => Result.getOrThrow(Session.fold([], agent))

const sessionOf = ({ agent, context, ref }: World): Effect.Effect<Session.Session> =>
  Session.load(ref, agent).pipe(
    Effect.catchTag("SessionMissing", () => Effect.sync(() => emptySession(agent))),
    Effect.orDie,
    Effect.provideContext(context as Context.Context<SessionStore>)
  )

/** Runs the agent, and tells what happened since. */
const told = Effect.fnUntraced(function*<A extends AgentRunner.AgentResult>(
  world: World,
  script: Scripted,
  run: (options: AgentRunner.Options, isFirst: boolean) => Effect.Effect<A, AgentError, any>
) {
  const { agent, bounds, context, ref, seed, subject } = world
  const { revision } = yield* sessionOf(world)
  const { model, requests } = MutableRef.set(world.last, script).current
  const asked = requests.length
  const { spans, tracer } = collecting()
  const exit = yield* run({ ...bounds, ...ref }, revision === 0).pipe(
    Effect.withTracer(tracer),
    Random.withSeed(`${seed} ${revision}`),
    Effect.updateContext((around: Context.Context<never>) =>
      Context.add(Context.merge(around, context), LanguageModel.LanguageModel, model) as Context.Context<any>
    ),
    Effect.result
  )
  const session = yield* sessionOf(world)
  const events = session.events.slice(revision)
  const own = agent === subject ? (_: Event.Event) => true : ({ path }: Event.Event) => path.length > 1
  const what: Run = {
    events,
    calls: callsIn(session.events.filter(own), events),
    deltas: deltasIn(events.filter(own)),
    actions: actionsIn(events.filter(own)),
    spans: spans(),
    requests: requests.slice(asked),
    state: Result.isSuccess(exit) ? exit.success.session.state : session.state,
    open: session.open
  }
  if (Result.isFailure(exit)) return yield* new RunFailed({ error: exit.failure, run: what })
  const result: AgentRunner.AgentResult = exit.success
  return { ...what, result, text: result._tag === "Completed" ? result.text : "" }
})

const encoded = (tool: AiTool.Any, parameters: unknown): unknown =>
  Schema.isSchema(tool.parametersSchema)
    ? Schema.encodeUnknownSync(jsonCodec(tool.parametersSchema))(parameters)
    : parameters

/** The value that a call gave, decoded. */
const valueIn = (tool: AiTool.Any, calls: ReadonlyArray<Call>): Effect.Effect<unknown> => {
  const call = calls.find((each) => each.tool === tool.name)
  return call?.status === "succeeded"
    ? Effect.orDie(Schema.decodeUnknownEffect(jsonCodec(tool.successSchema))(call.value))
    : Effect.undefined
}

/**
 * Puts a subject into a session of its own, in memory.
 *
 * **Details**
 *
 * It requires the handlers and services that neither `layer` nor `mocks` give. A tool, a toolkit, a middleware and a
 * sub-agent get a small agent around them, by the name `"agent"`.
 *
 * Time is the test's: under effect's `TestClock`, time-outs and delays pass with `TestClock.adjust`. Ids of calls, events
 * and spans are counted, and effect's `Random` is seeded, so two runs of a test tell the same, also side by side.
 *
 * **Example** (A tool)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Reducer, State, Tool, ToolContext } from "tenon"
 * import { TestAgent } from "tenon/testing"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 * const Find = Tool.make("find", {
 *   parameters: Schema.Struct({ query: Schema.String }),
 *   success: Schema.String,
 *   context: [Env.tenant],
 *   combines: [Search.count]
 * })
 * const find = ({ query }: { readonly query: string }) =>
 *   Effect.andThen(Search.count.combine(1), Effect.map(Env.tenant, (tenant) => `${query} of ${tenant}`))
 *
 * const program = Effect.gen(function*() {
 *   const test = yield* TestAgent.make(Find, { context: { tenant: "acme" }, mocks: { find } })
 *   const run = yield* test.call(Find, { query: "tea" })
 *   return [run.value, run.state.get(Search.count)]
 * })
 *
 * const told = await Effect.runPromise(Effect.scoped(program))
 * told // => ["tea of acme", 1]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <D extends Subject, Mocked extends Handled<ToolsOf<D>> = never, Out = never, E = never, In = never>(
  subject: D,
  options: Options<D, Mocked, Out, E, In>
): Effect.Effect<
  TestAgent<AgentOf<D>>,
  ToolContext.ToolContextError | E,
  Exclude<AgentRunner.Requires<AgentOf<D>>, Supplied | AiTool.Handler<Mocked> | Out> | In | Scope.Scope
> =>
  Effect.gen(function*() {
    const {
      concurrency,
      context: values = {},
      layer,
      limits,
      mocks = {},
      place,
      seed = "tenon",
      script = [],
      state = {},
      user = "user"
    } = options as unknown as Given
    const under = agentOf(subject)
    const placing = place?.["~placing"]
    const agent = placing === undefined ? under : below(under, placing)
    const around = yield* Effect.context()
    const given = yield* Layer.build(Layer.mergeAll(
      layer ?? Layer.empty,
      ToolContext.layer(agent, values as never),
      layerMemory
    ))
    const mocking = yield* Layer.build(mocked(under, mocks))
    const scripted = yield* ScriptedModel.make(script)
    const world: World = {
      agent,
      subject: under,
      ref: { app: "app", user, session: "session" },
      context: Context.mergeAll(around, given, mocking),
      bounds: { ...(limits !== undefined && { limits }), ...(concurrency !== undefined && { concurrency }) },
      seed,
      first: assignments(agent, state),
      last: MutableRef.make(scripted)
    }
    const run: TestAgent<Agent.Any>["run"] = (input, { script, state = [] } = {}) =>
      Effect.flatMap(scriptedBy(script, scripted), (said) =>
        told(world, said, (where, isFirst) =>
          AgentRunner.run(agent, { ...where, input, state: isFirst ? [...world.first, ...state] : state })))
    const test: TestAgent<Agent.Any> = {
      run,
      resume: (answers, { script } = {}) =>
        Effect.flatMap(
          Effect.suspend(() =>
            scriptedBy(script, world.last.current)
          ),
          (said) => told(world, said, (where) => AgentRunner.resume(agent, { ...where, answers }))
        ),
      call: (tool: AiTool.Any, parameters) =>
        Effect.suspend(() => {
          if (!under.definition.tools.has(tool.name)) {
            throw new TypeError(`'${under.name}' has no tool '${tool.name}' of its own`)
          }
          const script = [ScriptedModel.call(tool.name, encoded(tool, parameters)), ScriptedModel.text("")]
          return Effect.flatMap(run(`Call ${tool.name}.`, { script }), (ran) =>
            Effect.map(valueIn(tool, ran.calls), (value) => ({ ...ran, value })))
        }) as never,
      session: sessionOf(world)
    }
    return test
  }) as never

// ===== showing ===============================================================

/**
 * What happened in a run, for people: what was said, each call with its result, what it did to State and what it asked
 * for; a sub-agent's further in.
 *
 * @category showing
 * @since 0.1.0
 */
export const transcript = ({ events }: Pick<Run, "events">): string => lines(events).join("\n")

/**
 * Makes assertions on a run, with whatever library; where one throws, its message tells what happened in the run.
 *
 * @category showing
 * @since 0.1.0
 */
export const check = <R extends Run>(run: R, assertions: (run: R) => void): Effect.Effect<void> =>
  Effect.sync(() => {
    try {
      assertions(run)
    } catch (error) {
      if (error instanceof Error) error.message += `\n\n${transcript(run)}`
      throw error
    }
  })
