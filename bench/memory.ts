/**
 * Memory of an idle session in the memory store: `npm run bench:memory [-- --sessions 500 --steps 10]`.
 *
 * Each session has a run behind it, answered or paused by a question. Nothing of a run stays: what is measured is its
 * log, as the heap after a collection, beside the length of the same events as JSON.
 */
import { Effect, Layer, Schema } from "effect"
import { parseArgs } from "node:util"
import { Agent, AgentRunner, Interrupt, Reducer, Session, SessionStore, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const { values } = parseArgs({
  options: { sessions: { type: "string", default: "500" }, steps: { type: "string", default: "10" } }
})
const [sessions, steps] = [Number(values.sessions), Number(values.steps)]

const Counter = State.make("counter", { calls: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Count = Tool.make("count", { success: Schema.String, combines: [Counter.calls] })
const Ask = Tool.make("ask", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Count, Ask)
const live = Toolkit.layer(kit, {
  count: () => Effect.as(Counter.calls.combine(1), "counted"),
  ask: () => Confirm.ask("Go on?")
})
const agent = Agent.make("agent", { instructions: "Count.", toolkit: kit })

const heap = Effect.sync(() => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
})

const fill = Effect.fnUntraced(function*(prefix: string, last: ScriptedModel.Turn, amount: number) {
  const script = [...Array.from({ length: steps }, () => ScriptedModel.call("count")), last]
  let size = 0
  for (let index = 0; index < amount; index++) {
    const { session } = yield* AgentRunner.run(agent, { session: `${prefix}-${index}`, input: "Go." }).pipe(
      Effect.provide([ScriptedModel.layer(script), live])
    )
    size += JSON.stringify(Session.encode(session.events)).length
  }
  return size / amount
})

const measure = Effect.fnUntraced(function*(name: string, last: ScriptedModel.Turn) {
  const store = yield* Layer.build(SessionStore.layerMemory)
  return yield* Effect.provideContext(
    Effect.gen(function*() {
      yield* fill("warm", last, 20)
      const before = yield* heap
      const json = yield* fill(name, last, sessions)
      const kept = ((yield* heap) - before) / sessions
      const events = (yield* Session.load({ app: "agent", session: `${name}-0` }, agent)).revision
      const bytes = (count: number) => `${(count / 1024).toFixed(1)} kB`
      console.log(`| ${name} | ${events} | ${bytes(kept)} | ${bytes(json)} |`)
    }),
    store
  )
})

console.log(`| ${steps} steps | events | heap a session | as JSON |\n|---|---|---|---|`)
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  yield* measure("answered", ScriptedModel.text("Done."))
  yield* measure("paused", ScriptedModel.call("ask"))
})))
