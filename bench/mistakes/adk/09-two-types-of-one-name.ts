// One tool wants `id` as a string, another as a number.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const a = new FunctionTool({
  name: "a",
  description: "Wants a text",
  parameters: z.object({}),
  execute: (_input, context) => `${context?.state.get<string>("id")?.length}`
})
const b = new FunctionTool({
  name: "b",
  description: "Wants a number",
  parameters: z.object({}),
  execute: (_input, context) => context?.state.get<number>("id")?.toFixed(1)
})

// mistake: a and b
const clerk = new LlmAgent({ name: "clerk", model: scripted("a", "b"), tools: [a, b] })

await verdict(async () => {
  const run = { userId: "u", newMessage: user("Go."), stateDelta: { id: "x" } }
  return results(runnerOf(clerk).runEphemeral(run))
})
