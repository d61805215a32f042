// The option `instructions` is misspelt.
import { Agent } from "@mastra/core/agent"
import { scripted, verdict } from "./harness.ts"

// mistake: instuctions
const clerk = new Agent({ id: "clerk", name: "clerk", instructions: "", instuctions: "Answer.", model: scripted() })

await verdict(async () => {
  const { text } = await clerk.generate("Hello.")
  return text
})
