/**
 * Models of the AI SDK's provider packages (`@ai-sdk/openai`, `@ai-sdk/anthropic`, `@ai-sdk/google`,
 * `@ai-sdk/openai-compatible` and others), as language models of effect/ai.
 *
 * It stands on `LanguageModel.make` and on the SDK's provider interface, version 4, of which it imports types alone.
 * It does not use the SDK's own loop, retries or tools.
 *
 * Layer 6, edge `ai-sdk`.
 *
 * @since 0.1.0
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4Warning
} from "@ai-sdk/provider"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import {
  AiError,
  AnthropicStructuredOutput,
  IdGenerator,
  LanguageModel,
  Model,
  OpenAiStructuredOutput,
  Tool
} from "effect/ai"
import { answerOf } from "./internal/answer.ts"
import { Chunks } from "./internal/chunks.ts"
import type { Reading } from "./internal/content.ts"
import { type Caught, caught, cut, type Failing, failureOf, readAnswer } from "./internal/failure.ts"
import { inWords } from "./internal/finish.ts"
import { Ids } from "./internal/ids.ts"
import { secretsIn } from "./internal/redact.ts"
import { requestOf } from "./internal/request.ts"
import { annotateAnswer, annotateRequest } from "./internal/telemetry.ts"

// ===== models ================================================================

/**
 * How a model is called, in the SDK's words: its defaults, or what one request changes of them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settings extends
  Readonly<
    Pick<
      LanguageModelV4CallOptions,
      | "frequencyPenalty"
      | "headers"
      | "maxOutputTokens"
      | "presencePenalty"
      | "providerOptions"
      | "reasoning"
      | "seed"
      | "stopSequences"
      | "temperature"
      | "topK"
      | "topP"
    >
  >
{}

/**
 * Settings of the requests in its reach. They win over those that the model was made with; `headers` and
 * `providerOptions` are merged by name.
 *
 * **Example** (One question without chance)
 *
 * ```ts no-run
 * import { openai } from "@ai-sdk/openai"
 * import { Effect } from "effect"
 * import { LanguageModel } from "effect/ai"
 * import { AiSdk } from "tenon/ai-sdk"
 *
 * export const answer = LanguageModel.generateText({ prompt: "Is 7 prime?" }).pipe(
 *   Effect.provideService(AiSdk.RequestSettings, { temperature: 0 }),
 *   Effect.provide(AiSdk.layer(openai("gpt-5-mini")))
 * )
 * ```
 *
 * @category services
 * @since 0.1.0
 */
export const RequestSettings = Context.Reference<Settings>("tenon/ai-sdk/RequestSettings", { defaultValue: () => ({}) })

/**
 * How a model is made.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Settings {
  /**
   * What makes of a schema one that the provider takes for structured output. By default OpenAI's and Anthropic's own
   * for their models, and JSON Schema as it is for others.
   */
  readonly codecTransformer?: LanguageModel.CodecTransformer
}

/**
 * A model of a provider package, made for version 4 of the SDK's provider interface.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderModel = LanguageModelV4

/** A tool that a provider runs itself, as its package makes it. @category models @since 0.1.0 */
export interface ProviderTool {
  readonly id: `${string}.${string}`
  readonly args: Readonly<Record<string, unknown>>
}

// ===== requests ==============================================================

// the library is built without the types of a platform
declare const AbortController: new() => { readonly signal: AbortSignal; readonly abort: () => void }
type AbortSignal = NonNullable<LanguageModelV4CallOptions["abortSignal"]>

const merged = (made: Settings, request: Settings): Settings => ({
  ...made,
  ...request,
  ...(made.headers && request.headers && { headers: { ...made.headers, ...request.headers } }),
  ...(made.providerOptions && request.providerOptions && {
    providerOptions: { ...made.providerOptions, ...request.providerOptions }
  })
})

/** What is said of a model that the types would refuse. */
const messageFor = (model: Partial<Pick<LanguageModelV4, "provider" | "specificationVersion">>): string =>
  typeof model === "string"
    ? `'${String(model)}' is the name of a model: pass the model itself, as a provider package makes it`
    : `the package of '${model.provider}' has the provider interface in version ${model.specificationVersion}, not v4: take a later one`

const transformerFor = ({ provider }: ProviderModel): LanguageModel.CodecTransformer => {
  if (/^(openai|azure)\b/.test(provider)) return OpenAiStructuredOutput.toCodecOpenAI
  return /^anthropic\b/.test(provider)
    ? AnthropicStructuredOutput.toCodecAnthropic
    : LanguageModel.defaultCodecTransformer
}

