// The caller supplies a number where the tool needs a string.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  readonly userId: string
}
const who = tool({
  name: "who",
  description: "Who is it?",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<Env>) => `user=${run?.context.userId}`
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => {
  // mistake: 42
  return results(await run(clerk, "Who am I?", { context: { userId: 42 } }))
})
