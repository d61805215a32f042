// Two packages each bring a tool called `search`.
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const search = { id: "search", description: "Searches", inputSchema: z.object({}) }
const ours = { search: createTool({ ...search, execute: async () => "ours" }) }
const theirs = { search: createTool({ ...search, execute: async () => "theirs" }) }

await verdict(async () => {
  // mistake: two of one name
  const tools = { ...ours, ...theirs }

  const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("search"), tools })
  return results(await clerk.generate("Search."))
})
