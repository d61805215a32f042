// Two calls of one step add to a counter in the request context.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const count = createTool({
  id: "count",
  description: "Counts",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ count: z.number() }),
  execute: async (_input, { requestContext }) => {
    const before = requestContext?.get("count") ?? 0
    await setTimeout(5)

    // mistake: another call may have written since
    requestContext?.set("count", before + 1)
  }
})
const model = scripted("count", "count")
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model, tools: { count } })

await verdict(async () => {
  const requestContext = new RequestContext([["count", 0]])
  await clerk.generate("Twice.", { requestContext })
  return requestContext.get("count")
}, 2)
