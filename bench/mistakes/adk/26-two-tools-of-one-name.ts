// Two packages each bring a tool called `search`.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

const search = { name: "search", description: "Searches", parameters: z.object({}) }
const ours = new FunctionTool({ ...search, execute: () => "ours" })
const theirs = new FunctionTool({ ...search, execute: () => "theirs" })

// mistake: two of one name
const clerk = new LlmAgent({ name: "clerk", model: scripted("search"), tools: [ours, theirs] })

await verdict(async () => results(runnerOf(clerk).runEphemeral({ userId: "u", newMessage: user("Search.") })))
