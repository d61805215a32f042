// Property 'tenant' is missing in type
// cure: Supply the key where the first agent is run: what a target needs, whoever lists it needs.
import { Effect } from "effect"
import { Agent, AgentRunner, ToolContext, Transfer } from "tenon"
import { db, Env, Infra, Researcher, SearchLive } from "../fixture.ts"

const Desk = Agent.make("desk", { instructions: "", transfers: [Transfer.make(Researcher)] })

// error: Property 'tenant' is missing in type
ToolContext.layer(Desk, { db, userId: 1 })

const program = AgentRunner.run(Desk, { session: "s-1", input: "" }).pipe(
  Effect.provide([SearchLive, Infra]),
  Effect.provideService(Env.db, db),
  Effect.provideService(Env.userId, 1)
)

// error: Key<"tenant", string>
Effect.runPromise(program)
