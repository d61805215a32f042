// The option `instructions` is misspelt.
import { Agent, run } from "@openai/agents"
import { scripted, verdict } from "./harness.ts"

// mistake: instuctions
const clerk = new Agent({ name: "clerk", model: scripted(), instuctions: "Answer." })

await verdict(async () => {
  const { finalOutput } = await run(clerk, "Hello.")
  return finalOutput
})
