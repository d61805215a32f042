// A tool reads a value that the caller supplies.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = createTool({
  id: "who",
  description: "Says who asks",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { requestContext }) => `user=${requestContext?.get("userId")}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("who"), tools: { who } })

await verdict(async () => {
  const requestContext = new RequestContext([["userId", "u1"]])
  return results(await clerk.generate("Who am I?", { requestContext }))
}, ["user=u1"])
