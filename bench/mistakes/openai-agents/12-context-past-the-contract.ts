// A tool reads a variable of its module, which nobody has set.
import { Agent, run, tool } from "@openai/agents"
import { z } from "zod"
import { results, scripted, verdict } from "./harness.ts"

const request: { userId?: string } = {}
const who = tool({
  name: "who",
  description: "Who is it?",
  parameters: z.object({}),
  // mistake: request is in no contract
  execute: () => `user=${request.userId}`
})
const clerk = new Agent({ name: "clerk", model: scripted("who"), tools: [who] })

await verdict(async () => results(await run(clerk, "Who am I?")))
