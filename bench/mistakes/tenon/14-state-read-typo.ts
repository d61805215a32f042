// A handler reads a field by a misspelt name.
// Documented: compile.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Counter = State.make("counter", { count: State.field(Schema.Int, { initial: 0 }) })
const Look = Tool.make("look", { success: Schema.Int, reads: [Counter.count] })
const Kit = Toolkit.make(Look)

// mistake: conut
const KitLive = Toolkit.layer(Kit, { look: () => Counter.conut.get })

const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "How many?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("look")])
)

await verdict(() => Effect.runPromise(program))
