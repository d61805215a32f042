// A tool reads the count by a misspelt name.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const look = createTool({
  id: "look",
  description: "Looks at the count",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ count: z.number() }),
  // mistake: conut
  execute: async (_input, { requestContext }) => `count=${requestContext?.get("conut")}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("look"), tools: { look } })

await verdict(async () => {
  const requestContext = new RequestContext([["count", 3]])
  return results(await clerk.generate("How many?", { requestContext }))
})
