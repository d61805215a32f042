// The caller supplies a number where the schema of state has a string.
// Documented: silent, `stateSchema` checks what the nodes of a workflow write, and not what its caller supplies.
import { FunctionTool, LlmAgent, START, Workflow } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  execute: (_input, context) => `user=${context?.state.get<string>("userId")}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })
const flow = new Workflow({ name: "flow", stateSchema: z.object({ userId: z.string() }), edges: [[START, clerk]] })

await verdict(async () => {
  // mistake: 42
  const run = { userId: "u", newMessage: user("Who am I?"), stateDelta: { userId: 42 } }

  return results(runnerOf(flow).runEphemeral(run))
})
