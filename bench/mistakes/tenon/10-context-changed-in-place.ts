// A handler changes what the caller supplied.
// Documented: compile, values are read-only at any depth.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { scripted, verdict } from "./harness.ts"

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

const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })
const user = { role: "guest" }
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Promote me." }).pipe(
  Effect.map(() => user),
  Effect.provide([KitLive, scripted("promote"), Env.layer({ user })])
)

await verdict(() => Effect.runPromise(program), { role: "guest" })
