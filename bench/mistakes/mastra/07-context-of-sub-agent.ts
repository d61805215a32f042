// The tool of a sub-agent needs the tenant, and the parent is given a user alone.
// Documented: a sub-agent gets the request context of its parent.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, Told, verdict } from "./harness.ts"

const look = createTool({
  id: "look",
  description: "Looks",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ tenant: z.string() }),
  execute: async (_input, { requestContext }) => `tenant=${requestContext?.get("tenant")}`
})
const child = new Agent({ id: "child", name: "child", instructions: "", model: scripted("look"), tools: { look } })
const ask = createTool({
  id: "ask",
  description: "Asks the sub-agent",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { requestContext }) => {
    // mistake: no tenant
    const [found] = results(await child.generate("Look.", { requestContext: requestContext as RequestContext }))

    if (found instanceof Told) throw new Error(found.told)
    return found
  }
})
const parent = new Agent({ id: "parent", name: "parent", instructions: "", model: scripted("ask"), tools: { ask } })

await verdict(async () => {
  const requestContext = new RequestContext([["userId", "u1"]])
  return results(await parent.generate("Which tenant?", { requestContext }))
})
