// The tool is in a list of tools of any kind, the agent in a list of agents, and the caller leaves out the context.
import { createAgent, type ReactAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const Env = z.object({ userId: z.string() })
const who = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => `user=${context.userId}`, {
  name: "who",
  schema: z.object({})
})
const agents: ReadonlyArray<ReactAgent<any>> = [
  createAgent({ model: scripted("who"), tools: [who], contextSchema: Env })
]

await verdict(async () => {
  // mistake: no context
  const all = await Promise.all(agents.map((agent) => agent.invoke(user("Who am I?"))))

  return all.flatMap(results)
})
