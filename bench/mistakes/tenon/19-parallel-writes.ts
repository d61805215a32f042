// Two calls of one step read a counter, wait, and write it back one higher.
// Documented: fine, calls that write one field run one after the other.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { scripted, verdict } from "./harness.ts"

const Counter = State.make("counter", { count: State.field(Schema.Int, { initial: 0 }) })
const Count = Tool.make("count", { writes: [Counter.count] })
const Kit = Toolkit.make(Count)
const KitLive = Toolkit.layer(Kit, {
  count: Effect.fnUntraced(function*() {
    const before = yield* Counter.count.get
    yield* Effect.sleep("5 millis")

    // mistake: another call may have written since
    yield* Counter.count.set(before + 1)
  })
})

const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Twice." }).pipe(
  Effect.map(({ session }) => session.state.get(Counter.count)),
  Effect.provide([KitLive, scripted("count", "count")])
)

await verdict(() => Effect.runPromise(program), 2)
