// A tool changes an instance of a class, which the caller supplied.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

class User {
  role = "guest"
}
const promote = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ user: z.instanceof(User) }),
  execute: async (_input, { context }) => {
    // mistake
    context.user.role = "admin"
  }
})

await verdict(async () => {
  const user = new User()
  const toolsContext = { promote: { user } }
  const stopWhen = isStepCount(5)
  await generateText({ model: scripted("promote"), prompt: "Promote me.", tools: { promote }, stopWhen, toolsContext })
  return user.role
}, "guest")
