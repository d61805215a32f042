// The stored count is a string, and the program reads numbers.
import { Agent, run, type RunContext, RunState, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  count: number
}
const add = tool({
  name: "add",
  description: "Adds one",
  parameters: z.object({}),
  needsApproval: true,
  execute: (_input, run?: RunContext<Env>) => `next=${(run?.context.count ?? 0) + 1}`
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("add"), tools: [add] })
const { state } = await run(clerk, "Count.", { context: { count: 1 } })

// mistake: another type
const stored = state.toString().replace(`"count":1`, `"count":"many"`)

await verdict(async () => {
  const restored = await RunState.fromString<Env, typeof clerk>(clerk, stored)
  for (const interruption of restored.getInterruptions()) restored.approve(interruption)
  return results(await run(clerk, restored))
})
