// Nobody gives a model.
import { Agent } from "@mastra/core/agent"
import { verdict } from "./harness.ts"

await verdict(async () => {
  // mistake: no model
  const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "" })

  const { text } = await clerk.generate("Hello.")
  return text
})
