// A caller whom the types do not bind leaves out the context.
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
  // mistake: no context
  const options: any = {}

  return results(await run(clerk, "Who am I?", options))
})
