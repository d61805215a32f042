// `prepareStep`, which alone sees state, reads it by a misspelt name.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const noop = tool({ inputSchema: z.object({}), execute: async () => "ok" })

await verdict(async () => {
  const seen: Array<unknown> = []
  await generateText({
    model: scripted("noop"),
    prompt: "Count.",
    tools: { noop },
    stopWhen: isStepCount(5),
    runtimeContext: { count: 0 },
    prepareStep: ({ runtimeContext }) => {
      // mistake: conut
      seen.push(runtimeContext.conut)
      return {}
    }
  })
  return seen
})
