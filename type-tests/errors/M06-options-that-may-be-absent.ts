// list these one by one: a handler could use what is not there
// cure: Declare what the handler may use in every case; what is only sometimes declared would be missing.
import { Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { Contract, Tool } from "tenon"
import { Conversation, Env } from "../fixture.ts"

declare const flag: boolean
declare const description: string | undefined

// error: list these one by one: a handler could use what is not there
Tool.make("t", { success: Schema.String, ...(flag ? { context: [Env.tenant] } : {}) })

// error: list these one by one: a handler could use what is not there
Tool.make("t", { ...(flag && { reads: [Conversation.title] }) })

// error: list these one by one: a handler could use what is not there
Contract.on(AiTool.make("t", {}), { ...(flag ? { writes: [Conversation.title] } : {}) })

Tool.make("t", { context: [Env.tenant], ...(description !== undefined && { description }) })
