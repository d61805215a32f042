// A tool waited for a boolean; it is answered by a number.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { confirmationIn, eventsOf, results, runnerOf, scripted, user, verdict } from "./harness.ts"

const remove = new FunctionTool({
  name: "remove",
  description: "Removes it",
  parameters: z.object({}),
  requireConfirmation: true,
  execute: () => "removed"
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("remove"), tools: [remove] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({ appName: "app", userId: "u", state: {} })

await verdict(async () => {
  const first = await eventsOf(runner.runAsync({ userId: "u", sessionId, newMessage: user("Remove it.") }))
  const id = confirmationIn(first)

  // mistake: 42
  const functionResponse = { id, name: "adk_request_confirmation", response: { confirmed: 42 } }

  const newMessage = { role: "user", parts: [{ functionResponse }] }
  return (await results(runner.runAsync({ userId: "u", sessionId, newMessage }))).at(-1)
})
