// The stored count is a string, and the program reads numbers. (What is written is checked by its schema, what is read
// is not.)
import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph"
import { z } from "zod"
import { verdict } from "./harness.ts"

const checkpointer = new MemorySaver()
const config = { configurable: { thread_id: "t-1" } }

const Old = new StateSchema({ count: z.string().default("") })
const first = new StateGraph(Old).addNode("write", () => ({ count: "many" })).addEdge(START, "write")
await first.compile({ checkpointer }).invoke({}, config)

// mistake: another type
const State = new StateSchema({ count: z.number().default(0), next: z.string().default("") })

const second = new StateGraph(State).addNode("read", ({ count }) => ({ next: `${count + 1}` })).addEdge(START, "read")

await verdict(async () => {
  const { next } = await second.compile({ checkpointer }).invoke({}, config)
  return next
})
