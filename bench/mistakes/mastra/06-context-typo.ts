// A tool reads a value by a misspelt name.
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
  // mistake: usrId
  execute: async (_input, { requestContext }) => `user=${requestContext?.get("usrId")}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("who"), tools: { who } })

await verdict(async () => {
  const requestContext = new RequestContext([["userId", "u1"]])
  return results(await clerk.generate("Who am I?", { requestContext }))
})
