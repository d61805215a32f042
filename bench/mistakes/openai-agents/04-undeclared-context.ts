// A tool reads a context, and its agent is made without the type of one.
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

// mistake: no <Env>
const clerk = new Agent({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => results(await run(clerk, "Who am I?", { context: {} })))
