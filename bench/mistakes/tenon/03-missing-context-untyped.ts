// A caller whom the types do not bind leaves out the value that a tool needs.
// Documented: start, the run refuses before it asks the model.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Env = ToolContext.make({ userId: Schema.String })
const Who = Tool.make("who", { success: Schema.String, context: [Env.userId] })
const Kit = Toolkit.make(Who)
const KitLive = Toolkit.layer(Kit, { who: () => Effect.map(Env.userId, (id) => `user=${id}`) })
const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Who am I?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")])
)

// mistake: no layer of Env
await verdict(() => Effect.runPromise(program as any))
