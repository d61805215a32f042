// A tool reads a value by a misspelt name.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  // mistake: usrId
  execute: (_input, context) => `user=${context?.state.get<string>("usrId")}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => {
  const run = { userId: "u", newMessage: user("Who am I?"), stateDelta: { userId: "u1" } }
  return results(runnerOf(clerk).runEphemeral(run))
})
