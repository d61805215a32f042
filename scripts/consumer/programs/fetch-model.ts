/** A model of a server that speaks as OpenAI does, asked with effect's HTTP client over `fetch`. */
import { Effect, Layer, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"

const Call = Schema.Struct({
  id: Schema.String,
  function: Schema.Struct({ name: Schema.String, arguments: Schema.fromJsonString(Schema.Json) })
})
const Message = Schema.Struct({
  content: Schema.NullOr(Schema.String),
  tool_calls: Schema.optional(Schema.Array(Call))
})
const Reply = Schema.Struct({
  choices: Schema.Tuple([Schema.Struct({ message: Message })]),
  usage: Schema.Struct({ prompt_tokens: Schema.Int, completion_tokens: Schema.Int })
})

const textOf = ({ content }: Prompt.Message): string =>
  typeof content === "string" ? content : content.map((part) => part.type === "text" ? part.text : part.type).join(" ")

const partsOf = ({ choices: [{ message }], usage }: typeof Reply.Type): Array<Response.PartEncoded> => [
  ...(message.content === null ? [] : [{ type: "text", text: message.content } as const]),
  ...(message.tool_calls ?? []).map(({ function: { arguments: params, name }, id }) => (
    { type: "tool-call", id, name, params } as const
  )),
  {
    type: "finish",
    reason: message.tool_calls === undefined ? "stop" : "tool-calls",
    usage: {
      inputTokens: { uncached: undefined, total: usage.prompt_tokens, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: usage.completion_tokens, text: undefined, reasoning: undefined }
    }
  }
]

const failed = (error: { readonly message: string }) =>
  AiError.make({
    module: "FetchModel",
    method: "generateText",
    reason: new AiError.InvalidOutputError({ description: error.message })
  })

/** The model at an address. */
export const layer = (url: string): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function*() {
      const client = yield* HttpClient.HttpClient
      const ask = Effect.fnUntraced(function*({ prompt, tools }: LanguageModel.ProviderOptions) {
        const request = HttpClientRequest.post(url).pipe(HttpClientRequest.bodyJsonUnsafe({
          messages: prompt.content.map((message) => ({ role: message.role, content: textOf(message) })),
          tools: tools.map(({ name }) => ({ type: "function", function: { name } }))
        }))
        const response = yield* client.execute(request)
        return partsOf(yield* HttpClientResponse.schemaBodyJson(Reply)(response))
      }, Effect.mapError(failed))
      return yield* LanguageModel.make({
        generateText: ask,
        // it is not asked for a stream here
        streamText: () => Stream.fail(failed({ message: "no stream" }))
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
