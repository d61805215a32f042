// The tool of a sub-agent needs the tenant, and the parent is given a user alone.
// Documented: a sub-agent begins with the state of its parent.
import { AgentTool, FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const found: Array<string> = []
const look = new FunctionTool({
  name: "look",
  description: "Looks",
  parameters: z.object({}),
  execute: (_input, context) => found.push(`tenant=${context?.state.get<string>("tenant")}`)
})
const child = new LlmAgent({ name: "child", model: scripted("look"), tools: [look] })
const parent = new LlmAgent({
  name: "parent",
  model: scripted("child"),
  tools: [new AgentTool({ agent: child })]
})

await verdict(async () => {
  // mistake: no tenant
  const run = { userId: "u", newMessage: user("Which tenant?"), stateDelta: { userId: "u1" } }

  await results(runnerOf(parent).runEphemeral(run))
  return found
})
