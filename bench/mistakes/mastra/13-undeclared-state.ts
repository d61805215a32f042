// A tool reads a count, which tools can keep in the request context alone; nobody has put it there.
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const look = createTool({
  id: "look",
  description: "Looks at the count",
  inputSchema: z.object({}),
  execute: async (_input, { requestContext }) => `count=${requestContext?.get("count")}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("look"), tools: { look } })

// mistake: no count
await verdict(async () => results(await clerk.generate("How many?")))
