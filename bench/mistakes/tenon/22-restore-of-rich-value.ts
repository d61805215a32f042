// A handler stores a Date, and another run reads it.
// Documented: fine, a field is stored by its schema.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { model, reopened, results, scripted, verdict } from "./harness.ts"

const Visit = State.make("visit", { at: State.field(Schema.Date, { initial: new Date(0) }) })
const Write = Tool.make("write", { writes: [Visit.at] })
const Read = Tool.make("read", { success: Schema.Boolean, reads: [Visit.at] })
const Kit = Toolkit.make(Write, Read)
const KitLive = Toolkit.layer(Kit, {
  // mistake: JSON has no Date
  write: () => Visit.at.set(new Date(1)),
  read: () => Effect.map(Visit.at.get, (at) => at instanceof Date)
})
const Clerk = Agent.make("clerk", { instructions: "Remember.", toolkit: Kit })

const stored = await Effect.runPromise(
  AgentRunner.run(Clerk, { session: "s-1", input: "I am here." }).pipe(Effect.provide([KitLive, scripted("write")]))
)
const program = AgentRunner.run(Clerk, { session: "s-1", input: "When was I here?" }).pipe(
  Effect.map((result) => results(result).at(-1)),
  Effect.provide([KitLive, model("read"), reopened(stored)])
)

await verdict(() => Effect.runPromise(program), true)
