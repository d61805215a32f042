/**
 * Which model answers: one of several after another, and another one for each agent.
 *
 * A retry or a fallback wraps the model call alone, so that no tool runs twice because a model failed. Both are layers:
 * an agent does not know of them.
 *
 * Layer 5, run.
 *
 * @since 0.1.0
 */
import { Context, Effect, ExecutionPlan, Layer, Stream } from "effect"
import { type AiError, LanguageModel, type Response } from "effect/ai"
import { AgentModel, Discard, ofErrorPart } from "./internal/model.ts"

type Models<Provides> = [LanguageModel.LanguageModel] extends [Provides] ? unknown : never
type TakesFailures<Input> = [AiError.AiError] extends [Input] ? unknown : never

/**
 * A model that asks others as a plan says: again, after a delay, or the next one.
 *
 * **Details**
 *
 * In a stream the parts of an attempt that failed have been shown already; `AgentRunner.stream` tells by `Discarded` that
 * they count no more.
 *
 * **Example** (A model that is asked in place of another)
 *
 * ```ts
 * import { Effect, ExecutionPlan } from "effect"
 * import { AiError } from "effect/ai"
 * import { Agent, AgentRunner, ModelPlan, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const overloaded = new AiError.InternalProviderError({ description: "overloaded" })
 * const Models = ModelPlan.layer(ExecutionPlan.make(
 *   { provide: ScriptedModel.layer([ScriptedModel.fail(overloaded)]) },
 *   { provide: ScriptedModel.layer([ScriptedModel.text("Good day.")]) }
 * ))
 *
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Agent.make("a", { instructions: "" }), { session: "s-1", input: "Hello" }).pipe(
 *     Effect.provide([Models, SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && result.text // => "Good day."
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <Provides, Input, E, R>(
  plan:
    & ExecutionPlan.ExecutionPlan<{ provides: Provides; input: Input; error: E; requirements: R }>
    & Models<Provides>
    & TakesFailures<Input>
): Layer.Layer<LanguageModel.LanguageModel, E, R> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function*() {
      const captured = yield* Effect.context<R>()
      // each model is made once, whatever is asked of it
      const steps = yield* Effect.forEach(plan.steps, (step) =>
        Effect.map(
          Layer.isLayer(step.provide)
            ? Layer.build(step.provide as Layer.Layer<Provides, E, R>)
            : Effect.succeed(step.provide),
          (provide) => ({ ...step, provide })
        ))
      const planned = ExecutionPlan.make(...steps as never) as unknown as ExecutionPlan.ExecutionPlan<{
        provides: LanguageModel.LanguageModel
        input: AiError.AiError
        error: never
        requirements: never
      }>
      const within = (context: Context.Context<never>) => Context.merge(captured, context) as Context.Context<any>
      const asked = <A>(call: Effect.Effect<A, AiError.AiError, LanguageModel.LanguageModel>) =>
        Effect.updateContext(Effect.withExecutionPlan(call, planned), within)
      const onEvent = ({ _tag, attempt }: ExecutionPlan.Event<AiError.AiError>) =>
        _tag === "AttemptStart" && attempt > 1 ? Effect.flatten(Discard) : Effect.void
      const streamed = <A>(call: Stream.Stream<A, AiError.AiError, LanguageModel.LanguageModel>) =>
        Stream.updateContext(Stream.withExecutionPlan(call, planned, { onEvent }), within)
      const checked = <P extends { readonly type: string }>(part: P): Effect.Effect<P, AiError.AiError> =>
        part.type === "error"
          ? Effect.fail(ofErrorPart((part as P & { readonly error: unknown }).error))
          : Effect.succeed(part)
      // the methods are generic in their options, which pass through as they are
      return LanguageModel.LanguageModel.of({
        generateText: (options: never) => asked(LanguageModel.generateText(options)),
        generateObject: (options: never) => asked(LanguageModel.generateObject(options) as Effect.Effect<never>),
        streamText: (options: never) =>
          streamed(
            Stream.mapEffect(
              LanguageModel.streamText(options) as Stream.Stream<
                Response.AnyPart,
                AiError.AiError,
                LanguageModel.LanguageModel
              >,
              checked
            )
          )
      } as never)
    })
  )

/**
 * The model of one agent, by the agent's name. An agent without one uses its parent's, the root the run's.
 *
 * **Example** (A cheap model for a sub-agent)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, ModelPlan, SessionStore, SubAgent } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Writer = Agent.make("writer", { instructions: "Write." })
 * const Editor = Agent.make("editor", { instructions: "Edit.", subAgents: [SubAgent.make(Writer)] })
 *
 * const Large = ScriptedModel.layer([ScriptedModel.call("writer", { task: "A line." }), ScriptedModel.text("Edited.")])
 * const Small = ScriptedModel.layer([ScriptedModel.text("A line.")])
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Editor, { session: "s-1", input: "Go." }).pipe(
 *     Effect.provide([Large, ModelPlan.forAgent(Writer, Small), SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && result.text // => "Edited."
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const forAgent = <Provides, E, R>(
  agent: { readonly name: string },
  model: Layer.Layer<Provides, E, R> & Models<Provides>
): Layer.Layer<never, E, R> =>
  Layer.effectContext(
    Effect.map(
      Layer.build(model),
      (built) => Context.makeUnsafe(new Map([[AgentModel.keyOf(agent.name), built]]))
    )
  )
