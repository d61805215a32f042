// The tools are in a variable of type `Array<BaseTool>`, and the caller leaves out a value.
import { type BaseTool, FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  execute: (_input, context) => `user=${context?.state.get<string>("userId")}`
})
const tools: Array<BaseTool> = [who]
const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools })

await verdict(async () => {
  // mistake: no userId
  const run = { userId: "u", newMessage: user("Who am I?") }

  return results(runnerOf(clerk).runEphemeral(run))
})
