// A Date in the context is stored with the run, and read when it goes on.
import { Agent, run, type RunContext, RunState, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  at: Date
}
const look = tool({
  name: "look",
  description: "Looks at the date",
  parameters: z.object({}),
  needsApproval: true,
  execute: (_input, run?: RunContext<Env>) => `date=${run?.context.at instanceof Date}`
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("look"), tools: [look] })

// mistake: JSON has no Date
const { state } = await run(clerk, "When was I here?", { context: { at: new Date(1) } })

await verdict(async () => {
  const restored = await RunState.fromString<Env, typeof clerk>(clerk, state.toString())
  for (const interruption of restored.getInterruptions()) restored.approve(interruption)
  return results(await run(clerk, restored))
}, ["date=true"])
