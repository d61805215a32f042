// The tool of a sub-agent changes what the parent's caller supplied: a plain object, handed on.
// Documented: fine, a schema copies what it lets through.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const stopWhen = isStepCount(5)
const contextSchema = z.object({ user: z.object({ role: z.string() }) })
const promote = tool({
  inputSchema: z.object({}),
  contextSchema,
  execute: async (_input, { context }) => {
    // mistake
    context.user.role = "admin"
  }
})
const child = tool({
  inputSchema: z.object({}),
  contextSchema,
  execute: async (_input, { context }) => {
    const toolsContext = { promote: context }
    await generateText({ model: scripted("promote"), prompt: "Promote.", tools: { promote }, stopWhen, toolsContext })
    return context.user.role
  }
})

await verdict(async () => {
  const user = { role: "guest" }
  const toolsContext = { child: { user } }
  await generateText({ model: scripted("child"), prompt: "Promote me.", tools: { child }, stopWhen, toolsContext })
  return user.role
}, "guest")
