/** A whole answer. Layer 6, edge `ai-sdk`. */
import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from "@ai-sdk/provider"
import { Effect } from "effect"
import type { AiError, Response } from "effect/ai"
import { citedIn, partsOf, type Reading } from "./content.ts"
import { finishOf, responseOf } from "./finish.ts"
import { metadataOf } from "./metadata.ts"

const contentOf = (
  content: LanguageModelV4Content,
  reading: Reading
): Effect.Effect<ReadonlyArray<Response.PartEncoded>, AiError.AiError> => {
  switch (content.type) {
    case "text": {
      const { type, text, citations, providerMetadata } = content
      return Effect.succeed([{ type, text, ...metadataOf(providerMetadata) }, ...citedIn(citations)])
    }
    case "reasoning": {
      const { type, text, providerMetadata } = content
      return Effect.succeed([{ type, text, ...metadataOf(providerMetadata) }])
    }
    default:
      return partsOf(content, reading)
  }
}

/** With a form asked for, the text that fits it: a provider may say which of several it is. */
const selected = (
  { content, structuredOutputText: text }: LanguageModelV4GenerateResult,
  { request }: Reading
): ReadonlyArray<LanguageModelV4Content> =>
  request.responseFormat.type === "text" || text === undefined
    ? content
    : [...content.filter(({ type }) => type !== "text"), { type: "text", text }]

/** The parts of an answer, in order. */
export const answerOf = (
  result: LanguageModelV4GenerateResult,
  reading: Reading
): Effect.Effect<Array<Response.PartEncoded>, AiError.AiError> =>
  Effect.map(
    Effect.forEach(selected(result, reading), (content) => contentOf(content, reading)),
    (parts) => [responseOf(result.response ?? {}), ...parts.flat(), finishOf(result, result.warnings)]
  )
