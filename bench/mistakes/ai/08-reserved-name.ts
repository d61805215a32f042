// Values of the user are called `toolCallId` and `messages`, as two of the framework's are.
// Documented: fine, a tool's own values are under `context`.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const who = tool({
  inputSchema: z.object({}),
  // mistake: toolCallId, messages
  contextSchema: z.object({ toolCallId: z.number(), messages: z.string() }),
  execute: async (_input, { context, messages, toolCallId }) =>
    `mine=${context.toolCallId},${context.messages} its=${toolCallId},${messages.length}`
})

await verdict(async () => {
  const toolsContext = { who: { toolCallId: 7, messages: "x" } }
  const stopWhen = isStepCount(5)
  const model = scripted("who")
  return results(await generateText({ model, prompt: "Who?", tools: { who }, stopWhen, toolsContext }))
}, ["mine=7,x its=call-0,1"])
