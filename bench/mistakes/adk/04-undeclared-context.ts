// A tool reads a value, and its agent has a schema of state without it.
// Documented: silent, `stateSchema` applies to what the nodes of a workflow write.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  execute: (_input, context) => `tenant=${context?.state.get<string>("tenant")}`
})

// mistake: no tenant in stateSchema
const clerk = new LlmAgent({
  name: "clerk",
  model: scripted("who"),
  tools: [who],
  stateSchema: z.object({ userId: z.string() })
})

await verdict(async () => {
  const run = { userId: "u", newMessage: user("Who am I?"), stateDelta: { userId: "u1" } }
  return results(runnerOf(clerk).runEphemeral(run))
})
