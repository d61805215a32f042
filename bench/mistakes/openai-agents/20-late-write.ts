// A call leaves a promise behind, which writes once the run is over.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

interface Env {
  count: number
}
const left: Array<Promise<void>> = []
const count = tool({
  name: "count",
  description: "Counts",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<Env>) => {
    const late = async () => {
      await setTimeout(20)
      if (run !== undefined) run.context.count = 1
    }

    // mistake: nobody waits for it
    left.push(late())
  }
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("count"), tools: [count] })

await verdict(async () => {
  const context = { count: 0 }
  await run(clerk, "Count.", { context })
  await Promise.all(left)
  return context.count
})
