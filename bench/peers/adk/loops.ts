/** An agent of Google's ADK in its runner in memory. It has no context apart from state: the value is read from there. */
import { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent, type LlmResponse, LogLevel, setLogLevel } from "@google/adk"
import { z } from "zod"

setLogLevel(LogLevel.ERROR)

class FakeModel extends BaseLlm {
  private asked = 0
  private readonly steps: number
  constructor(steps: number) {
    super({ model: "fake" })
    this.steps = steps
  }
  async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    yield {
      content: {
        role: "model",
        parts: [
          this.asked++ < this.steps
            ? { functionCall: { id: `c${this.asked}`, name: "noop", args: {} } }
            : { text: "done" }
        ]
      },
      turnComplete: true
    }
  }
  connect(): Promise<never> {
    return Promise.reject(new Error("unused"))
  }
}

let calls = 0
const noop = new FunctionTool({
  name: "noop",
  description: "Does nothing.",
  parameters: z.object({}),
  execute: async (_input, context) => {
    calls++
    return context?.state.get<string>("user")
  }
})
const others = Array.from({ length: Number(process.env["TOOLS"] ?? 1) - 1 }, (_, index) =>
  new FunctionTool({
    name: `other_${index}`,
    description: "Does something else.",
    parameters: z.object({ a: z.string(), b: z.int().optional() }),
    execute: async () => []
  }))

export const run = async (steps: number): Promise<number> => {
  calls = 0
  const agent = new LlmAgent({ name: "assistant", model: new FakeModel(steps), tools: [noop, ...others] })
  const runner = new InMemoryRunner({ agent, appName: "bench" })
  const { id, userId } = await runner.sessionService.createSession({
    appName: "bench",
    userId: "u1",
    state: { user: "u1" }
  })
  const events = runner.runAsync({
    userId,
    sessionId: id,
    newMessage: { role: "user", parts: [{ text: "x" }] },
    runConfig: { maxLlmCalls: steps + 5 }
  })
  for await (const event of events) void event
  return calls
}
