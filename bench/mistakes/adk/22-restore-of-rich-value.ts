// A Date is stored, and another run reads it.
// The sessions in memory keep it as it is; those in a database keep JSON.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at it",
  parameters: z.object({}),
  execute: (_input, context) => {
    // mistake: JSON has no Date
    const value = context?.state.get<Date>("at")

    return `${value instanceof Date}`
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { at: new Date(1) }
})

await verdict(async () => results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Look.") })), ["true"])
