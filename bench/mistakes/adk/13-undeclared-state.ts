// A tool reads a count, which is not in the schema of state that its agent has.
// Documented: silent, `stateSchema` applies to what the nodes of a workflow write.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at the count",
  parameters: z.object({}),
  execute: (_input, context) => `count=${context?.state.get<number>("count")}`
})

// mistake: no count in stateSchema
const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look], stateSchema: z.object({}) })

await verdict(async () => results(runnerOf(clerk).runEphemeral({ userId: "u", newMessage: user("How many?") })))
