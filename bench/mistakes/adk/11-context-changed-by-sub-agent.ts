// The tool of a sub-agent changes what the parent's caller supplied.
// Documented: fine, an agent that is called as a tool has a session of its own, which begins with a copy.
import { AgentTool, FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const promote = new FunctionTool({
  name: "promote",
  description: "Promotes the user",
  parameters: z.object({}),
  execute: (_input, context) => {
    const user = context?.state.get<{ role: string }>("user")

    // mistake
    if (user !== undefined) user.role = "admin"

    return "ok"
  }
})
const child = new LlmAgent({ name: "child", model: scripted("promote"), tools: [promote] })
const parent = new LlmAgent({
  name: "parent",
  model: scripted("child"),
  tools: [new AgentTool({ agent: child })]
})

await verdict(async () => {
  const given = { role: "guest" }
  const run = { userId: "u", newMessage: user("Promote me."), stateDelta: { user: given } }
  const done = await results(runnerOf(parent).runEphemeral(run))
  return [...done, given.role]
}, ["done", "guest"])
