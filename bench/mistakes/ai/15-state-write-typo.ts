// `prepareStep`, which alone writes state, writes it under a misspelt name.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const noop = tool({ inputSchema: z.object({}), execute: async () => "ok" })

await verdict(async () => {
  const { finalStep } = await generateText({
    model: scripted("noop"),
    prompt: "Count.",
    tools: { noop },
    stopWhen: isStepCount(5),
    runtimeContext: { count: 0 },
    // mistake: conut
    prepareStep: ({ runtimeContext }) => ({ runtimeContext: { ...runtimeContext, conut: 1 } })
  })
  return finalStep.runtimeContext
})
