// A tool changes an instance of a class, which the caller supplied.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

class User {
  role = "guest"
}
const promote = tool({
  name: "promote",
  description: "Promotes the user",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<User>) => {
    // mistake
    if (run !== undefined) run.context.role = "admin"
  }
})
const clerk = new Agent<User>({ name: "clerk", model: scripted("promote"), tools: [promote] })

await verdict(async () => {
  const user = new User()
  await run(clerk, "Promote me.", { context: user })
  return user.role
}, "guest")
