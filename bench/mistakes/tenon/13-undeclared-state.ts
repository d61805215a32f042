// A handler reads a field that its tool does not declare.
// Documented: compile, a handler can read what its tool declares.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Counter = State.make("counter", { count: State.field(Schema.Int, { initial: 0 }) })
const Look = Tool.make("look", { success: Schema.Int })
const Kit = Toolkit.make(Look)

// mistake: Look reads nothing
const KitLive = Toolkit.layer(Kit, { look: () => Counter.count.get })

const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "How many?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("look")])
)

await verdict(() => Effect.runPromise(program))
