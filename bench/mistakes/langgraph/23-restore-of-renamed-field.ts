// The field `total` is now called `amount`.
import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph"
import { z } from "zod"
import { verdict } from "./harness.ts"

const checkpointer = new MemorySaver()
const config = { configurable: { thread_id: "t-1" } }

const Old = new StateSchema({ total: z.number().default(0) })
const first = new StateGraph(Old).addNode("write", () => ({ total: 99 })).addEdge(START, "write")
await first.compile({ checkpointer }).invoke({}, config)

// mistake: another name
const State = new StateSchema({ amount: z.number().default(0), seen: z.number().default(0) })

const second = new StateGraph(State).addNode("read", ({ amount }) => ({ seen: amount })).addEdge(START, "read")

await verdict(async () => {
  const { seen } = await second.compile({ checkpointer }).invoke({}, config)
  return seen
}, 99)
