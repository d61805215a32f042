// A tool reads a variable of its module, which nobody has set.
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const request: { userId?: string } = {}

const who = createTool({
  id: "who",
  description: "Says who asks",
  inputSchema: z.object({}),
  // mistake: request is in no contract
  execute: async () => `user=${request.userId}`
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("who"), tools: { who } })

await verdict(async () => results(await clerk.generate("Who am I?")))
