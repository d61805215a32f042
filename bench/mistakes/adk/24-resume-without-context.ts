// A call waited for a confirmation; the run goes on without the value that it had.
// Documented: fine, the value is in the session.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { askedIn, eventsOf, results, runnerOf, scripted, user, verdict } from "./harness.ts"

const remove = new FunctionTool({
  name: "remove",
  description: "Removes it",
  parameters: z.object({}),
  requireConfirmation: true,
  execute: (_input, context) => `removed for ${context?.state.get<string>("userId")}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("remove"), tools: [remove] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({ appName: "app", userId: "u", state: {} })

await verdict(async () => {
  const stateDelta = { userId: "u1" }
  const first = await eventsOf(runner.runAsync({ userId: "u", sessionId, newMessage: user("Remove it."), stateDelta }))
  const id = askedIn(first)
  const response = { id, name: "adk_request_confirmation", response: { confirmed: true } }

  // mistake: no userId
  const answer = { userId: "u", sessionId, newMessage: { role: "user", parts: [{ functionResponse: response }] } }

  return (await results(runner.runAsync(answer))).at(-1)
}, "removed for u1")
