// The caller leaves out `toolsContext`, which a tool with a `contextSchema` needs.
// Documented: compile, the option is required where a tool has a `contextSchema`.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => `user=${context.userId}`
})

await verdict(async () => {
  const stopWhen = isStepCount(5)
  const model = scripted("who")

  // mistake: no toolsContext
  return results(await generateText({ model, prompt: "Who am I?", tools: { who }, stopWhen }))
})
