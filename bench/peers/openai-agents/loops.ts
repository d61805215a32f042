/** `Runner.run` of the OpenAI Agents SDK, without its tracing, which would send. */
import { Agent, type Model, type RunContext, Runner, setTracingDisabled, tool, Usage } from "@openai/agents"
import { z } from "zod"

setTracingDisabled(true)

interface Env {
  readonly user: string
}

const modelOf = (steps: number): Model => {
  let asked = 0
  return {
    getResponse: async () => ({
      usage: new Usage(),
      output: asked++ < steps
        ? [{ type: "function_call", callId: `c${asked}`, name: "noop", arguments: "{}", status: "completed" }]
        : [{
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "done" }]
        }]
    }),
    getStreamedResponse: () => {
      throw new Error("unused")
    }
  }
}

let calls = 0
const noop = tool({
  name: "noop",
  description: "Does nothing.",
  parameters: z.object({}),
  execute: async (_input, run?: RunContext<Env>) => {
    calls++
    return run?.context.user ?? ""
  }
})
const others = Array.from({ length: Number(process.env["TOOLS"] ?? 1) - 1 }, (_, index) =>
  tool({
    name: `other_${index}`,
    description: "Does something else.",
    parameters: z.object({ a: z.string(), b: z.int().nullable() }),
    execute: async (): Promise<ReadonlyArray<string>> => []
  }))
const runner = new Runner({ tracingDisabled: true })

export const run = async (steps: number): Promise<number> => {
  calls = 0
  const agent = new Agent<Env>({ name: "assistant", model: modelOf(steps), tools: [noop, ...others] })
  await runner.run(agent, "x", { context: { user: "u1" }, maxTurns: steps + 5 })
  return calls
}
