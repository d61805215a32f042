// A tool writes after it has ended.
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
    // mistake: not awaited
    void setTimeout(20).then(() => requestContext?.set("count", 1))

    return "ok"
  }
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("count"), tools: { count } })

await verdict(async () => {
  const requestContext = new RequestContext([["count", 0]])
  await clerk.generate("Count.", { requestContext })
  await setTimeout(50)
  return requestContext.get("count")
}, 0)
