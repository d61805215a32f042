// A caller whom the types do not bind leaves out `toolsContext`.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => `user=${context.userId}`
})

await verdict(async () => {
  // mistake: no toolsContext
  const options: any = { model: scripted("who"), prompt: "Who am I?", tools: { who }, stopWhen: isStepCount(5) }

  return results(await generateText(options))
})
