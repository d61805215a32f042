// A tool reads a count, which its agent's context, where state is kept, does not have.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const look = tool({
  name: "look",
  description: "Looks at the count",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<{ readonly count: number }>) => `count=${run?.context.count}`
})

// mistake: no count
const clerk = new Agent<{ readonly other: number }>({ name: "clerk", model: scripted("look"), tools: [look] })

await verdict(async () => results(await run(clerk, "How many?", { context: { other: 1 } })))
