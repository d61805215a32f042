// A call waited for an approval; it is answered by a number where a boolean belongs.
import { generateText, isStepCount, type ModelMessage, tool } from "ai"
import { z } from "zod"
import { scripted, verdict } from "./harness.ts"

const send = tool({ inputSchema: z.object({}), execute: async () => "sent" })
const messages: Array<ModelMessage> = [{ role: "user", content: "Send it." }]
const options = { tools: { send }, stopWhen: isStepCount(5), toolApproval: { send: "user-approval" } } as const

const paused = await generateText({ ...options, model: scripted("send"), messages })
const [request] = paused.content.filter((part) => part.type === "tool-approval-request")
messages.push(...paused.responseMessages)

// mistake: 42
messages.push({
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved: 42 }]
})

await verdict(async () => {
  const { responseMessages } = await generateText({ ...options, model: scripted(), messages })
  return responseMessages
})
