// A handler changes an instance of a class, which the caller supplied.
import { Effect } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { scripted, verdict } from "./harness.ts"

class User {
  role = "guest"
}
const Env = ToolContext.make({ user: ToolContext.value<User>() })
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
const user = new User()
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Promote me." }).pipe(
  Effect.map(() => user.role),
  Effect.provide([KitLive, scripted("promote"), Env.layer({ user })])
)

await verdict(() => Effect.runPromise(program), "guest")
