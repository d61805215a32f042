// A tool changes what the caller supplied.
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
const clerk = new Agent({
  id: "clerk",
  name: "clerk",
  instructions: "",
  model: scripted("promote"),
  tools: { promote }
})

await verdict(async () => {
  const user = { role: "guest" }
  const done = results(await clerk.generate("Promote me.", { requestContext: new RequestContext([["user", user]]) }))
  return [...done, user.role]
}, ["ok", "guest"])
