// A value of the user is called as one of the framework's, which then reads it as its own.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const look = createTool({
  id: "look",
  description: "Looks",
  inputSchema: z.object({}),
  execute: async (_input, { agent, requestContext }) =>
    `mine=${requestContext?.get("mastra__threadId")} its=${agent?.threadId}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("look"), tools: { look } })

await verdict(async () => {
  // mistake: mastra__threadId
  const requestContext = new RequestContext([["mastra__threadId", "mine"]])

  return results(await clerk.generate("Look.", { requestContext, memory: { thread: "its", resource: "r" } }))
}, ["mine=mine its=its"])
