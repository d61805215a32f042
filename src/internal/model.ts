/**
 * The model that an agent asks, and what is known of it. Layer 5.
 */
import { Context, Effect, Option } from "effect"
import { AiError, LanguageModel, Model } from "effect/ai"

/** A model with its name and its provider's, where they are known. */
export interface AgentModel {
  readonly model: LanguageModel.LanguageModel
  readonly name: string | undefined
  readonly provider: string | undefined
}

const modelIn = (context: Context.Context<never>): AgentModel | undefined =>
  Option.getOrUndefined(Option.map(Context.getOption(context, LanguageModel.LanguageModel), (model) => ({
    model,
    name: Option.getOrUndefined(Context.getOption(context, Model.ModelName)),
    provider: Option.getOrUndefined(Context.getOption(context, Model.ProviderName))
  })))

const keyOf = (agent: string): string => `tenon/AgentModel/${agent}`

/** The model of an agent of this name, if it has one. */
const of = (context: Context.Context<never>, agent: string): AgentModel | undefined => {
  const own = context.mapUnsafe.get(keyOf(agent)) as Context.Context<never> | undefined
  return own && modelIn(own)
}

export const AgentModel = { keyOf, modelIn, of }

/** What becomes of the parts that an attempt has shown before it failed. */
export const Discard = Context.Reference<Effect.Effect<void>>("tenon/ModelPlan/Discard", {
  defaultValue: () => Effect.void
})

/** A model may fail in the middle of what it says. */
export const ofErrorPart = (error: unknown): AiError.AiError => {
  if (AiError.isAiError(error)) return error
  const description = error instanceof Error ? error.message : typeof error === "string" ? error : undefined
  return AiError.make({
    module: "LanguageModel",
    method: "streamText",
    reason: new AiError.InternalProviderError({ description: description ?? "the model failed while it answered" })
  })
}
