// Property 'tenant' is missing in type
// cure: Supply the key where the parent is run: what a sub-agent needs, its parent needs.
import { Effect } from "effect"
import { Agent, AgentRunner, SubAgent, ToolContext } from "tenon"
import { db, Env, Infra, Researcher, SearchLive } from "../fixture.ts"

const Parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(Researcher)] })
const Grandparent = Agent.make("grandparent", { instructions: "", subAgents: [SubAgent.make(Parent)] })

// error: Property 'tenant' is missing in type
ToolContext.layer(Grandparent, { db, userId: 1 })

const program = AgentRunner.run(Grandparent, { session: "s-1", input: "" }).pipe(
  Effect.provide([SearchLive, Infra]),
  Effect.provideService(Env.db, db),
  Effect.provideService(Env.userId, 1)
)

// error: Key<"tenant", string>
Effect.runPromise(program)
