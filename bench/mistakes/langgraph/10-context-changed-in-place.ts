// A tool changes what the caller supplied.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user as said, verdict } from "./harness.ts"

const Env = z.object({ user: z.object({ role: z.string() }) })
const promote = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => {
  // mistake
  context.user.role = "admin"

  return "ok"
}, { name: "promote", schema: z.object({}) })
const clerk = createAgent({ model: scripted("promote"), tools: [promote], contextSchema: Env })

await verdict(async () => {
  const user = { role: "guest" }
  await clerk.invoke(said("Promote me."), { context: { user } })
  return user.role
}, "guest")
