// A caller whom the types do not bind leaves out `requestContext`, of which the agent has a schema, too.
// Documented: start, an agent checks its own schema first.
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = createTool({
  id: "who",
  description: "Says who asks",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { requestContext }) => `user=${requestContext?.get("userId")}`
})
const clerk = new Agent({
  id: "clerk",
  name: "clerk",
  instructions: "",
  model: scripted("who"),
  tools: { who },
  requestContextSchema: z.object({ userId: z.string() })
})

await verdict(async () => {
  // mistake: no requestContext
  const options: any = {}

  return results(await clerk.generate("Who am I?", options))
})
