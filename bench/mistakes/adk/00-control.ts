// A tool reads a value that the caller supplies: it has no context but state.
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
  const run = { userId: "u", newMessage: user("Who am I?"), stateDelta: { userId: "u1" } }
  return results(runnerOf(clerk).runEphemeral(run))
}, ["user=u1"])
