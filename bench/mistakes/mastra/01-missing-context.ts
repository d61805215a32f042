// The caller leaves out `requestContext`, of which a tool has a schema.
// Documented: model, the schema is checked when the tool is called.
import { Agent } from "@mastra/core/agent"
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
  // mistake: no requestContext
  return results(await clerk.generate("Who am I?"))
})
