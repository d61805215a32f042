// A tool waited for a boolean; it is answered by a number.
import { Command, interrupt, MemorySaver } from "@langchain/langgraph"
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const Env = z.object({ userId: z.string() })
const remove = tool((_input, { context }: ToolRuntime<unknown, typeof Env>) => {
  const yes: boolean = interrupt("Remove it?")
  return `${yes === true ? "removed" : "kept"} for ${context.userId}`
}, { name: "remove", schema: z.object({}) })
const clerk = createAgent({
  model: scripted("remove"),
  tools: [remove],
  contextSchema: Env,
  checkpointer: new MemorySaver()
})
const configurable = { thread_id: "t-1" }
await clerk.invoke(user("Remove it."), { configurable, context: { userId: "u1" } })

await verdict(async () => {
  const context = { userId: "u1" }

  // mistake: 42
  return results(await clerk.invoke(new Command({ resume: 42 }), { configurable, context }))
})
