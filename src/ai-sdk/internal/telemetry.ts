/** What a span of effect/ai tells of a request and its answer, by the conventions of OpenTelemetry. Layer 6, edge `ai-sdk`. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { Tracer } from "effect"
import { type Response, Telemetry } from "effect/ai"

export const annotateRequest = (
  span: Tracer.Span,
  { provider, modelId }: LanguageModelV4,
  asked: LanguageModelV4CallOptions
): void =>
  Telemetry.addGenAIAnnotations(span, {
    provider: { name: provider },
    operation: { name: "chat" },
    request: {
      model: modelId,
      temperature: asked.temperature,
      topK: asked.topK,
      topP: asked.topP,
      maxTokens: asked.maxOutputTokens,
      stopSequences: asked.stopSequences,
      frequencyPenalty: asked.frequencyPenalty,
      presencePenalty: asked.presencePenalty,
      seed: asked.seed
    }
  })

/** Of the parts of an answer, those that tell of the whole. */
export const annotateAnswer = (
  span: Tracer.Span,
  parts: ReadonlyArray<Response.PartEncoded | Response.StreamPartEncoded>
): void => {
  for (const part of parts) {
    if (part.type === "response-metadata") {
      Telemetry.addGenAIAnnotations(span, { response: { id: part.id, model: part.modelId } })
    } else if (part.type === "finish") {
      const { inputTokens, outputTokens } = part.usage
      Telemetry.addGenAIAnnotations(span, {
        response: { finishReasons: [part.reason] },
        usage: { inputTokens: inputTokens.total, outputTokens: outputTokens.total }
      })
    }
  }
}
