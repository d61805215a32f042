// A caller whom the types do not bind leaves out a value.
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
  // mistake: no userId
  const run: any = { userId: "u", newMessage: user("Who am I?") }

  return results(runnerOf(clerk).runEphemeral(run))
})
