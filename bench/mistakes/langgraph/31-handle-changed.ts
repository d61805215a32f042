// A tool changes an instance of a class, which the caller supplied.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user as said, verdict } from "./harness.ts"

class User {
  role = "guest"
}
const Env = z.object({ user: z.instanceof(User) })
const promote = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => {
  // mistake
  context.user.role = "admin"

  return "ok"
}, { name: "promote", schema: z.object({}) })
const clerk = createAgent({ model: scripted("promote"), tools: [promote], contextSchema: Env })

await verdict(async () => {
  const user = new User()
  await clerk.invoke(said("Promote me."), { context: { user } })
  return user.role
}, "guest")
