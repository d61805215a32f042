/**
 * 13 · Testing agents
 *
 * An agent, or a part of one, under test in three lines: what it must be given is a type, what the model says is a script,
 * and what happened is data to assert on with any library. One test runs a tool as the agent's own and in a sub-agent;
 * contexts, states and arguments come out of the contract. No test runner is needed: each `test` here may be one of yours.
 */
import { Arbitrary, Effect, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import assert from "node:assert/strict"
import { Agent, Interrupt, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"
import { Generate, ScriptedModel, TestAgent } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String })
const Cart = State.make("cart", {
  items: State.record(Schema.String, Schema.Int),
  added: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Sure = Interrupt.make("sure", { question: Schema.String, answer: Schema.Boolean })

const Add = Tool.make("add", {
  parameters: Schema.Struct({
    item: Schema.String,
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))
  }),
  success: Schema.String,
  context: [Env.tenant],
  writes: [Cart.items],
  combines: [Cart.added],
  asks: [Sure]
})
const Price = Tool.make("price", { success: Schema.Finite, timeout: "10 seconds" })
const AddLive = Toolkit.layer(Toolkit.make(Add), {
  add: Effect.fnUntraced(function*({ count, item }) {
    if (count > 100 && !(yield* Sure.ask(`${count} of ${item}?`))) return "nothing added"
    const before = yield* Cart.items.entry(item)
    yield* Cart.items.put(item, count + Option.getOrElse(before, () => 0))
    yield* Cart.added.combine(count)
    return `${item} of ${yield* Env.tenant}`
  })
})
const Shop = Agent.make("shop", { instructions: "Sell.", toolkit: Toolkit.make(Add, Price) })
const context = { tenant: "acme" }

/** A test of a runner's, in a scope and by a clock of its own. */
const test = <E, R>(name: string, body: Effect.Effect<unknown, E, R>) =>
  Effect.andThen(Effect.scoped(Effect.provide(body, TestClock.layer())), Effect.sync(() => console.log(`ok  ${name}`)))

// ----- an agent, with a mock for what the test is not about ----------------------------

const adds = test(
  "an agent adds what it is told to",
  Effect.gen(function*() {
    const script = [ScriptedModel.call("add", { item: "tea", count: 2 }), ScriptedModel.text("Two teas.")]
    const agent = yield* TestAgent.make(Shop, {
      context,
      script,
      layer: AddLive,
      mocks: { price: () => Effect.succeed(3) },
      state: { "cart.items": { tea: 1 } }
    })
    const run = yield* agent.run("Two teas, please.")
    yield* TestAgent.check(run, ({ calls, state, text }) => {
      assert.equal(text, "Two teas.")
      assert.deepEqual(calls.map(({ tool, value }) => [tool, value]), [["add", "tea of acme"]])
      assert.deepEqual(state.get(Cart.items), { tea: 3 })
    })
    console.log(TestAgent.transcript(run))
  })
)

// ----- a tool in both places that it may stand in -----------------------------------------

const inBoth = Effect.forEach(TestAgent.places(Add, { returns: [Cart.items, Cart.added] }), (place) =>
  test(
    `a tool asks before it adds much, ${place.name}`,
    Effect.gen(function*() {
      const agent = yield* TestAgent.make(Add, { context, place, layer: AddLive })
      const paused = yield* agent.call(Add, { item: "tea", count: 200 })
      const run = yield* agent.resume(Sure.among(paused.open).map(({ id }) => Sure.answer(id, true)))
      assert.equal(run.state.get(Cart.added), 200)
    })
  ), { discard: true })

// ----- time, as the test wants it ------------------------------------------------------------

const times = test(
  "a call that hangs fails in time",
  Effect.gen(function*() {
    const agent = yield* TestAgent.make(Price, { mocks: { price: () => Effect.never } })
    const running = yield* Effect.forkChild(agent.call(Price, {}))
    yield* TestClock.adjust("10 seconds")
    const run = yield* Fiber.join(running)
    assert.deepEqual(run.calls.map(({ status }) => status), ["failed"])
  })
)

// ----- every context, state and argument of the contract -------------------------------------

const cases = Arbitrary.all({
  context: Generate.context(Add),
  state: Generate.state(Add, { "cart.added": 0 }),
  parameters: Generate.parameters(Add)
})
const proves = Effect.gen(function*() {
  const checked = yield* Arbitrary.checkEffect(
    cases,
    ({ context, parameters, state }) =>
      Effect.scoped(Effect.gen(function*() {
        const agent = yield* TestAgent.make(Add, { context, state, layer: AddLive })
        const first = yield* agent.call(Add, parameters)
        const yes = Sure.among(first.open).map(({ id }) => Sure.answer(id, true))
        const run = yes.length === 0 ? first : yield* agent.resume(yes)
        return run.state.get(Cart.added) === parameters.count
      })),
    { runs: 30 }
  )
  assert.equal(Arbitrary.formatCheckFailure(checked), undefined)
})

await Effect.runPromise(
  Effect.andThen(Effect.all([adds, inBoth, times]), test("a tool counts, whatever it is given", proves))
)
