/** `Agent.generate` of Mastra. */
import { Agent } from "@mastra/core/agent"
import type { MastraModelConfig } from "@mastra/core/llm"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

const modelOf = (steps: number): MastraModelConfig => {
  let asked = 0
  return {
    specificationVersion: "v2",
    provider: "fake",
    modelId: "fake",
    supportedUrls: {},
    doGenerate: async () =>
      asked++ < steps
        ? {
          content: [{ type: "tool-call", toolCallId: `c${asked}`, toolName: "noop", input: "{}" }],
          finishReason: "tool-calls",
          usage,
          warnings: []
        }
        : { content: [{ type: "text", text: "done" }], finishReason: "stop", usage, warnings: [] },
    doStream: () => Promise.reject(new Error("unused"))
  }
}

let calls = 0
const noop = createTool({
  id: "noop",
  description: "Does nothing.",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ user: z.string() }),
  execute: async (_input, { requestContext }) => {
    calls++
    return requestContext?.get("user")
  }
})
const others = Object.fromEntries(
  Array.from({ length: Number(process.env["TOOLS"] ?? 1) - 1 }, (_, index) => {
    const id = `other_${index}`
    return [
      id,
      createTool({
        id,
        description: "Does something else.",
        inputSchema: z.object({ a: z.string(), b: z.int().optional() }),
        execute: async () => []
      })
    ]
  })
)

export const run = async (steps: number): Promise<number> => {
  calls = 0
  const agent = new Agent({
    id: "assistant",
    name: "assistant",
    instructions: "Help.",
    model: modelOf(steps),
    tools: { ...others, noop }
  })
  await agent.generate("x", { maxSteps: steps + 5, requestContext: new RequestContext([["user", "u1"]]) })
  return calls
}
