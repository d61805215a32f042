// Two calls of one step read a counter, wait, and write it back one higher.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

interface Env {
  count: number
}
const count = tool({
  name: "count",
  description: "Counts",
  parameters: z.object({}),
  execute: async (_input, run?: RunContext<Env>) => {
    const before = run?.context.count ?? 0
    await setTimeout(5)

    // mistake: another call may have written since
    if (run !== undefined) run.context.count = before + 1
  }
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("count", "count"), tools: [count] })

await verdict(async () => {
  const context = { count: 0 }
  await run(clerk, "Twice.", { context })
  return context.count
}, 2)
