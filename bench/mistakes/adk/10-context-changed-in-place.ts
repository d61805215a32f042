// A tool changes what the caller supplied with the run; what `createSession` is given is copied.
import { FunctionTool, LlmAgent } from "@google/adk"
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
const clerk = new LlmAgent({ name: "clerk", model: scripted("promote"), tools: [promote] })

await verdict(async () => {
  const given = { role: "guest" }
  const run = { userId: "u", newMessage: user("Promote me."), stateDelta: { user: given } }
  const done = await results(runnerOf(clerk).runEphemeral(run))
  return [...done, given.role]
}, ["ok", "guest"])
