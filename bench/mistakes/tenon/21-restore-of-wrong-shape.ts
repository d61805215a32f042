// The stored count is a string, and the program reads numbers.
// Documented: start, a typed error with the field's place; what is stored stays as it is.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { model, reopened, results, scripted, verdict } from "./harness.ts"

const Old = State.make("counter", { count: State.field(Schema.String, { initial: "" }) })
const Write = Toolkit.make(Tool.make("write", { writes: [Old.count] }))
const WriteLive = Toolkit.layer(Write, { write: () => Old.count.set("many") })
const First = Agent.make("clerk", { instructions: "Count.", toolkit: Write })

const Counter = State.make("counter", { count: State.field(Schema.Int, { initial: 0 }) })
const Read = Toolkit.make(Tool.make("read", { success: Schema.Int, reads: [Counter.count] }))
const ReadLive = Toolkit.layer(Read, { read: () => Effect.map(Counter.count.get, (count) => count + 1) })
const Second = Agent.make("clerk", { instructions: "Count.", toolkit: Read })

const stored = await Effect.runPromise(
  AgentRunner.run(First, { session: "s-1", input: "Count." }).pipe(Effect.provide([WriteLive, scripted("write")]))
)

// mistake: another type, and no version
const program = AgentRunner.run(Second, { session: "s-1", input: "How many?" }).pipe(
  Effect.map(results),
  Effect.provide([ReadLive, model("read"), reopened(stored)])
)

await verdict(() => Effect.runPromise(program))
