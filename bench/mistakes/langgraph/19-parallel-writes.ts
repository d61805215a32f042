// Two calls of one step read a counter and write it back one higher.
// Documented: run, a field without a reducer takes one value a step; with a reducer both are added.
import { Command } from "@langchain/langgraph"
import { createAgent, tool, ToolMessage, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user, verdict } from "./harness.ts"

const State = z.object({ count: z.number().default(0) })
const count = tool((_input, { state, toolCallId }: ToolRuntime<typeof State>) => {
  const messages = [new ToolMessage({ content: "ok", tool_call_id: toolCallId })]

  // mistake: another call may write too
  return new Command({ update: { count: state.count + 1, messages } })
}, { name: "count", schema: z.object({}) })
const clerk = createAgent({ model: scripted("count", "count"), tools: [count], stateSchema: State })

await verdict(async () => {
  const { count } = await clerk.invoke({ ...user("Twice."), count: 0 })
  return count
}, 2)
