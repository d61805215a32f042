// A field of the user's state is called `messages`, as the framework's own is.
import { createAgent, tool, type ToolRuntime } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

// mistake: messages
const State = z.object({ messages: z.string().default("mine") })

const look = tool((_input, { state }: ToolRuntime<typeof State>) => `messages=${state.messages}`, {
  name: "look",
  schema: z.object({})
})

await verdict(async () => {
  const clerk = createAgent({ model: scripted("look"), tools: [look], stateSchema: State })
  return results(await clerk.invoke(user("Look.") as any))
})
