// A handler writes a string into a field of numbers.
// Documented: compile.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Counter = State.make("counter", { count: State.field(Schema.Int, { initial: 0 }) })
const Count = Tool.make("count", { writes: [Counter.count] })
const Kit = Toolkit.make(Count)

// mistake: "one"
const KitLive = Toolkit.layer(Kit, { count: () => Counter.count.set("one") })

const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Count." }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("count")])
)

await verdict(() => Effect.runPromise(program))
