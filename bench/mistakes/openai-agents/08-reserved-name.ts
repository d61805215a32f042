// Values of the user are called `usage` and `approvals`, as two of the framework's are.
// Documented: fine, the user's values are under `context`.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

// mistake: usage, approvals
interface Env {
  readonly usage: string
  readonly approvals: string
}

const who = tool({
  name: "who",
  description: "Who is it?",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<Env>) =>
    `mine=${run?.context.usage},${run?.context.approvals} its=${run?.usage.requests}`
})
const clerk = new Agent<Env>({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => results(await run(clerk, "Who?", { context: { usage: "x", approvals: "y" } })), [
  "mine=x,y its=1"
])
