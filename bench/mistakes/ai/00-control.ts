// A tool reads a value that the caller supplies.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => `user=${context.userId}`
})

await verdict(async () => {
  const toolsContext = { who: { userId: "u1" } }
  const stopWhen = isStepCount(5)
  const model = scripted("who")
  return results(await generateText({ model, prompt: "Who am I?", tools: { who }, stopWhen, toolsContext }))
}, ["user=u1"])
