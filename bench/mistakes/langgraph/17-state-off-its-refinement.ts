// A tool writes 1.5 into a field of integers.
import { Command } from "@langchain/langgraph"
import { createAgent, tool, ToolMessage, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user, verdict } from "./harness.ts"

const State = z.object({ count: z.int().default(0) })
const count = tool((_input, { toolCallId }: ToolRuntime<typeof State>) => {
  const messages = [new ToolMessage({ content: "ok", tool_call_id: toolCallId })]

  // mistake: 1.5
  return new Command({ update: { count: 1.5, messages } })
}, { name: "count", schema: z.object({}) })
const clerk = createAgent({ model: scripted("count"), tools: [count], stateSchema: State })

await verdict(async () => {
  const { count } = await clerk.invoke({ ...user("Count."), count: 0 })
  return count
})
