// One tool wants `id` as a string, another as a number.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const schema = z.object({})
const a = tool((_input, { context }: ToolRuntime<unknown, { id: string }>) => `${context.id.length}`, {
  name: "a",
  schema
})
const b = tool((_input, { context }: ToolRuntime<unknown, { id: number }>) => context.id.toFixed(1), {
  name: "b",
  schema
})

// mistake: a and b
const clerk = createAgent({ model: scripted("a", "b"), tools: [a, b], contextSchema: z.object({ id: z.string() }) })

await verdict(async () => results(await clerk.invoke(user("Go."), { context: { id: "x" } })))
