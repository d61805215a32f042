// A tool writes a string for a number.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const count = createTool({
  id: "count",
  description: "Counts",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ count: z.number() }),
  execute: async (_input, { requestContext }) => {
    // mistake: "one"
    requestContext?.set("count", "one")

    return "ok"
  }
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("count"), tools: { count } })

await verdict(async () => {
  const requestContext = new RequestContext<{ count: number }>([["count", 0]])
  const told = results(await clerk.generate("Count.", { requestContext: requestContext as RequestContext }))
  return [told, requestContext.get("count")]
})
