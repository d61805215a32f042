// One tool wants `id` as a string, another as a number.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const a = createTool({
  id: "a",
  description: "Wants a text",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ id: z.string() }),
  execute: async (_input, { requestContext }) => `${requestContext?.get("id").length}`
})
const b = createTool({
  id: "b",
  description: "Wants a number",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ id: z.number() }),
  execute: async (_input, { requestContext }) => requestContext?.get("id").toFixed(1)
})

// mistake: a and b
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("a", "b"), tools: { a, b } })

await verdict(async () => {
  const requestContext = new RequestContext([["id", "x"]])
  return results(await clerk.generate("Go.", { requestContext }))
})
