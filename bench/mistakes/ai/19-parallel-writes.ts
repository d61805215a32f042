// Two calls of one step add to a counter, which a tool can only keep in its context.
import { generateText, isStepCount, tool } from "ai"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const count = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ count: z.number() }),
  execute: async (_input, { context }) => {
    const before = context.count
    await setTimeout(5)

    // mistake: another call may have written since
    context.count = before + 1
  }
})

await verdict(async () => {
  const toolsContext = { count: { count: 0 } }
  const stopWhen = isStepCount(5)
  await generateText({ model: scripted("count", "count"), prompt: "Twice.", tools: { count }, stopWhen, toolsContext })
  return toolsContext.count.count
}, 2)
