// A tool pushes into the array that it read.
import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const add = createTool({
  id: "add",
  description: "Adds",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ items: z.array(z.string()) }),
  execute: async (_input, { requestContext }) => {
    // mistake
    requestContext?.get("items").push("bread")

    return "ok"
  }
})
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", model: scripted("add"), tools: { add } })

await verdict(async () => {
  const items: Array<string> = []
  const done = results(await clerk.generate("Bread.", { requestContext: new RequestContext([["items", items]]) }))
  return [...done, items]
}, ["ok", ["bread"]])
