/**
 * Runs an agent on a set of cases, again and again where it should, and scores what comes out.
 *
 * A case is what a user says and what is expected; scorers measure, of a case or of all. Each run has a session, a store and
 * whatever else it should have of its own. One that fails, times out or asks what nobody answers is a line of the report,
 * and stops no other.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Cause, Clock, type Duration, Effect, Layer, Option, Schema } from "effect"
import type * as Agent from "../Agent.ts"
import { AgentError } from "../AgentError.ts"
import * as AgentRunner from "../AgentRunner.ts"
import { oneByName } from "../internal/contract.ts"
import { decodeJson, inWords } from "../internal/json.ts"
import { unlessCancelled } from "../internal/results.ts"
import { asksOf } from "../internal/start.ts"
import type { Part } from "../internal/types.ts"
import type * as Interrupt from "../Interrupt.ts"
import * as SessionStore from "../SessionStore.ts"
import type * as State from "../State.ts"
import * as ToolContext from "../ToolContext.ts"
import * as EvaluationReport from "./EvaluationReport.ts"
import type * as Scorer from "./Scorer.ts"
import * as Trajectory from "./Trajectory.ts"

// ===== models ================================================================

type Asks<A extends Agent.Any> = Part<A["~needs"], Interrupt.AnyAsks>

/** An answer, or a function of the decoded question. */
type AnswerTo<Q> = Q extends Interrupt.Asks<string, infer Question, infer Answer>
  ? Answer | ((question: Question) => Answer)
  : never

/** Answers to an agent's questions, by the interrupt's name, each the same for all of them or a function of the question. @category utility types @since 0.1.0 */
export type Answers<A extends Agent.Any> =
  & { readonly [Q in Asks<A> as Exclude<Q["name"], "approval">]?: AnswerTo<Q> }
  & {
    readonly approval?:
      | Interrupt.Decision
      | ((question: (typeof Interrupt.Approval)["question"]["Type"]) => Interrupt.Decision)
  }

/** What a case supplies: a value for each context key that the agent requires; nothing where it requires none. */
type Supplying<A extends Agent.Any> = [keyof ToolContext.Supply<A["~needs"]>] extends [never]
  ? { readonly context?: {} }
  : { readonly context: ToolContext.Supply<A["~needs"]> }

/**
 * A conversation that an agent is measured by.
 *
 * @category models
 * @since 0.1.0
 */
export type Case<A extends Agent.Any, R = never> = Supplying<A> & {
  /** One a set. */
  readonly name: string
  /** What the user says, message by message, each with what is expected after it. */
  readonly turns: ReadonlyArray<string | Scorer.Turn>
  readonly user?: string
  /** What the session begins with. */
  readonly state?: ReadonlyArray<State.Assignment>
  readonly answers?: Answers<A>
  /** Besides those of the set. */
  readonly scorers?: ReadonlyArray<Scorer.Scorer<A["~output"], R>>
}

/** What the scorers of cases require. */
type ScorerNeeds<C> = C extends { readonly scorers?: infer S }
  ? NonNullable<S> extends ReadonlyArray<infer One> ? One extends Scorer.Scorer<never, infer R> ? R : never : never
  : never

/**
 * A set of cases, and how they run.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<A extends Agent.Any, C extends Case<A, any>, P, E, RL, RS, RO> {
  /** The name of the set, in reports. */
  readonly name: string
  readonly cases: ReadonlyArray<C>
  /** What every case is measured by. */
  readonly scorers?: ReadonlyArray<Scorer.Scorer<A["~output"], RS>>
  /** How often each case runs; once otherwise. */
  readonly repeats?: number
  /** How many runs are under way at once; 1 otherwise. */
  readonly concurrency?: number | "unbounded"
  /** The longest that a run may take, with what `layer` makes for it and with its scorers. */
  readonly timeout?: Duration.Input
  readonly limits?: Agent.Limits
  /**
   * What each run of a case gets anew: a scripted model, a service with data of its own. A `SessionStore` takes the place
   * of the one in memory that it has otherwise.
   */
  readonly layer?: (one: C, run: number) => Layer.Layer<P, E, RL>
  /** Sees each run as it ends: to show how it goes. */
  readonly onRun?: (run: EvaluationReport.Run) => Effect.Effect<void, never, RO>
}

// ===== errors ================================================================

/** An agent asks what a case has no answer to. */
class Unanswered extends Schema.TaggedError<Unanswered>()("Unanswered", {
  name: Schema.String,
  tool: Schema.String,
  question: Schema.Json
}) {
  override get message(): string {
    const who = this.tool === "" ? "a hook" : `'${this.tool}'`
    return `${who} asks '${this.name}', and the case has no answer: give one in \`answers\` (${inWords(this.question)})`
  }
}

