// A tool pushes into the array that it read.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const add = new FunctionTool({
  name: "add",
  description: "Adds",
  parameters: z.object({}),
  execute: (_input, context) => {
    // mistake
    context?.state.get<Array<string>>("items")?.push("bread")

    return "ok"
  }
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("add"), tools: [add] })
const runner = runnerOf(clerk)
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "app",
  userId: "u",
  state: { items: [] }
})

await verdict(async () => {
  const done = await results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Bread.") }))
  const session = await runner.sessionService.getSession({ appName: "app", userId: "u", sessionId })
  return [...done, session?.state["items"]]
}, ["ok", ["bread"]])
