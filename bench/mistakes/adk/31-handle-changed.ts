// A tool changes an instance of a class, which the caller supplied with the run.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

class User {
  role = "guest"
}
const promote = new FunctionTool({
  name: "promote",
  description: "Promotes the user",
  parameters: z.object({}),
  execute: (_input, context) => {
    const user = context?.state.get<User>("user")

    // mistake
    if (user !== undefined) user.role = "admin"

    return "ok"
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("promote"), tools: [promote] })

await verdict(async () => {
  const given = new User()
  const run = { userId: "u", newMessage: user("Promote me."), stateDelta: { user: given } }
  const done = await results(runnerOf(clerk).runEphemeral(run))
  return [...done, given.role]
}, ["ok", "guest"])
