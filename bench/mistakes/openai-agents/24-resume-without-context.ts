// A call waited for an approval; the run goes on from what was stored, without the function that was in the context.
// Documented: the context is stored with the run, as far as it is JSON.
import { Agent, run, type RunContext, RunState, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  readonly nameOf: () => string
}
const remove = tool({
  name: "remove",
  description: "Removes",
  parameters: z.object({}),
  needsApproval: true,
  execute: (_input, run?: RunContext<Env>) => `removed for ${run?.context.nameOf()}`
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("remove"), tools: [remove] })
const { state } = await run(clerk, "Remove it.", { context: { nameOf: () => "Ann" } })

await verdict(async () => {
  const restored = await RunState.fromString<Env, typeof clerk>(clerk, state.toString())
  for (const interruption of restored.getInterruptions()) restored.approve(interruption)

  // mistake: no context
  return results(await run(clerk, restored))
})
