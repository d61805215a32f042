import { Effect, Layer, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { asked, Told } from "../verdict.ts"

export { verdict } from "../verdict.ts"

const ended = (reason: Response.FinishReason): Response.FinishPartEncoded => ({
  type: "finish",
  reason,
  usage: {
    inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 }
  }
})

/** A model that asks for these calls in one step, and then is done. */
export const scripted = (...tools: ReadonlyArray<string>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.suspend(() => {
      let steps = 0
      return LanguageModel.make({
        generateText: () =>
          Effect.sync(() => {
            asked()
            return steps++ > 0 || tools.length === 0
              ? [{ type: "text", text: "done" }, ended("stop")]
              : [
                ...tools.map((name, at) => ({ type: "tool-call", id: `call-${at}`, name, params: {} }) as const),
                ended("tool-calls")
              ]
          }),
        streamText: () => Stream.empty
      })
    })
  )

/** What the tools gave. */
export const results = (
  { toolResults }: { readonly toolResults: ReadonlyArray<{ readonly isFailure: boolean; readonly result: unknown }> }
) => toolResults.map(({ isFailure, result }) => isFailure ? new Told(JSON.stringify(result)) : result)
