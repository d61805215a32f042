// A tool changes what the caller supplied.
// Documented: fine, a schema copies what it lets through.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const promote = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ user: z.object({ role: z.string() }) }),
  execute: async (_input, { context }) => {
    // mistake
    context.user.role = "admin"
  }
})

await verdict(async () => {
  const user = { role: "guest" }
  const toolsContext = { promote: { user } }
  const stopWhen = isStepCount(5)
  await generateText({ model: scripted("promote"), prompt: "Promote me.", tools: { promote }, stopWhen, toolsContext })
  return user.role
}, "guest")