/** A schema, of a tool or of the answer, that cannot be told to the provider. */
const unsupportedSchema = (method: string, error: unknown): AiError.AiError =>
  AiError.make({
    module: "AiSdk",
    method,
    reason: new AiError.UnsupportedSchemaError({ description: error instanceof Error ? error.message : String(error) })
  })

/** One request: what is asked, and how its answer is read. */
interface Call {
  readonly asked: LanguageModelV4CallOptions
  readonly reading: Reading
  readonly failing: Failing
}

// ===== constructors ==========================================================

/**
 * Makes a language model of a provider's.
 *
 * **Details**
 *
 * One request is one call of the provider: nothing here or in the SDK repeats it, so that policies for retries and
 * limits see each. Cancelling the Effect, or leaving the stream, aborts the HTTP request.
 *
 * Arguments of a call that are no JSON come back as the text that the model wrote, which no tool's parameters accept. A
 * call without an id, or with one that an earlier call of the same answer has, gets a new id. What a provider wants back
 * (signatures of its reasoning, ids of items) goes with the parts' metadata into the next request.
 *
 * **Gotchas**
 *
 * Files that a prompt names by an address are not fetched here: the address goes to the provider, which may refuse it.
 *
 * A provider may ask for the approval of a tool that it runs itself. That comes as effect/ai's part, and goes back with
 * effect/ai's response; an agent's run passes over it.
 *
 * **Example** (A provider's model answers)
 *
 * ```ts
 * import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
 * import { Effect } from "effect"
 * import { AiSdk } from "tenon/ai-sdk"
 *
 * // a server's place is taken by a function here
 * const provider = createOpenAICompatible({
 *   name: "local",
 *   baseURL: "http://127.0.0.1:11434/v1",
 *   fetch: () => Promise.resolve(Response.json({ choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] }))
 * })
 *
 * const program = Effect.gen(function*() {
 *   const model = yield* AiSdk.make(provider("llama"), { temperature: 0 })
 *   return yield* model.generateText({ prompt: "Is 7 prime?" })
 * })
 *
 * const { text, finishReason } = await Effect.runPromise(program)
 * const said = [text, finishReason] // => ["Yes.", "stop"]
 * ```
 *
 * @see {@link layer} for the same as a Layer
 * @category constructors
 * @since 0.1.0
 */
export const make = (model: ProviderModel, options: Options = {}): Effect.Effect<LanguageModel.LanguageModel> => {
  if (model.specificationVersion !== "v4") return Effect.die(new TypeError(messageFor(model)))
  const { codecTransformer = transformerFor(model), ...made } = options

  const call = Effect.fnUntraced(function*(method: string, request: LanguageModel.ProviderOptions) {
    const settings = merged(made, yield* RequestSettings)
    const ids = new Ids(yield* IdGenerator.IdGenerator)
    const asked = {
      ...settings,
      ...(yield* Effect.try({
        try: () => requestOf(request, codecTransformer),
        catch: (error) => unsupportedSchema(method, error)
      }))
    }
    annotateRequest(request.span, model, asked)
    const each: Call = {
      asked,
      reading: { request, method, ids },
      failing: { method, provider: model.provider, secrets: secretsIn(settings.headers ?? {}) }
    }
    return each
  })

  const warned = (warnings: ReadonlyArray<SharedV4Warning>): Effect.Effect<void> =>
    Effect.forEach(
      warnings,
      (warning) => Effect.logWarning(`${model.provider} ${model.modelId}: ${inWords(warning)}`),
      { discard: true }
    )

  return LanguageModel.make({
    codecTransformer,
    generateText: Effect.fnUntraced(function*(request) {
      const { asked, reading, failing } = yield* call("generateText", request)
      const result = yield* Effect.catch(
        Effect.tryPromise({
          try: (abortSignal) => model.doGenerate({ ...asked, abortSignal }),
          catch: caught
        }),
        (error) => failureOf(error, failing)
      )
      return yield* readAnswer(
        failing,
        Effect.fnUntraced(function*() {
          if (result.finishReason.unified === "interrupted") return yield* cut(failing)
          yield* warned(result.warnings)
          const parts = yield* answerOf(result, reading)
          annotateAnswer(request.span, parts)
          return parts
        })
      )
    }),
    streamText: (request) =>
      Effect.gen(function*() {
        const { asked, reading, failing } = yield* call("streamText", request)
        const failed = (error: Caught) => failureOf(error, failing)
        const controller = new AbortController()
        yield* Effect.addFinalizer(() => Effect.sync(() => controller.abort()))
        const answer = yield* Effect.catch(
          Effect.tryPromise({
            try: () => model.doStream({ ...asked, abortSignal: controller.signal }),
            catch: caught
          }),
          failed
        )
        const stream = yield* readAnswer(failing, () => {
          // what is no stream has nothing to bind
          answer.stream.getReader.bind(answer.stream)
          return Effect.succeed(answer.stream)
        })
        // not awaited: the request is over with `abort`, and a provider's stream may take its time
        yield* Effect.addFinalizer(() => Effect.sync(() => void stream.cancel().catch(() => {})))
        const chunks = new Chunks(reading, { warned, failed: (error) => failed(caught(error)), cut: cut(failing) })
        return Stream.fromReadableStream<LanguageModelV4StreamPart, Caught>({
          evaluate: () => stream,
          onError: caught,
          releaseLockOnEnd: true
        }).pipe(
          Stream.catch((error) => Stream.fromEffect(failed(error))),
          Stream.mapEffect((chunk) => readAnswer(failing, () => chunks.read(chunk))),
          Stream.tap((parts) => Effect.sync(() => annotateAnswer(request.span, parts))),
          Stream.flattenIterable,
          Stream.concat(Stream.drain(Stream.fromEffect(Effect.suspend(() => chunks.end))))
        )
      }).pipe(Stream.unwrap)
  })
}

