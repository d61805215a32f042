// A sub-agent's tool needs the tenant, and the parent's caller supplies a user alone.
// Documented: compile, what a sub-agent needs its parent needs.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { delegating, results, verdict } from "./harness.ts"

const Env = ToolContext.make({ userId: Schema.String, tenant: Schema.String })
const Look = Tool.make("look", { success: Schema.String, context: [Env.tenant] })
const Kit = Toolkit.make(Look)
const KitLive = Toolkit.layer(Kit, { look: () => Effect.map(Env.tenant, (tenant) => `tenant=${tenant}`) })
const Child = Agent.make("child", { instructions: "Look.", toolkit: Kit })
const Parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(Child)] })

const program = AgentRunner.run(Parent, { session: "s-1", input: "Which tenant?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, delegating("look")]),
  Effect.provideService(Env.userId, "u1")
)

// mistake: no tenant
await verdict(() => Effect.runPromise(program))
