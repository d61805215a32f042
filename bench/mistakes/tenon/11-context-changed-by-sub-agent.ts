// The tool of a sub-agent changes what the parent's caller supplied.
// Documented: compile, values are read-only at any depth.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { delegating, verdict } from "./harness.ts"

const Env = ToolContext.make({ user: Schema.Struct({ role: Schema.String }) })
const Promote = Tool.make("promote", { context: [Env.user] })
const Kit = Toolkit.make(Promote)
const KitLive = Toolkit.layer(Kit, {
  promote: Effect.fnUntraced(function*() {
    const user = yield* Env.user

    // mistake
    user.role = "admin"
  })
})

const Child = Agent.make("child", { instructions: "Promote.", toolkit: Kit })
const Parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(Child)] })
const user = { role: "guest" }
const program = AgentRunner.run(Parent, { session: "s-1", input: "Promote me." }).pipe(
  Effect.map(() => user),
  Effect.provide([KitLive, delegating("promote"), Env.layer({ user })])
)

await verdict(() => Effect.runPromise(program), { role: "guest" })
