// A tool reads a value by a misspelt name.
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
  // mistake: usrId
  execute: (_input, run?: RunContext<Env>) => `user=${run?.context.usrId}`
})

const clerk = new Agent<Env>({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => results(await run(clerk, "Who am I?", { context: { userId: "u1" } })))
