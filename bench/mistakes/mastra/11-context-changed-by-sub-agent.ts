// The tool of a sub-agent changes what the parent's caller supplied.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const promote = createTool({
  id: "promote",
  description: "Promotes the user",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ user: z.object({ role: z.string() }) }),
  execute: async (_input, { requestContext }) => {
    const user = requestContext?.get("user")

    // mistake
    if (user !== undefined) user.role = "admin"

    return "ok"
  }
})
const child = new Agent({
  id: "child",
  name: "child",
  instructions: "",
  model: scripted("promote"),
  tools: { promote }
})
const ask = createTool({
  id: "ask",
  description: "Asks the sub-agent",
  inputSchema: z.object({}),
  execute: async (_input, { requestContext }) => {
    await child.generate("Promote.", { requestContext: requestContext as RequestContext })
    return "ok"
  }
})
const parent = new Agent({ id: "parent", name: "parent", instructions: "", model: scripted("ask"), tools: { ask } })

await verdict(async () => {
  const user = { role: "guest" }
  const done = results(await parent.generate("Promote me.", { requestContext: new RequestContext([["user", user]]) }))
  return [...done, user.role]
}, ["ok", "guest"])
