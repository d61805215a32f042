// The option `systemPrompt` is misspelt.
import { createAgent } from "langchain"
import { scripted, user, verdict } from "./harness.ts"

// mistake: sytemPrompt
const clerk = createAgent({ model: scripted(), tools: [], sytemPrompt: "Answer." })

await verdict(async () => {
  const { messages } = await clerk.invoke(user("Hello."))
  return messages.at(-1)?.content
})
