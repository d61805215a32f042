// A tool reads the count by a misspelt name.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at the count",
  parameters: z.object({}),
  // mistake: conut
  execute: (_input, context) => `count=${context?.state.get<number>("conut")}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look] })

await verdict(async () => {
  const run = { userId: "u", newMessage: user("How many?"), stateDelta: { count: 3 } }
  return results(runnerOf(clerk).runEphemeral(run))
})
