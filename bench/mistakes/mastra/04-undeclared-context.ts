// A tool reads a value without a schema, so that nothing asks for it.
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = createTool({
  id: "who",
  description: "Says who asks",
  inputSchema: z.object({}),
  // mistake: no requestContextSchema
  execute: async (_input, { requestContext }) => `user=${requestContext?.get("userId")}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("who"), tools: { who } })

await verdict(async () => results(await clerk.generate("Who am I?")))
