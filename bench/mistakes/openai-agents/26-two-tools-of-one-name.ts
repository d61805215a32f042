// Two packages each bring a tool called `search`.
import { Agent, run, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const parameters = z.object({})
const ours = tool({ name: "search", description: "Searches", parameters, execute: () => "ours" })
const theirs = tool({ name: "search", description: "Searches", parameters, execute: () => "theirs" })

await verdict(async () => {
  // mistake: two of one name
  const clerk = new Agent({ name: "clerk", model: scripted("search"), tools: [ours, theirs] })

  return results(await run(clerk, "Search."))
})
