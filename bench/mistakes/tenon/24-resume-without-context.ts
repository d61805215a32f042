// A call waited for an approval; the run goes on without the value that the tool needs.
// Documented: compile, a resumed run requires what a run requires.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Interrupt, Tool, ToolContext, Toolkit } from "tenon"
import { model, reopened, results, scripted, verdict } from "./harness.ts"

const Env = ToolContext.make({ userId: Schema.String })
const Delete = Tool.make("delete", {
  success: Schema.String,
  context: [Env.userId],
  approval: () => Effect.succeed("Delete it?")
})
const Kit = Toolkit.make(Delete)
const KitLive = Toolkit.layer(Kit, { delete: () => Effect.map(Env.userId, (id) => `deleted for ${id}`) })
const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })

const paused = await Effect.runPromise(
  AgentRunner.run(Clerk, { session: "s-1", input: "Delete it." }).pipe(
    Effect.provide([KitLive, scripted("delete"), Env.layer({ userId: "u1" })])
  )
)
const answers = paused.session.open.map(({ id }) => Interrupt.approve(id))
const program = AgentRunner.resume(Clerk, { session: "s-1", answers }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, model(), reopened(paused)])
)

// mistake: no layer of Env
await verdict(() => Effect.runPromise(program))
