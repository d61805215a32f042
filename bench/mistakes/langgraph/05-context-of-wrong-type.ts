// The caller supplies a number where the tool needs a string.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const Env = z.object({ userId: z.string() })
const who = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => `user=${context.userId}`, {
  name: "who",
  schema: z.object({})
})
const clerk = createAgent({ model: scripted("who"), tools: [who], contextSchema: Env })

await verdict(async () => {
  // mistake: 42
  return results(await clerk.invoke(user("Who am I?"), { context: { userId: 42 } }))
})
