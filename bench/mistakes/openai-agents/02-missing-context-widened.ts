// The agent is in a list of agents of any context, and the caller leaves out its context.
import { Agent, run, type RunContext, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

interface Env {
  readonly userId: string
}
const who = tool({
  name: "who",
  description: "Who is it?",
  parameters: z.object({}),
  execute: (_input, run?: RunContext<Env>) => `user=${run?.context.userId}`
})
const agents: ReadonlyArray<Agent<any, any>> = [new Agent<Env>({ name: "clerk", model: scripted("who"), tools: [who] })]

await verdict(async () => {
  // mistake: no context
  const all = await Promise.all(agents.map((agent) => run(agent, "Who am I?")))

  return all.flatMap(results)
})
