// A tool reads state by a misspelt name.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const State = z.object({ count: z.number().default(0) })

// mistake: conut
const look = tool((_input, { state }: ToolRuntime<typeof State>) => `count=${state.conut}`, {
  name: "look",
  schema: z.object({})
})

const clerk = createAgent({ model: scripted("look"), tools: [look], stateSchema: State })

await verdict(async () => results(await clerk.invoke({ ...user("How many?"), count: 3 })))
