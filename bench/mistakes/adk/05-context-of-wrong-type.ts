// The caller supplies a number where the tool needs a string.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  execute: (_input, context) => `user=${context?.state.get<string>("userId")}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => {
  // mistake: 42
  const run = { userId: "u", newMessage: user("Who am I?"), stateDelta: { userId: 42 } }

  return results(runnerOf(clerk).runEphemeral(run))
})
