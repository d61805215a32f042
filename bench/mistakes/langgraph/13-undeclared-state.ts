// A tool reads state, and its agent has no `stateSchema`.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const State = z.object({ count: z.number().default(0) })
const look = tool((_input, { state }: ToolRuntime<typeof State>) => `count=${state.count}`, {
  name: "look",
  schema: z.object({})
})

// mistake: no stateSchema
const clerk = createAgent({ model: scripted("look"), tools: [look] })

await verdict(async () => results(await clerk.invoke(user("How many?"))))
