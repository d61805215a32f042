// A tool writes after it has ended; the run is over, and what is stored stays as it was.
import { FunctionTool, LlmAgent } from "@google/adk"
import { setTimeout } from "node:timers/promises"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const count = new FunctionTool({
  name: "count",
  description: "Counts",
  parameters: z.object({}),
  execute: (_input, context) => {
    // mistake: not awaited
    void setTimeout(20).then(() => context?.state.set("count", 1))

    return "ok"
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("count"), tools: [count] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { count: 0 }
})

await verdict(async () => {
  await results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Count.") }))
  await setTimeout(50)
  const session = await runner.sessionService.getSession({ appName: "app", userId: "u", sessionId })
  return session?.state["count"]
}, 0)
