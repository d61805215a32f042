// A tool writes state, which it keeps in the context, under a misspelt name.
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
    // mistake: conut
    if (run !== undefined) run.context.conut = 1
  }
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("count"), tools: [count] })

await verdict(async () => {
  const context = { count: 0 }
  await run(clerk, "Count.", { context })
  return context
})
