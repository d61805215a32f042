// A tool reads a value that the caller supplies.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const Env = z.object({ userId: z.string() })
const who = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => `user=${context.userId}`, {
  name: "who",
  schema: z.object({})
})
const clerk = createAgent({ model: scripted("who"), tools: [who], contextSchema: Env })

await verdict(async () => results(await clerk.invoke(user("Who am I?"), { context: { userId: "u1" } })), ["user=u1"])
