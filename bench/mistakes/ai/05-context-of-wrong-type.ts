// The caller supplies a number where the tool needs a string.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => `user=${context.userId}`
})

await verdict(async () => {
  const toolsContext = { who: { userId: 42 } }
  const stopWhen = isStepCount(5)
  const model = scripted("who")

  // mistake: 42
  return results(await generateText({ model, prompt: "Who am I?", tools: { who }, stopWhen, toolsContext }))
})
