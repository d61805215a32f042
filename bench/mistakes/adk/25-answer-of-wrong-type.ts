// A workflow asked for a boolean; it is answered by a number.
// Documented: start, a reply is checked by `responseSchema`; a bare value would be taken for a text, and is not.
import { node, RequestInput, START, Workflow } from "@google/adk"
import { z } from "zod"
import { askedIn, eventsOf, runnerOf, user, verdict } from "./harness.ts"

const Answer = z.object({ yes: z.boolean() })
const ask = node(() => new RequestInput({ message: "Remove it?", responseSchema: Answer }), { name: "ask" })
const remove = node((_context, { yes }: z.infer<typeof Answer>) => yes ? "removed" : "kept", { name: "remove" })
const runner = runnerOf(new Workflow({ name: "flow", edges: [[START, ask, remove]] }))
const { id: sessionId } = await runner.sessionService.createSession({ appName: "app", userId: "u", state: {} })
const id = askedIn(await eventsOf(runner.runAsync({ userId: "u", sessionId, newMessage: user("Remove it.") })))

await verdict(async () => {
  // mistake: 42
  const functionResponse = { id, name: "adk_request_input", response: { yes: 42 } }

  const newMessage = { role: "user", parts: [{ functionResponse }] }
  const events = await eventsOf(runner.runAsync({ userId: "u", sessionId, newMessage }))
  return events.at(-1)?.output
})
