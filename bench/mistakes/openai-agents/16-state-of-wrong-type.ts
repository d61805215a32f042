// A tool writes a string for a number into the context, where it keeps state.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

interface Env {
  count: number
}
const count = tool({
  name: "count",
  description: "Counts",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<Env>) => {
    // mistake: "one"
    if (run !== undefined) run.context.count = "one"
  }
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("count"), tools: [count] })

await verdict(async () => {
  const context = { count: 0 }
  await run(clerk, "Count.", { context })
  return context
})
