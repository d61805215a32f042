// A tool pushes into the array that it read from state.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { scripted, user, verdict } from "./harness.ts"

const State = z.object({ items: z.array(z.string()).default([]) })
const add = tool((_input, { state }: ToolRuntime<typeof State>) => {
  // mistake
  state.items.push("bread")

  return "ok"
}, { name: "add", schema: z.object({}) })
const clerk = createAgent({ model: scripted("add"), tools: [add], stateSchema: State })

await verdict(async () => {
  const { items } = await clerk.invoke({ ...user("Bread."), items: [] })
  return items
}, ["bread"])
