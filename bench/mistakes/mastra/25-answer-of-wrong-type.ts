// A tool waited for a boolean; it is answered by a number.
import { Agent } from "@mastra/core/agent"
import { Mastra } from "@mastra/core/mastra"
import { InMemoryStore } from "@mastra/core/storage"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const remove = createTool({
  id: "remove",
  description: "Removes it",
  inputSchema: z.object({}),
  suspendSchema: z.object({ question: z.string() }),
  resumeSchema: z.object({ yes: z.boolean() }),
  execute: async (_input, { agent }) => {
    if (agent?.resumeData === undefined) return agent?.suspend({ question: "Remove it?" })
    return agent.resumeData.yes ? "removed" : "kept"
  }
})
const model = scripted("remove")
const agent = new Agent({ id: "clerk", name: "clerk", instructions: "", model, tools: { remove } })
const clerk = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false }).getAgent("agent")
const { runId } = await clerk.generate("Remove it.")

await verdict(async () => {
  // mistake: 42
  return results(await clerk.resumeGenerate({ yes: 42 }, { runId: runId ?? "", toolCallId: "call-0" }))
})
