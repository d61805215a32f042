// One tool wants `id` as a string, another as a number.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const parameters = z.object({})
const a = tool({
  name: "a",
  description: "A",
  parameters,
  execute: (_input, run?: RunContext<{ readonly id: string }>) => run?.context.id.length
})
const b = tool({
  name: "b",
  description: "B",
  parameters,
  execute: (_input, run?: RunContext<{ readonly id: number }>) => run?.context.id.toFixed(1)
})

// mistake: a and b
const clerk = new Agent<{ readonly id: string }>({ name: "clerk", model: scripted("a", "b"), tools: [a, b] })

await verdict(async () => results(await run(clerk, "Go.", { context: { id: "x" } })))