/**
 * A Layer that answers with a provider's model.
 *
 * **Example** (Any provider)
 *
 * ```ts no-run
 * import { anthropic } from "@ai-sdk/anthropic"
 * import { openai } from "@ai-sdk/openai"
 * import { AiSdk } from "tenon/ai-sdk"
 *
 * export const Claude = AiSdk.layer(anthropic("claude-haiku-4-5"), { maxOutputTokens: 2000 })
 * export const Gpt = AiSdk.layer(openai.chat("gpt-5-mini"))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (model: ProviderModel, options?: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(model, options))

/**
 * The same with the names of provider and model, for what shows or records them; a step of an `ExecutionPlan`, say.
 *
 * **Example** (The names of a model)
 *
 * ```ts
 * import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
 * import { Effect } from "effect"
 * import { Model } from "effect/ai"
 * import { AiSdk } from "tenon/ai-sdk"
 *
 * const ollama = createOpenAICompatible({ name: "ollama", baseURL: "http://127.0.0.1:11434/v1" })
 * const names = Effect.all([Model.ProviderName, Model.ModelName]).pipe(Effect.provide(AiSdk.model(ollama("llama"))))
 *
 * await Effect.runPromise(names) // => ["ollama.chat", "llama"]
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const model = (
  model: ProviderModel,
  options?: Options
): Model.Model<string, LanguageModel.LanguageModel, never> =>
  Model.make(model.provider, model.modelId, layer(model, options))

// ===== tools =================================================================

/** What `providerTool` makes. @category models @since 0.1.0 */
export interface HostedTool<Name extends string> extends
  Tool.ProviderDefined<`${string}.${string}`, Name, {
    readonly args: typeof Schema.Unknown
    readonly parameters: typeof Schema.Unknown
    readonly success: typeof Schema.Unknown
    readonly failure: typeof Schema.Unknown
    readonly failureMode: "error"
  }>
{}

/**
 * A tool that the provider runs itself, such as a search of the web, for a toolkit. It needs no handler.
 *
 * **Example** (A search of the web)
 *
 * ```ts
 * import { openai } from "@ai-sdk/openai"
 * import { Agent, Toolkit } from "tenon"
 * import { AiSdk } from "tenon/ai-sdk"
 *
 * const WebSearch = AiSdk.providerTool("web_search", openai.tools.webSearch({ searchContextSize: "low" }))
 * const Researcher = Agent.make("researcher", { instructions: "Find sources.", toolkit: Toolkit.make(WebSearch) })
 *
 * const ids = [WebSearch.name, WebSearch.id] // => ["web_search", "openai.web_search"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const providerTool = <const Name extends string>(name: Name, tool: ProviderTool): HostedTool<Name> =>
  Tool.providerDefined({
    id: tool.id,
    customName: name,
    providerName: name,
    args: Schema.Unknown,
    parameters: Schema.Unknown,
    success: Schema.Unknown,
    failure: Schema.Unknown
  })(tool.args)
