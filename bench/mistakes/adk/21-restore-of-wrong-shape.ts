// The stored count is a string, and the schema of state has a number.
// Documented: silent, what is written is checked by `stateSchema`, and what is read is not.
import { FunctionTool, LlmAgent, START, Workflow } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at it",
  parameters: z.object({}),
  execute: (_input, context) => {
    // mistake: another type
    const value = context?.state.get<number>("count")

    return `count=${(value ?? 0) + 1}`
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look] })
const stateSchema = z.object({ count: z.number() })
const runner = runnerOf(new Workflow({ name: "flow", stateSchema, edges: [[START, clerk]] }))
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { count: "many" }
})

await verdict(async () => results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Look.") })))
