// A fiber that a call leaves behind writes once the run is over.
// Documented: run, the write dies in that fiber.
import { Effect, Fiber, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { scripted, verdict } from "./harness.ts"

const Counter = State.make("counter", { count: State.field(Schema.Int, { initial: 0 }) })
const Count = Tool.make("count", { writes: [Counter.count] })
const Kit = Toolkit.make(Count)
const left: Array<Fiber.Fiber<void>> = []
const KitLive = Toolkit.layer(Kit, {
  count: Effect.fnUntraced(function*() {
    // mistake: nobody waits for it
    left.push(yield* Effect.forkDetach(Effect.delay(Counter.count.set(1), "20 millis")))
  })
})

const Clerk = Agent.make("clerk", { instructions: "Count.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Count." }).pipe(
  Effect.provide([KitLive, scripted("count")]),
  Effect.andThen(Fiber.joinAll(left))
)

await verdict(() => Effect.runPromise(program))
