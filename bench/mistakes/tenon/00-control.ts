// A tool reads a value that the caller supplies.
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
  Effect.provide([KitLive, scripted("who"), Env.layer({ userId: "u1" })])
)

await verdict(() => Effect.runPromise(program), ["user=u1"])
