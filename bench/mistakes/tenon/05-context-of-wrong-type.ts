// The caller supplies a number where the tool needs a string.
// Documented: compile, at the property.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Env = ToolContext.make({ userId: Schema.String })
const Who = Tool.make("who", { success: Schema.String, context: [Env.userId] })
const Kit = Toolkit.make(Who)
const KitLive = Toolkit.layer(Kit, { who: () => Effect.map(Env.userId, (id) => `user=${id}`) })
const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })

// mistake: 42
const supplied = Env.layer({ userId: 42 })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Who am I?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who"), supplied])
)

await verdict(() => Effect.runPromise(program))
