/** A model of the provider interface that says what it is given, and keeps what it was asked. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart
} from "@ai-sdk/provider"

const usage: LanguageModelV4GenerateResult["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined }
}
const finishReason = { unified: "stop", raw: undefined } as const

/** What a stream says at its end. */
export const end: LanguageModelV4StreamPart = { type: "finish", usage, finishReason }

export const saying = (
  content: ReadonlyArray<LanguageModelV4Content>,
  rest: Partial<LanguageModelV4GenerateResult> & { readonly chunks?: ReadonlyArray<LanguageModelV4StreamPart> } = {}
) => {
  const asked: Array<LanguageModelV4CallOptions> = []
  const { chunks = [], ...result } = rest
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "m",
    supportedUrls: {},
    doGenerate: (options) => {
      asked.push(options)
      return Promise.resolve({ content: [...content], usage, finishReason, warnings: [], ...result })
    },
    doStream: (options) => {
      asked.push(options)
      const stream = new ReadableStream({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        }
      })
      return Promise.resolve({ stream } as never)
    }
  }
  return { model, asked }
}
