// Did you mean to write 'context'?
// cure: Take the name that the compiler suggests.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Contract, Interrupt, Middleware, State, SubAgent, Tool } from "tenon"
import { Approve, Assistant, Env, Fetch, kit, Plan, Researcher, Search } from "../fixture.ts"

// error: Did you mean to write 'context'?
Tool.make("t", { contexts: [Env.tenant] })

// error: Did you mean to write 'writes'?
Contract.on(Fetch, { write: [Search.count] })

// error: Did you mean to write 'reducer'?
State.field(Schema.String, { initial: "", reduce: 1 })

// error: Did you mean to write 'scope'?
State.optional(Schema.String, { scopes: "user" })

// error: 'children' does not exist in type
State.make("s", {}, { children: "fresh" })

// error: 'answers' does not exist in type
Interrupt.make("i", { question: Schema.String, answers: Schema.String })

// error: Did you mean to write 'hooks'?
Middleware.make("m", { hook: [] })

// error: Did you mean to write 'reads'?
Middleware.beforeRun({ read: [Search.count] }, () => Effect.void)

// what the model said is not stored yet: nothing can be asked then
// error: 'asks' does not exist in type
Middleware.afterModel({ asks: [Approve] }, () => Effect.void)

// a hook on events only reads
// error: 'writes' does not exist in type
Middleware.onEvent({ writes: [Search.count] }, () => Effect.void)

// error: Did you mean to write 'toolkit'?
Agent.make("a", { instructions: "", toolkits: kit })

// error: Did you mean to write 'toolCalls'?
Agent.make("a", { instructions: "", limits: { toolCall: 1 } })

// error: Did you mean to write 'returns'?
SubAgent.make(Researcher, { return: [] })

// error: Did you mean to write 'input'?
AgentRunner.run(Assistant, { session: "s-1", inputs: "", input: "" })

// error: 'inputs' does not exist in type
AgentRunner.stream(Assistant, { session: "s-1", inputs: "" })
