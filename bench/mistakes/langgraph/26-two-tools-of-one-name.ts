// Two packages each bring a tool called `search`.
import { createAgent, tool } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const schema = z.object({})
const ours = tool(() => "ours", { name: "search", schema })
const theirs = tool(() => "theirs", { name: "search", schema })

await verdict(async () => {
  // mistake: two of one name
  const clerk = createAgent({ model: scripted("search"), tools: [ours, theirs] })

  return results(await clerk.invoke(user("Search.")))
})
