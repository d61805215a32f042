// A tool reads state, which it keeps in the context, by a misspelt name.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  count: number
}
const look = tool({
  name: "look",
  description: "Looks at the count",
  parameters: z.object({}),
  // mistake: conut
  execute: (_input, run?: RunContext<Env>) => `count=${run?.context.conut}`
})

const clerk = new Agent<Env>({ name: "clerk", model: scripted("look"), tools: [look] })

await verdict(async () => results(await run(clerk, "How many?", { context: { count: 0 } })))
