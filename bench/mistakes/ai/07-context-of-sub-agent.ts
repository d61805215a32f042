// A sub-agent is a tool that generates a text; its own tool needs the tenant, and the parent is given a user alone.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const stopWhen = isStepCount(5)
const look = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ tenant: z.string() }),
  execute: async (_input, { context }) => `tenant=${context.tenant}`
})
const child = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async () => {
    // mistake: no tenant
    return results(await generateText({ model: scripted("look"), prompt: "Look.", tools: { look }, stopWhen }))
  }
})

await verdict(async () => {
  const toolsContext = { child: { userId: "u1" } }
  const model = scripted("child")
  return results(await generateText({ model, prompt: "Which tenant?", tools: { child }, stopWhen, toolsContext }))
})
