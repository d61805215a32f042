// A call waited for an approval; the run goes on from its messages, without `toolsContext`.
import { generateText, isStepCount, type ModelMessage, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const remove = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => `removed for ${context.userId}`
})
const messages: Array<ModelMessage> = [{ role: "user", content: "Remove it." }]
const options = {
  tools: { remove },
  stopWhen: isStepCount(5),
  toolApproval: { remove: "user-approval" }
} as const

const toolsContext = { remove: { userId: "u1" } }
const paused = await generateText({ ...options, model: scripted("remove"), messages, toolsContext })
messages.push(...paused.responseMessages, {
  role: "tool",
  content: paused.content.flatMap((part) =>
    part.type === "tool-approval-request"
      ? [{ type: "tool-approval-response", approvalId: part.approvalId, approved: true } as const]
      : []
  )
})

await verdict(async () => {
  // mistake: no toolsContext
  const { responseMessages } = await generateText({ ...options, model: scripted(), messages })

  return responseMessages
})
