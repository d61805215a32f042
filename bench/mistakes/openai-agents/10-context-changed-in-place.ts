// A tool changes what the caller supplied.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

interface Env {
  user: { role: string }
}
const promote = tool({
  name: "promote",
  description: "Promotes the user",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<Env>) => {
    // mistake
    if (run !== undefined) run.context.user.role = "admin"
  }
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("promote"), tools: [promote] })

await verdict(async () => {
  const user = { role: "guest" }
  await run(clerk, "Promote me.", { context: { user } })
  return user.role
}, "guest")