/** Nothing is said in a case, so there is nothing to measure. */
class NoTurns extends Schema.TaggedError<NoTurns>()("NoTurns", { name: Schema.String }) {
  override get message(): string {
    return `the case '${this.name}' has no turns: give it a message at least`
  }
}

class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {}) {
  override get message(): string {
    return "the run took longer than the time-out of the evaluation"
  }
}

const tagOf = (error: unknown): string =>
  error instanceof AgentError
    ? `AgentError/${error.reason._tag}`
    : typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string"
    ? error._tag
    : "Error"

type RunError = NonNullable<EvaluationReport.Run["error"]>

const wordsOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** What ended a run: a failure by its tag, anything else as a defect. */
const errorOf = (cause: Cause.Cause<unknown>): RunError => {
  const failure = Cause.findErrorOption(cause)
  if (Cause.hasInterruptsOnly(cause)) return { tag: "Cancelled", message: "something in the run cancelled it" }
  return Option.isSome(failure)
    ? { tag: tagOf(failure.value), message: wordsOf(failure.value) }
    : { tag: "Defect", message: wordsOf(Cause.squash(cause)) }
}

// ===== one run ===============================================================

/** A case whose agent is no longer known as a type. */
type AnyCase = Case<Agent.Any> & { readonly context?: object }

const turnOf = (turn: string | Scorer.Turn): Scorer.Turn => typeof turn === "string" ? { input: turn } : turn

const answering = (agent: Agent.Any, { answers }: AnyCase) => {
  const definitions = asksOf(agent)
  const given = (answers ?? {}) as Readonly<Record<string, unknown>>
  const answer = Effect.fnUntraced(function*({ id, name, question, tool }: Interrupt.Open) {
    const definition = definitions.get(name)
    const own = Object.hasOwn(given, name) ? given[name] : undefined
    if (definition === undefined || own === undefined) return yield* new Unanswered({ name, tool, question })
    if (typeof own !== "function") return { name, id, value: own }
    const decoded = yield* Effect.fromResult(decodeJson(definition.question)(question))
    return { name, id, value: (own as (question: unknown) => unknown)(decoded) }
  })
  return (open: ReadonlyArray<Interrupt.Open>) =>
    // what a call left pending holds nothing up
    Effect.forEach(open.filter(({ mode }) => mode !== "pending"), answer)
}

const noUsage: EvaluationReport.Run["usage"] = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 }

/** Leads the conversation of a case to its end. */
const converse = Effect.fnUntraced(function*(
  agent: Agent.Any,
  one: AnyCase,
  where: AgentRunner.Options,
  used: (usage: EvaluationReport.Run["usage"]) => void
) {
  const answersTo = answering(agent, one)
  const turns: Array<Scorer.TurnOutcome> = []
  let session: AgentRunner.AgentResult["session"] | undefined
  for (const expected of one.turns.map(turnOf)) {
    const from: number = session?.revision ?? 0
    const state = session === undefined ? one.state ?? [] : []
    let result = yield* AgentRunner.run(agent, { ...where, input: expected.input, state })
    while (result._tag === "Paused") {
      const answers = yield* answersTo(result.open)
      result = yield* AgentRunner.resume(agent, { ...where, answers })
    }
    session = result.session
    used(result.usage)
    const events = session.events.slice(from)
    turns.push({
      expected,
      calls: Trajectory.of(events),
      allCalls: Trajectory.of(events, { subAgents: true }),
      text: result.text,
      output: result.output
    })
  }
  const last = turns.at(-1)
  if (session === undefined || last === undefined) return yield* new NoTurns({ name: one.name })
  return { turns, session, text: last.text, output: last.output } satisfies Scorer.Outcome
})

/** Scores an outcome; a scorer that fails leaves the others their say. */
const scored = (
  outcome: Scorer.Outcome,
  scorers: ReadonlyArray<Scorer.Scorer>,
  keep: (score: EvaluationReport.Score) => void
) =>
  Effect.forEach(scorers, ({ name, score, threshold }) =>
    Effect.match(score(outcome), {
      onFailure: Option.some,
      onSuccess: (given) => {
        if (Option.isSome(given)) {
          const { detail, value } = given.value
          keep({ scorer: name, value, threshold, ...(detail !== undefined && { detail }) })
        }
        return Option.none<Scorer.ScorerFailed>()
      }
    })).pipe(Effect.flatMap((failures) => {
      const failure = failures.find(Option.isSome)
      return failure === undefined ? Effect.void : Effect.fail(failure.value)
    }))

// ===== running ===============================================================

