/** An agent of LangChain, without its tracing, which would send. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models"
import { AIMessage } from "@langchain/core/messages"
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"

process.env["LANGSMITH_TRACING"] = "false"

class FakeModel extends BaseChatModel {
  private asked = 0
  private readonly steps: number
  constructor(steps: number) {
    super({})
    this.steps = steps
  }
  _llmType() {
    return "fake"
  }
  override bindTools() {
    return this
  }
  async _generate() {
    const message = this.asked++ < this.steps
      ? new AIMessage({ content: "", tool_calls: [{ name: "noop", args: {}, id: `c${this.asked}` }] })
      : new AIMessage("done")
    return { generations: [{ message, text: "" }], llmOutput: {} }
  }
}

let calls = 0
const contextSchema = z.object({ user: z.string() })
const noop = tool(
  async (_input, runtime: ToolRuntime<unknown, typeof contextSchema>) => {
    calls++
    return runtime.context.user
  },
  { name: "noop", description: "Does nothing.", schema: z.object({}) }
)
const others = Array.from({ length: Number(process.env["TOOLS"] ?? 1) - 1 }, (_, index) =>
  tool(async () => [], {
    name: `other_${index}`,
    description: "Does something else.",
    schema: z.object({ a: z.string(), b: z.int().optional() })
  }))

export const run = async (steps: number): Promise<number> => {
  calls = 0
  const agent = createAgent({ model: new FakeModel(steps), tools: [noop, ...others], contextSchema })
  // a step takes two nodes of the graph
  const options = { context: { user: "u1" }, recursionLimit: 4 * steps + 20 }
  await agent.invoke({ messages: [{ role: "user", content: "x" }] }, options)
  return calls
}
