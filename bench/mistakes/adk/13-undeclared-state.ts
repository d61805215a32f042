// A tool reads a count, which is not in the schema of the workflow's state.
// Documented: silent, what is written is checked by `stateSchema`, and what is read is not.
import { FunctionTool, LlmAgent, START, Workflow } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at the count",
  parameters: z.object({}),
  execute: (_input, context) => `count=${context?.state.get<number>("count")}`
})

const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look] })

// mistake: no count in stateSchema
const flow = new Workflow({ name: "flow", stateSchema: z.object({}), edges: [[START, clerk]] })

await verdict(async () => results(runnerOf(flow).runEphemeral({ userId: "u", newMessage: user("How many?") })))
