// A tool gives a string where its `outputSchema` has a number.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

// mistake: "3"
const add = tool({
  inputSchema: z.object({}),
  outputSchema: z.number(),
  execute: async () => "3"
})

await verdict(async () =>
  results(await generateText({ model: scripted("add"), prompt: "Add.", tools: { add }, stopWhen: isStepCount(5) }))
)
