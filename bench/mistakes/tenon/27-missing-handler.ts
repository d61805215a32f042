// Nobody wrote the handler of a tool.
// Documented: compile.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Add = Tool.make("add", { success: Schema.Int })
const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Toolkit.make(Add) })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Add." }).pipe(
  Effect.map(results),
  Effect.provide(scripted("add"))
)

// mistake: no handler of Add
await verdict(() => Effect.runPromise(program))
