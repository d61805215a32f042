/** How an answer ended, what it cost, and what the provider says about it. Layer 6, edge `ai-sdk`. */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4ResponseMetadata,
  LanguageModelV4Usage,
  SharedV4Warning
} from "@ai-sdk/provider"
import type { Response } from "effect/ai"
import { metadataOf } from "./metadata.ts"

/** A count; effect/ai refuses what is no whole number. */
const count = (value: number | undefined): number | undefined => Number.isSafeInteger(value) ? value : undefined

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): Response.FinishPartEncoded["usage"] => ({
  inputTokens: {
    uncached: count(inputTokens.noCache),
    total: count(inputTokens.total),
    cacheRead: count(inputTokens.cacheRead),
    cacheWrite: count(inputTokens.cacheWrite)
  },
  outputTokens: {
    total: count(outputTokens.total),
    text: count(outputTokens.text),
    reasoning: count(outputTokens.reasoning)
  }
})

const reasonOf = ({ unified, raw }: LanguageModelV4FinishReason): Response.FinishReason => {
  if (raw === "pause_turn") return "pause"
  return unified === "interrupted" ? "unknown" : unified
}

/** The last part of an answer. */
export const finishOf = (
  end: {
    readonly finishReason: LanguageModelV4FinishReason
    readonly usage: LanguageModelV4Usage
    readonly providerMetadata?: unknown
  },
  warnings: ReadonlyArray<SharedV4Warning>
): Response.FinishPartEncoded => ({
  type: "finish",
  reason: reasonOf(end.finishReason),
  usage: usageOf(end.usage),
  ...metadataOf(end.providerMetadata, {
    finishReason: end.finishReason.raw,
    ...(warnings.length > 0 && { warnings })
  })
})

/** What the provider says about the answer as a whole. */
export const responseOf = (
  { id, modelId, timestamp }: LanguageModelV4ResponseMetadata
): Response.ResponseMetadataPartEncoded => ({
  type: "response-metadata",
  ...(id !== undefined && { id }),
  ...(modelId !== undefined && { modelId }),
  ...(timestamp !== undefined && !Number.isNaN(timestamp.getTime()) && { timestamp: timestamp.toISOString() })
})

/** A warning in words. */
export const inWords = (warning: SharedV4Warning): string => {
  switch (warning.type) {
    case "unsupported":
    case "compatibility":
      return `${warning.type}: ${warning.feature}${warning.details === undefined ? "" : `, ${warning.details}`}`
    case "deprecated":
      return `deprecated: ${warning.setting}, ${warning.message}`
    case "other":
      return warning.message
  }
}
