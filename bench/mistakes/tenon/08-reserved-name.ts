// A value of the user is called `state`, as the framework's own view of State is.
// Documented: compile, a sentence at the property.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

// mistake: state
const Env = ToolContext.make({ state: Schema.String })

const Who = Tool.make("who", { success: Schema.String, context: [Env.state] })
const Kit = Toolkit.make(Who)
const KitLive = Toolkit.layer(Kit, { who: () => Effect.map(Env.state, (mine) => `state=${mine}`) })
const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Which state?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who"), Env.layer({ state: "mine" })])
)

await verdict(() => Effect.runPromise(program), ["state=mine"])
