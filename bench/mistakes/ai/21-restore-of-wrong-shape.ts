// The stored count is a string, and the program reads numbers. There is no API to store state: it is JSON.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const noop = tool({ inputSchema: z.object({}), execute: async () => "ok" })
const stored = JSON.stringify({ count: "many" })

await verdict(async () => {
  const seen: Array<unknown> = []

  // mistake: what is parsed is not checked
  const runtimeContext: { count: number } = JSON.parse(stored)

  await generateText({
    model: scripted("noop"),
    prompt: "How many?",
    tools: { noop },
    stopWhen: isStepCount(5),
    runtimeContext,
    prepareStep: ({ runtimeContext: { count } }) => {
      seen.push(count + 1)
      return {}
    }
  })
  return seen
})
