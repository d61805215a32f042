// Nobody gives a model.
import { LlmAgent } from "@google/adk"
import { eventsOf, runnerOf, user, verdict } from "./harness.ts"

// mistake: no model
const clerk = new LlmAgent({ name: "clerk" })

await verdict(async () => {
  const events = await eventsOf(runnerOf(clerk).runEphemeral({ userId: "u", newMessage: user("Hello.") }))
  return events.at(-1)?.content?.parts?.[0]?.text
})
