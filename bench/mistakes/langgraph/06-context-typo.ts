// A tool reads a value by a misspelt name.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const Env = z.object({ userId: z.string() })

// mistake: usrId
const who = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => `user=${context.usrId}`, {
  name: "who",
  schema: z.object({})
})

const clerk = createAgent({ model: scripted("who"), tools: [who], contextSchema: Env })

await verdict(async () => results(await clerk.invoke(user("Who am I?"), { context: { userId: "u1" } })))
