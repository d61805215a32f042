// Two packages each bring a tool called `search`.
import { generateText, isStepCount, tool } from "ai"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const ours = { search: tool({ inputSchema: z.object({}), execute: async () => "ours" }) }
const theirs = { search: tool({ inputSchema: z.object({}), execute: async () => 42 }) }

// mistake: two of one name
const tools = { ...ours, ...theirs }

await verdict(async () =>
  results(await generateText({ model: scripted("search"), prompt: "Search.", tools, stopWhen: isStepCount(5) }))
)
