// A tool has no `execute`.
import { FunctionTool, LlmAgent } from "@google/adk"
import { z } from "zod"
import { results, runnerOf, scripted, user, verdict } from "./harness.ts"

// mistake: no execute
const who = new FunctionTool({ name: "who", description: "Says who asks", parameters: z.object({}) })

const clerk = new LlmAgent({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => results(runnerOf(clerk).runEphemeral({ userId: "u", newMessage: user("Who am I?") })))
