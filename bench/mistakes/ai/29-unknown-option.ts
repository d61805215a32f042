// The option `instructions` is misspelt.
import { ToolLoopAgent } from "ai"
import { scripted, verdict } from "./harness.ts"

// mistake: instuctions
const agent = new ToolLoopAgent({ model: scripted(), instuctions: "Answer." })

await verdict(async () => {
  const { text } = await agent.generate({ prompt: "Hello." })
  return text
})
