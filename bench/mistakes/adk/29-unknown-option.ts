// The option `instruction` is misspelt.
import { LlmAgent } from "@google/adk"
import { eventsOf, runnerOf, scripted, user, verdict } from "./harness.ts"

// mistake: instuction
const clerk = new LlmAgent({ name: "clerk", model: scripted(), instuction: "Answer." })

await verdict(async () => {
  const events = await eventsOf(runnerOf(clerk).runEphemeral({ userId: "u", newMessage: user("Hello.") }))
  return events.at(-1)?.content?.parts?.[0]?.text
})
