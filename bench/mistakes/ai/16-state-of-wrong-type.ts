// `prepareStep`, which alone writes state, writes a string for a number.
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
    // mistake: "one"
    prepareStep: ({ runtimeContext }) => ({ runtimeContext: { ...runtimeContext, count: "one" } })
  })
  return finalStep.runtimeContext
})
