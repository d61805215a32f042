// `prepareStep` pushes into an array of the `runtimeContext`, which is the caller's own.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const noop = tool({ inputSchema: z.object({}), execute: async () => "ok" })

await verdict(async () => {
  const items: Array<string> = []
  await generateText({
    model: scripted("noop"),
    prompt: "Bread.",
    tools: { noop },
    stopWhen: isStepCount(5),
    runtimeContext: { items },
    prepareStep: ({ runtimeContext, stepNumber }) => {
      // mistake
      if (stepNumber === 0) runtimeContext.items.push("bread")

      return {}
    }
  })
  return items
}, [])
