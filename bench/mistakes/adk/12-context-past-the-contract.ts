// A tool reads a variable of its module, which nobody has set.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const request: { userId?: string } = {}

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  // mistake: request is in no contract
  execute: () => `user=${request.userId}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => results(runnerOf(clerk).runEphemeral({ userId: "u", newMessage: user("Who am I?") })))
