// A handler pushes into the array that it read from State.
// Documented: compile, what is read is read-only at any depth.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, State, Tool, Toolkit } from "tenon"
import { scripted, verdict } from "./harness.ts"

const List = State.make("list", { items: State.field(Schema.Array(Schema.String), { initial: [] }) })
const Add = Tool.make("add", { writes: [List.items] })
const Kit = Toolkit.make(Add)
const KitLive = Toolkit.layer(Kit, {
  add: Effect.fnUntraced(function*() {
    const items = yield* List.items.get

    // mistake
    items.push("bread")
  })
})

const Clerk = Agent.make("clerk", { instructions: "Shop.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Bread." }).pipe(
  Effect.map(({ session }) => session.state.get(List.items)),
  Effect.provide([KitLive, scripted("add")])
)

await verdict(() => Effect.runPromise(program), ["bread"])
