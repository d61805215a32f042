// A call waited for an approval; the run goes on without the request context that it had.
// Documented: fine, it is stored with the run.
import { Agent } from "@mastra/core/agent"
import { Mastra } from "@mastra/core/mastra"
import { RequestContext } from "@mastra/core/request-context"
import { InMemoryStore } from "@mastra/core/storage"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const remove = createTool({
  id: "remove",
  description: "Removes it",
  inputSchema: z.object({}),
  requestContextSchema: z.object({ userId: z.string() }),
  requireApproval: true,
  execute: async (_input, { requestContext }) => `removed for ${requestContext?.get("userId")}`
})
const model = scripted("remove")
const agent = new Agent({ id: "clerk", name: "clerk", instructions: "", model, tools: { remove } })
const clerk = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false }).getAgent("agent")
const requestContext = new RequestContext([["userId", "u1"]])
const { runId } = await clerk.generate("Remove it.", { requestContext })

await verdict(async () => {
  // mistake: no requestContext
  const ended = await clerk.approveToolCallGenerate({ runId: runId ?? "", toolCallId: "call-0" })

  return results(ended).at(-1)
}, "removed for u1")
