// A tool waited for an answer; the run goes on without the context.
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
  // mistake: no context
  const options: any = { configurable }

  return results(await clerk.invoke(new Command({ resume: true }), options))
})
