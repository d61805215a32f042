// Nobody provides a model.
// Documented: compile.
import { Effect } from "effect"
import { Agent, AgentRunner, SessionStore } from "tenon"
import { verdict } from "./harness.ts"

const Clerk = Agent.make("clerk", { instructions: "Answer." })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Hello." }).pipe(
  Effect.map(({ _tag }) => _tag),
  Effect.provide(SessionStore.layerMemory)
)

// mistake: no LanguageModel
await verdict(() => Effect.runPromise(program))
