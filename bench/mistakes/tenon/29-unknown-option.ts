// The option `middleware` is misspelt.
// Documented: compile.
import { Effect } from "effect"
import { Agent, AgentRunner } from "tenon"
import { scripted, verdict } from "./harness.ts"

// mistake: middlewear
const Clerk = Agent.make("clerk", { instructions: "Answer.", middlewear: [] })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Hello." }).pipe(
  Effect.map(({ _tag }) => _tag),
  Effect.provide(scripted())
)

await verdict(() => Effect.runPromise(program))
