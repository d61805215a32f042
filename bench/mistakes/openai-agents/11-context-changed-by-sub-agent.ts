// The tool of a sub-agent changes what the parent's caller supplied.
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
const child = new Agent<Env>({ name: "child", model: scripted("promote"), tools: [promote] })
const tools = [child.asTool({ toolName: "ask", toolDescription: "Asks." })]
const parent = new Agent<Env>({ name: "parent", model: scripted("ask"), tools })

await verdict(async () => {
  const user = { role: "guest" }
  await run(parent, "Promote me.", { context: { user } })
  return user.role
}, "guest")
