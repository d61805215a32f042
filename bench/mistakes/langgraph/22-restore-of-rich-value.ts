// A Date is stored, and another run reads it.
import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph"
import { z } from "zod"
import { verdict } from "./harness.ts"

const checkpointer = new MemorySaver()
const config = { configurable: { thread_id: "t-1" } }

const State = new StateSchema({ at: z.date().optional(), is: z.string().default("") })

// mistake: JSON has no Date
const first = new StateGraph(State).addNode("write", () => ({ at: new Date(1) })).addEdge(START, "write")

const second = new StateGraph(State).addNode("read", ({ at }) => ({ is: `${at instanceof Date}` })).addEdge(
  START,
  "read"
)
await first.compile({ checkpointer }).invoke({}, config)

await verdict(async () => {
  const { is } = await second.compile({ checkpointer }).invoke({}, config)
  return is
}, "true")
