// Nobody gives a model.
import { ToolLoopAgent } from "ai"
import { verdict } from "./harness.ts"

// mistake: no model
const agent = new ToolLoopAgent({ instructions: "Answer." })

await verdict(async () => {
  const { text } = await agent.generate({ prompt: "Hello." })
  return text
})
