// Nobody gives a model.
import { createAgent } from "langchain"
import { user, verdict } from "./harness.ts"

await verdict(async () => {
  // mistake: no model
  const clerk = createAgent({ tools: [] })

  const { messages } = await clerk.invoke(user("Hello."))
  return messages.at(-1)?.content
})
