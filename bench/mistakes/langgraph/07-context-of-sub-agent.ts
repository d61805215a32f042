// A sub-agent, called in a tool, needs the tenant, and the parent is given a user alone.
// Documented: the context of the parent is handed on.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const schema = z.object({})
const ChildEnv = z.object({ tenant: z.string() })
const look = tool((_input, { context }: ToolRuntime<unknown, typeof ChildEnv>) => `tenant=${context.tenant}`, {
  name: "look",
  schema
})
const child = createAgent({ model: scripted("look"), tools: [look], contextSchema: ChildEnv })
const ask = tool(async () => {
  // mistake: no tenant
  const [found] = results(await child.invoke(user("Look.")))

  return String(found)
}, { name: "ask", schema })
const parent = createAgent({ model: scripted("ask"), tools: [ask], contextSchema: z.object({ userId: z.string() }) })

await verdict(async () => results(await parent.invoke(user("Which tenant?"), { context: { userId: "u1" } })))
