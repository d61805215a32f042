// give this key a type: any and never fit every need
// cure: Give a schema that says what the value is.
import { Effect, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { Agent, Interrupt, State, ToolContext } from "tenon"
import { ToolTest } from "tenon/testing"
import { Conversation, Env, kit, Quota } from "../fixture.ts"

// error: give this key a type: any and never fit every need
ToolContext.make({ tenant: Schema.Any })

// error: give this key a type: any and never fit every need
ToolContext.make({ tenant: Schema.Never })

// error: give this key a type: any and never fit every need
ToolContext.make({ tenant: ToolContext.value<any>() })

// error: give this schema a type: any and never cannot be checked
State.make("s", { any: State.field(Schema.Any, { initial: 0 }) })

// error: give this schema a type: any and never cannot be checked
State.make("s", { never: State.optional(Schema.Never) })

// error: give this schema a type: any and never cannot be checked
State.make("s", { never: State.record(Schema.String, Schema.Any) })

// error: give this schema a type: any and never cannot be checked
Interrupt.make("i", { question: Schema.String, answer: Schema.Any })

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", toolkit: kit as any })

// of needs that nobody knows, a layer gives none away
const agent = Agent.make("a", { instructions: "" }) as Agent.Any

// error: Key<"tenant", string>
Effect.runPromise(Effect.provide(Env.tenant, ToolContext.layer(agent, {})))

// error: Read<"conversation.title", string>
Effect.runPromise(Effect.provide(Conversation.title.get, State.layer(agent, {})))

// error: Key<"tenant", string>
Effect.runPromise(Effect.provide(Env.tenant, ToolTest.layer(Quota as AiTool.Any, {})))
