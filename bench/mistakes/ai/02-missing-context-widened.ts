// The tools are in a variable of type `ToolSet`, and the caller leaves out `toolsContext`.
import { generateText, isStepCount, tool, type ToolSet } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => `user=${context.userId}`
})
const tools: ToolSet = { who }

await verdict(async () => {
  const stopWhen = isStepCount(5)
  const model = scripted("who")

  // mistake: no toolsContext
  return results(await generateText({ model, prompt: "Who am I?", tools, stopWhen }))
})
