// A tool gives a number where its schema says a string.
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = createTool({
  id: "who",
  description: "Says who asks",
  inputSchema: z.object({}),
  outputSchema: z.object({ user: z.string() }),
  // mistake: 42
  execute: async () => ({ user: 42 })
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("who"), tools: { who } })

await verdict(async () => results(await clerk.generate("Who am I?")))
