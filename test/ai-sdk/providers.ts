/** The provider packages, pointed at a server of ours. */
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogle } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Effect, Schema } from "effect"
import { type LanguageModel, Tool, Toolkit } from "effect/ai"
import { AiSdk } from "tenon/ai-sdk"

/** No key: it must come up nowhere but in the request. */
export const apiKey = "sk-canary-4f8a2b6c9d"

const models = {
  "openai chat": (baseURL: string) => createOpenAI({ apiKey, baseURL }).chat("gpt-4o-mini"),
  "openai responses": (baseURL: string) => createOpenAI({ apiKey, baseURL }).responses("gpt-4o-mini"),
  anthropic: (baseURL: string) => createAnthropic({ apiKey, baseURL })("claude-haiku-4-5"),
  google: (baseURL: string) => createGoogle({ apiKey, baseURL })("gemini-2.5-flash"),
  "openai-compatible": (baseURL: string) =>
    createOpenAICompatible({ name: "local", apiKey, baseURL, includeUsage: true })("llama")
} as const

export type Provider = keyof typeof models

export const providers = Object.keys(models) as ReadonlyArray<Provider>

/** A provider's model at an address. */
export const modelAt = (provider: Provider, { url }: { readonly url: string }, options?: AiSdk.Options) =>
  AiSdk.make(models[provider](url), options)

export const layerAt = (provider: Provider, { url }: { readonly url: string }, options?: AiSdk.Options) =>
  AiSdk.layer(models[provider](url), options)

// ===== what the recorded models were offered =================================

export const Weather = Tool.make("weather", {
  description: "Get the weather in a location",
  parameters: Schema.Struct({ location: Schema.String }),
  success: Schema.String
})

export const Attractions = Tool.make("cityAttractions", {
  parameters: Schema.Struct({ city: Schema.String }),
  success: Schema.String
})

/** What an agent asks with. */
export const asked = {
  prompt: "What is the weather in San Francisco?",
  toolkit: Toolkit.make(Weather, Attractions),
  disableToolCallResolution: true,
  toolCallValidation: "deferred"
} as const

/** The answer of a provider, whole. */
export const answer = (provider: Provider, server: { readonly url: string }) =>
  Effect.flatMap(modelAt(provider, server), (model: LanguageModel.LanguageModel) => model.generateText(asked))
