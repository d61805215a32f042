/** Who speaks in the demo: a model of a provider whose key or address stands in the environment, or else the script. */
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogle } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Config, Effect, Redacted } from "effect"
import type { AiSdk } from "tenon/ai-sdk"

/** A provider, and the model that is asked when `TENON_MODEL` names no other. */
interface Provider {
  readonly key: string
  readonly usual: string
  readonly model: (apiKey: string, name: string) => AiSdk.ProviderModel
}

const providers: ReadonlyArray<Provider> = [
  { key: "OPENAI_API_KEY", usual: "gpt-5-mini", model: (apiKey, name) => createOpenAI({ apiKey })(name) },
  { key: "ANTHROPIC_API_KEY", usual: "claude-haiku-4-5", model: (apiKey, name) => createAnthropic({ apiKey })(name) },
  {
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    usual: "gemini-2.5-flash",
    model: (apiKey, name) => createGoogle({ apiKey })(name)
  }
]

/** A server that speaks as OpenAI does: Ollama, llama.cpp, vLLM. It may want a key. */
const localModel = (baseURL: string, apiKey: string, name: string): AiSdk.ProviderModel =>
  createOpenAICompatible({ name: "local", baseURL, includeUsage: true, ...(apiKey !== "" && { apiKey }) })(name)

const text = (name: string) => Config.withDefault(Config.String(name), "")
const secret = (name: string) => Config.withDefault(Config.Redacted(name), Redacted.make(""))

/** The model that the environment names, if it names one; a sentence where it does so by half. */
export const providerModel = Effect.gen(function*() {
  const [baseUrl, name] = [yield* text("TENON_BASE_URL"), yield* text("TENON_MODEL")]
  if (baseUrl !== "") {
    if (name === "") return yield* Effect.fail("TENON_BASE_URL needs a TENON_MODEL beside it.")
    return localModel(baseUrl, Redacted.value(yield* secret("TENON_API_KEY")), name)
  }
  for (const { key, usual, model } of providers) {
    const apiKey = Redacted.value(yield* secret(key))
    if (apiKey !== "") return model(apiKey, name === "" ? usual : name)
  }
  return undefined
})
