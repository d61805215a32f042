// A sub-agent, called as a tool, needs the tenant, and the parent is given a user alone.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const seen: Array<unknown> = []
const look = tool({
  name: "look",
  description: "Looks at the tenant",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<{ readonly tenant: string }>) => seen.push(run?.context.tenant)
})
const child = new Agent<{ readonly tenant: string }>({ name: "child", model: scripted("look"), tools: [look] })

// mistake: no tenant
const parent = new Agent<{ readonly userId: string }>({
  name: "parent",
  model: scripted("ask"),
  tools: [child.asTool({ toolName: "ask", toolDescription: "Asks." })]
})

await verdict(async () => {
  await run(parent, "Which tenant?", { context: { userId: "u1" } })
  return seen
})