/**
 * Runs an agent on each case, and reports. It never fails: what goes wrong stands in the report, and
 * `EvaluationReport.check` turns that into a failure.
 *
 * **Details**
 *
 * A run requires what the agent's runs require, less the context keys, which the cases supply, the store, and what `layer`
 * gives. The report is in the order of the cases, however the runs overlap.
 *
 * **Gotchas**
 *
 * What a call left pending stays so: nobody answers it.
 *
 * **Example** (An agent that should look before it answers)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Agent, Tool, Toolkit } from "tenon"
 * import { Evaluation, EvaluationReport, ScriptedModel, Scorer, Trajectory } from "tenon/testing"
 *
 * const Find = Tool.make("find", { parameters: Schema.Struct({ query: Schema.String }), success: Schema.String })
 * const Assistant = Agent.make("assistant", { instructions: "Look first.", toolkit: Toolkit.make(Find) })
 *
 * const program = Evaluation.run(Assistant, {
 *   name: "assistant",
 *   cases: [{
 *     name: "looks first",
 *     turns: [{ input: "Where is the licence?", calls: [Trajectory.call(Find, { query: "licence" })] }],
 *     scorers: [Scorer.textContains("LICENSE")]
 *   }],
 *   scorers: [Scorer.trajectory()],
 *   layer: () => ScriptedModel.layer([ScriptedModel.call("find", { query: "licence" }), ScriptedModel.text("In LICENSE.")])
 * }).pipe(Effect.provide(Toolkit.layer(Toolkit.make(Find), { find: () => Effect.succeed("LICENSE") })))
 *
 * const report = await Effect.runPromise(program)
 * EvaluationReport.passAny(report) // => 1
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const run = <
  A extends Agent.Any,
  const C extends Case<A, any>,
  P = never,
  E = never,
  RL = never,
  RS = never,
  RO = never
>(
  agent: A,
  options: Options<A, C, P, E, RL, RS, RO>
): Effect.Effect<
  EvaluationReport.Report,
  never,
  | Exclude<AgentRunner.Requires<A>, ToolContext.AnyKey | SessionStore.SessionStore | P>
  | Exclude<RS | ScorerNeeds<C>, P>
  | RL
  | RO
> => {
  const { concurrency = 1, limits, name, repeats = 1, timeout } = options
  const common = (options.scorers ?? []) as ReadonlyArray<Scorer.Scorer>
  const attempts = [...oneByName("cases", options.cases).values()].flatMap((one) =>
    Array.from({ length: repeats }, (_, index) => ({ one, number: index + 1 }))
  )

  const attempt = Effect.fnUntraced(function*({ number, one: typed }: (typeof attempts)[number]) {
    const one = typed as unknown as AnyCase
    const scores: Array<EvaluationReport.Score> = []
    let usage = noUsage
    const start = yield* Clock.currentTimeMillis
    const where: AgentRunner.Options = {
      session: `${one.name}/${number}`,
      ...(one.user !== undefined && { user: one.user }),
      ...(limits !== undefined && { limits })
    }
    const conversation = converse(agent, one, where, (turn) => {
      usage = {
        steps: usage.steps + turn.steps,
        toolCalls: usage.toolCalls + turn.toolCalls,
        inputTokens: usage.inputTokens + turn.inputTokens,
        outputTokens: usage.outputTokens + turn.outputTokens
      }
    })
    const own = Layer.merge(
      Layer.merge(SessionStore.layerMemory, ToolContext.layer(agent, (one.context ?? {}) as never)),
      // the last one wins; one that throws is an error of its run
      Layer.suspend(() => options.layer?.(typed, number) ?? Layer.empty)
    )
    const measured = conversation.pipe(
      Effect.flatMap((outcome) => scored(outcome, [...common, ...one.scorers ?? []], (score) => scores.push(score))),
      // built anew for each run, whatever others have built of it
      Effect.provide(own, { local: true })
    )
    const timely = timeout === undefined
      ? measured
      : Effect.timeoutOrElse(measured, { duration: timeout, orElse: () => Effect.fail(new TimedOut()) })
    const error = yield* timely.pipe(
      Effect.as(undefined),
      Effect.catchCause((cause) => unlessCancelled(cause, Effect.succeed(errorOf(cause))))
    )
    const passed = scores.every(({ threshold, value }) => value >= threshold)
    const ended: EvaluationReport.Run = {
      case: one.name,
      run: number,
      status: error !== undefined ? "error" : passed ? "passed" : "failed",
      scores,
      ...(error !== undefined && { error }),
      milliseconds: (yield* Clock.currentTimeMillis) - start,
      usage
    }
    if (options.onRun !== undefined) yield* options.onRun(ended)
    return ended
  })

  return Effect.map(
    Effect.forEach(attempts, attempt, { concurrency }),
    (runs) => EvaluationReport.make(name, runs)
  ) as Effect.Effect<EvaluationReport.Report>
}
