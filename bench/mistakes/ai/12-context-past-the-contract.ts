// A tool reads a variable of its module, which nobody has set.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const request: { userId?: string } = {}
const who = tool({
  inputSchema: z.object({}),
  // mistake: request is in no contract
  execute: async () => `user=${request.userId}`
})

await verdict(async () => {
  const stopWhen = isStepCount(5)
  return results(await generateText({ model: scripted("who"), prompt: "Who am I?", tools: { who }, stopWhen }))
})
