/** `generateText` of the AI SDK, with a context schema for its tool and without one. */
import { generateText, isStepCount, type LanguageModel, tool } from "ai"
import { z } from "zod"

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

/** A plain object: the mock that comes with the SDK keeps every prompt, and would be what is measured. */
const modelOf = (steps: number): Exclude<LanguageModel, string> => {
  let asked = 0
  return {
    specificationVersion: "v4",
    provider: "fake",
    modelId: "fake",
    supportedUrls: {},
    doGenerate: async () =>
      asked++ < steps
        ? {
          content: [{ type: "tool-call", toolCallId: `c${asked}`, toolName: "noop", input: "{}" }],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: []
        }
        : {
          content: [{ type: "text", text: "done" }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: []
        },
    doStream: () => Promise.reject(new Error("unused"))
  }
}

let calls = 0
const others = Object.fromEntries(
  Array.from({ length: Number(process.env["TOOLS"] ?? 1) - 1 }, (_, index) => [
    `other_${index}`,
    tool({
      description: "Does something else.",
      inputSchema: z.object({ a: z.string(), b: z.int().optional() }),
      execute: async (): Promise<ReadonlyArray<string>> => []
    })
  ])
)
const description = "Does nothing."
const inputSchema = z.object({})
const noop = tool({
  description,
  inputSchema,
  contextSchema: z.object({ user: z.string() }),
  execute: async (_input, { context }) => {
    calls++
    return context.user
  }
})
const bare = tool({
  description,
  inputSchema,
  execute: async () => {
    calls++
    return "u1"
  }
})

export const withContext = async (steps: number): Promise<number> => {
  calls = 0
  await generateText({
    model: modelOf(steps),
    prompt: "x",
    tools: { ...others, noop },
    toolsContext: { noop: { user: "u1" } },
    stopWhen: isStepCount(steps + 5)
  })
  return calls
}

export const withoutContext = async (steps: number): Promise<number> => {
  calls = 0
  await generateText({
    model: modelOf(steps),
    prompt: "x",
    tools: { ...others, noop: bare },
    stopWhen: isStepCount(steps + 5)
  })
  return calls
}
