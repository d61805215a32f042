// The tool of a sub-agent changes what the parent's caller supplied.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user as said, verdict } from "./harness.ts"

const Env = z.object({ user: z.object({ role: z.string() }) })
const promote = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => {
  // mistake
  context.user.role = "admin"

  return "ok"
}, { name: "promote", schema: z.object({}) })
const child = createAgent({ model: scripted("promote"), tools: [promote], contextSchema: Env })
const ask = tool(async () => {
  await child.invoke(said("Promote."))
  return "ok"
}, { name: "ask", schema: z.object({}) })
const parent = createAgent({ model: scripted("ask"), tools: [ask], contextSchema: Env })

await verdict(async () => {
  const user = { role: "guest" }
  await parent.invoke(said("Promote me."), { context: { user } })
  return user.role
}, "guest")
