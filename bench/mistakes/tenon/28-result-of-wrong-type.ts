// A handler gives a string where its tool declares a number.
// Documented: compile.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Add = Tool.make("add", { success: Schema.Int })
const Kit = Toolkit.make(Add)

const KitLive = Toolkit.layer(Kit, {
  // mistake: "3"
  add: () => Effect.succeed("3")
})

const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Add." }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("add")])
)

await verdict(() => Effect.runPromise(program))
