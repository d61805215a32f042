// A tool reads a value that is not in the schema of the workflow's state.
// Documented: silent, what is written is checked by `stateSchema`, and what is read is not.
import { FunctionTool, LlmAgent, START, Workflow } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  execute: (_input, context) => `tenant=${context?.state.get<string>("tenant")}`
})

const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })

// mistake: no tenant in stateSchema
const flow = new Workflow({ name: "flow", stateSchema: z.object({ userId: z.string() }), edges: [[START, clerk]] })

await verdict(async () => {
  const run = { userId: "u", newMessage: user("Who am I?"), stateDelta: { userId: "u1" } }
  return results(runnerOf(flow).runEphemeral(run))
})
