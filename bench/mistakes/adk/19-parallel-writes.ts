// Two calls of one step add to a counter.
import { FunctionTool, LlmAgent } from "@google/adk"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const count = new FunctionTool({
  name: "count",
  description: "Counts",
  parameters: z.object({}),
  execute: async (_input, context) => {
    const before = context?.state.get<number>("count") ?? 0
    await setTimeout(5)

    // mistake: another call may have written since
    context?.state.set("count", before + 1)
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("count", "count"), tools: [count] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { count: 0 }
})

await verdict(async () => {
  await results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Twice.") }))
  const session = await runner.sessionService.getSession({ appName: "app", userId: "u", sessionId })
  return session?.state["count"]
}, 2)
