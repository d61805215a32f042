// A value of the user is called as if it were the app's: another user gets it.
// Documented: names that begin with `app:` are shared by all users.
import { FunctionTool, InMemorySessionService, LlmAgent, Runner } from "@google/adk"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const who = new FunctionTool({
  name: "who",
  description: "Says who asks",
  parameters: z.object({}),
  execute: (_input, context) => `user=${context?.state.get<string>("app:user")}`
})
const clerk = () => new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })
const sessionService = new InMemorySessionService()

await verdict(async () => {
  // mistake: app:user
  const ada = { userId: "ada", newMessage: user("Who am I?"), stateDelta: { "app:user": "ada" } }

  const bob = { userId: "bob", newMessage: user("Who am I?") }
  const first = await results(new Runner({ appName: "app", agent: clerk(), sessionService }).runEphemeral(ada))
  const second = await results(new Runner({ appName: "app", agent: clerk(), sessionService }).runEphemeral(bob))
  return [...first, ...second]
}, ["user=ada", "user=undefined"])
