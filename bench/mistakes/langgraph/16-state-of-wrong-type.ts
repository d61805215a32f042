// A tool writes a string for a number.
import { Command } from "@langchain/langgraph"
import { createAgent, tool, ToolMessage, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user, verdict } from "./harness.ts"

const State = z.object({ count: z.number().default(0) })
const count = tool((_input, { toolCallId }: ToolRuntime<typeof State>) => {
  const messages = [new ToolMessage({ content: "ok", tool_call_id: toolCallId })]

  // mistake: "one"
  return new Command({ update: { count: "one", messages } })
}, { name: "count", schema: z.object({}) })
const clerk = createAgent({ model: scripted("count"), tools: [count], stateSchema: State })

await verdict(async () => {
  const { count } = await clerk.invoke({ ...user("Count."), count: 0 })
  return count
})
