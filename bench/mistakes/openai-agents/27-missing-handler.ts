// Nobody wrote the `execute` of a tool.
import { Agent, run, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

// mistake: no execute
const add = tool({ name: "add", description: "Adds", parameters: z.object({}) })

const clerk = new Agent({ name: "clerk", model: scripted("add"), tools: [add] })

await verdict(async () => results(await run(clerk, "Add.")))
