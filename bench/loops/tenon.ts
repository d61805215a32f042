/** The loop of this library, on a session in memory, where each call also counts itself in State. */
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Reducer, SessionStore, State, Tool, ToolContext, Toolkit } from "tenon"
import { model, perform } from "./model.ts"
import { otherHandlers, others } from "./others.ts"

const Env = ToolContext.make({ user: Schema.String })
const Count = State.make("count", { calls: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Noop = Tool.make("noop", {
  description: "Does nothing.",
  success: Schema.String,
  context: [Env.user],
  combines: [Count.calls]
})
let calls = 0
const kit = Toolkit.make(Noop, ...others)
const handlers = kit.toLayer({
  ...otherHandlers,
  noop: () => Effect.flatMap(Env.user, (user) => (calls++, Effect.as(Count.calls.combine(1), user)))
} as never)
const Assistant = Agent.make("assistant", { instructions: "", toolkit: kit })
let session = 0

export const tenon = async (steps: number): Promise<number> => {
  calls = 0
  const run = AgentRunner.run(Assistant, { session: `s${session++}`, input: "x" }).pipe(
    Effect.provide([handlers, model, SessionStore.layerMemory, ToolContext.layer(Assistant, { user: "u1" })])
  )
  await perform(
    steps,
    Effect.map(run as Effect.Effect<Effect.Success<typeof run>, unknown>, (result) => {
      if (result.session.state.get(Count.calls) !== steps) throw new Error("a call was lost")
    })
  )
  return calls
}
