// A tool writes the count under a misspelt name.
// Documented: run, `stateSchema` checks what the nodes of a workflow write.
import { FunctionTool, LlmAgent, START, Workflow } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const count = new FunctionTool({
  name: "count",
  description: "Counts",
  parameters: z.object({}),
  execute: (_input, context) => {
    // mistake: conut
    context?.state.set("conut", 1)

    return "ok"
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("count"), tools: [count] })
const stateSchema = z.object({ count: z.number() })
const runner = runnerOf(new Workflow({ name: "flow", stateSchema, edges: [[START, clerk]] }))
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { count: 0 }
})

await verdict(async () => {
  const told = await results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Count.") }))
  const session = await runner.sessionService.getSession({ appName: "app", userId: "u", sessionId })
  return [told, session?.state["count"]]
})
