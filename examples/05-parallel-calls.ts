/**
 * 05 · Calls side by side
 *
 * A model may ask for several calls in one step. They run at the same time where their contracts allow it, and the
 * state is as if they had run one by one, in the order asked for: sums overlap and lose nothing, plain writes of one
 * field wait for each other, entries of a record overlap where the tool says by which parameter it picks the entry.
 */
import { Effect, Layer, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, AgentRunner, Reducer, SessionStore, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const Shop = State.make("shop", {
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  lastVisitor: State.field(Schema.String, { initial: "nobody" }),
  orders: State.record(Schema.String, Schema.Struct({ status: Schema.String }))
})

const Visitor = Schema.Struct({ name: Schema.String })
const Order = Schema.Struct({ order: Schema.String })

/** Only adds: two of them at once lose nothing. */
const Count = Tool.make("count", { parameters: Visitor, combines: [Shop.visits] })

/** Sets: the second waits for the first. */
const Greet = Tool.make("greet", { parameters: Visitor, writes: [Shop.lastVisitor] })

/** Touches the one order that its parameter names, and dies if it touches another. */
const Ship = Tool.make("ship", { parameters: Order, writes: [Shop.orders.at("order")] })

const Kit = Toolkit.make(Count, Greet, Ship)
const Clerk = Agent.make("clerk", { instructions: "Run the shop.", toolkit: Kit })

// ----- handlers that take their time, and say when they start and end -----------

const log: Array<string> = []

/** Does something between two moments of a log. */
const watched = <R>(label: string, work: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.gen(function*() {
    log.push(`${label} starts`)
    yield* Effect.sleep("10 millis")
    yield* work
    log.push(`${label} ends`)
  })

const KitLive = Toolkit.layer(Kit, {
  count: ({ name }) => watched(name, Shop.visits.combine(1)),
  greet: ({ name }) => watched(name, Shop.lastVisitor.set(name)),
  ship: ({ order }) => watched(order, Shop.orders.put(order, { status: "shipped" }))
})

// ----- one step of two calls, for each of the three --------------------------------

const step = (tool: string, parameter: string, values: readonly [string, string]) => [
  ScriptedModel.calls(...values.map((value) => ({ tool, parameters: { [parameter]: value } }))),
  ScriptedModel.text("Done.")
]
const world = Layer.merge(
  ScriptedModel.layer([
    ...step("count", "name", ["Ada", "Bob"]),
    ...step("greet", "name", ["Ada", "Bob"]),
    ...step("ship", "order", ["W-1", "W-2"])
  ]),
  SessionStore.layerMemory
)

/** Sends a message, and gives what was logged meanwhile. */
const watch = Effect.fnUntraced(function*(input: string) {
  log.length = 0
  const { session } = yield* AgentRunner.run(Clerk, { session: "s-1", input })
  console.log(`${input.padEnd(14)} ${log.join(", ")}`)
  return { log: [...log], state: session.state }
})

const program = Effect.gen(function*() {
  const counted = yield* watch("count them")
  assert.deepEqual(counted.log.slice(0, 2), ["Ada starts", "Bob starts"])
  assert.equal(counted.state.get(Shop.visits), 2)

  const greeted = yield* watch("greet them")
  assert.deepEqual(greeted.log, ["Ada starts", "Ada ends", "Bob starts", "Bob ends"])
  assert.equal(greeted.state.get(Shop.lastVisitor), "Bob")

  const shipped = yield* watch("ship both")
  assert.deepEqual(shipped.log.slice(0, 2), ["W-1 starts", "W-2 starts"])
  assert.deepEqual(shipped.state.get(Shop.orders), { "W-1": { status: "shipped" }, "W-2": { status: "shipped" } })
  console.log("in the end    ", Object.fromEntries(shipped.state.values))
})

await Effect.runPromise(Effect.provide(program, [KitLive, world]))
