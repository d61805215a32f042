// A tool reads a variable of its module, which nobody has set.
import { createAgent, tool } from "langchain"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const request: { userId?: string } = {}

// mistake: request is in no contract
const who = tool(() => `user=${request.userId}`, { name: "who", schema: z.object({}) })

const clerk = createAgent({ model: scripted("who"), tools: [who] })

await verdict(async () => results(await clerk.invoke(user("Who am I?"))))
