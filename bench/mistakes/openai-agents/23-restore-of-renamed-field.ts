// The value `total` is now called `amount`.
import { Agent, run, type RunContext, RunState, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  amount: number
}
const look = tool({
  name: "look",
  description: "Looks at the amount",
  parameters: z.object({}),
  needsApproval: true,
  execute: (_input, run?: RunContext<Env>) => `amount=${run?.context.amount}`
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("look"), tools: [look] })
const { state } = await run(clerk, "How much?", { context: { amount: 99 } })

// mistake: what is stored has another name
const stored = state.toString().replace(`"amount":99`, `"total":99`)

await verdict(async () => {
  const restored = await RunState.fromString<Env, typeof clerk>(clerk, stored)
  for (const interruption of restored.getInterruptions()) restored.approve(interruption)
  return results(await run(clerk, restored))
}, ["amount=99"])
