// One tool wants `id` as a string, another as a number.
// Documented: fine, each tool has a context of its own.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const a = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ id: z.string() }),
  execute: async (_input, { context }) => context.id.length
})
const b = tool({
  inputSchema: z.object({}),
  // mistake: another type
  contextSchema: z.object({ id: z.number() }),
  execute: async (_input, { context }) => context.id.toFixed(1)
})

await verdict(async () => {
  const toolsContext = { a: { id: "x" }, b: { id: 1 } }
  const stopWhen = isStepCount(5)
  const model = scripted("a", "b")
  return results(await generateText({ model, prompt: "Go.", tools: { a, b }, stopWhen, toolsContext }))
}, [1, "1.0"])
