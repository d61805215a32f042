// The field `total` is now called `amount`.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at it",
  parameters: z.object({}),
  execute: (_input, context) => {
    // mistake: another name
    const value = context?.state.get<number>("amount")

    return `amount=${value}`
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { total: 99 }
})

await verdict(async () => results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Look.") })), [
  "amount=99"
])
