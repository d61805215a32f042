// One tool wants `id` as a string, another as a number.
// Documented: compile, the complaint names the key.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Ours = ToolContext.make({ id: Schema.String })
const Theirs = ToolContext.make({ id: Schema.Number })
const A = Tool.make("a", { success: Schema.Number, context: [Ours.id] })
const B = Tool.make("b", { success: Schema.String, context: [Theirs.id] })
const Kit = Toolkit.make(A, B)
const KitLive = Toolkit.layer(Kit, {
  a: () => Effect.map(Ours.id, (id) => id.length),
  b: () => Effect.map(Theirs.id, (id) => id.toFixed(1))
})

// mistake: A and B
const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Go." }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("a", "b"), Ours.layer({ id: "x" }), Theirs.layer({ id: 1 })])
)

await verdict(() => Effect.runPromise(program), [1, "1.0"])
