// The field `total` is now called `amount`, and nobody wrote a version for it.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { model, reopened, results, scripted, verdict } from "./harness.ts"

const Old = State.make("bill", { total: State.field(Schema.Int, { initial: 0 }) })
const Write = Toolkit.make(Tool.make("write", { writes: [Old.total] }))
const WriteLive = Toolkit.layer(Write, { write: () => Old.total.set(99) })
const First = Agent.make("clerk", { instructions: "Count.", toolkit: Write })

const Bill = State.make("bill", { amount: State.field(Schema.Int, { initial: 0 }) })
const Read = Toolkit.make(Tool.make("read", { success: Schema.Int, reads: [Bill.amount] }))
const ReadLive = Toolkit.layer(Read, { read: () => Bill.amount.get })
const Second = Agent.make("clerk", { instructions: "Count.", toolkit: Read })

const stored = await Effect.runPromise(
  AgentRunner.run(First, { session: "s-1", input: "99." }).pipe(Effect.provide([WriteLive, scripted("write")]))
)

// mistake: another name, and no version
const program = AgentRunner.run(Second, { session: "s-1", input: "How much?" }).pipe(
  Effect.map((result) => results(result).at(-1)),
  Effect.provide([ReadLive, model("read"), reopened(stored)])
)

await verdict(() => Effect.runPromise(program), 99)
