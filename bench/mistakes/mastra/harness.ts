import type { MastraModelConfig } from "@mastra/core/llm"
import { asked, Told } from "../verdict.ts"

export { Told, verdict } from "../verdict.ts"

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

/** A model that asks for these calls in one step, and then is done. */
export const scripted = (...tools: ReadonlyArray<string>): MastraModelConfig => {
  let steps = 0
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async () => {
      asked()
      return steps++ > 0 || tools.length === 0
        ? { content: [{ type: "text", text: "done" }], finishReason: "stop", usage, warnings: [] }
        : {
          content: tools.map((toolName, at) => ({
            type: "tool-call",
            toolCallId: `call-${at}`,
            toolName,
            input: "{}"
          })),
          finishReason: "tool-calls",
          usage,
          warnings: []
        }
    },
    doStream: () => Promise.reject(new Error("unused"))
  }
}
interface Part {
  readonly type: string
  readonly output?: { readonly type: string; readonly value: unknown }
}

/** A check that failed is a value like any other, but for a mark. */
const isRefusal = (value: unknown): value is { readonly message: string } =>
  typeof value === "object" && value !== null && "error" in value && value.error === true

/** What the tools gave. */
export const results = ({ steps }: { readonly steps: ReadonlyArray<object> }): ReadonlyArray<unknown> =>
  steps.flatMap((step) => "content" in step ? step.content as ReadonlyArray<Part> : []).flatMap(({ output, type }) => {
    if (type !== "tool-result" || output === undefined) return []
    const { type: kind, value } = output
    return [kind === "error-text" ? new Told(value) : isRefusal(value) ? new Told(value.message) : value]
  })
