// A tool reads `context` without a `contextSchema`, so that nothing asks for it.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  // mistake: no contextSchema
  execute: async (_input, { context }) => `user=${context.userId}`
})

await verdict(async () => {
  const stopWhen = isStepCount(5)
  const model = scripted("who")
  return results(await generateText({ model, prompt: "Who am I?", tools: { who }, stopWhen }))
})
