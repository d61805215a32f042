import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { Agent, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"
import { Generate, TestAgent, ToolTest } from "tenon/testing"

interface Clock {
  readonly hour: number
}
const Env = ToolContext.make({
  tenant: Schema.String,
  seats: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
  clock: ToolContext.value<Clock>()
})
const Cart = State.make("cart", {
  coupon: State.optional(Schema.Literals(["half", "free"])),
  items: State.record(Schema.String, Schema.Int),
  total: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  since: State.field(Schema.Date, { initial: new Date(0) })
})
const Add = Tool.make("add", {
  parameters: Schema.Struct({
    item: Schema.String,
    count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
  }),
  success: Schema.Int,
  context: [Env.seats, Env.clock],
  reads: [Cart.coupon, Cart.since],
  writes: [Cart.items],
  combines: [Cart.total]
})
/** Forgets what was there of an item already. */
const forgetful = Effect.fnUntraced(function*({ count, item }: typeof Add.parametersSchema.Type) {
  yield* Cart.items.put(item, count)
  yield* Cart.total.combine(count)
  return count * (yield* Env.seats)
})
const careful = Effect.fnUntraced(function*({ count, item }: typeof Add.parametersSchema.Type) {
  const before = yield* Cart.items.entry(item)
  yield* Cart.items.put(item, count + Option.getOrElse(before, () => 0))
  yield* Cart.total.combine(count)
  return count * (yield* Env.seats)
})
const clock = { hour: 12 }

const given = Arbitrary.all({
  context: Generate.context(Add, { clock }),
  state: Generate.state(Add, { "cart.total": 0 }),
  parameters: Generate.parameters(Add)
})
type Given = typeof given extends Arbitrary.Arbitrary<infer A> ? A : never

/** Does adding an item add to what there was of it, whatever there was? */
const adds = (add: typeof careful) => ({ context, parameters, state }: Given) =>
  Effect.scoped(Effect.gen(function*() {
    const test = yield* TestAgent.make(Add, { context, state, mocks: { add } })
    const run = yield* test.call(Add, parameters)
    const before = Object.hasOwn(state["cart.items"], parameters.item) ? state["cart.items"][parameters.item] ?? 0 : 0
    return run.state.get(Cart.items)[parameters.item] === before + parameters.count
  }))

describe("Generate", () => {
  it.effect.prop("proves a handler for every context, state and argument", [given], ([each]) => adds(careful)(each), {
    arbitrary: { runs: 50 }
  })

  it.effect("finds a planted bug, and makes what shows it small", () =>
    Effect.gen(function*() {
      const checked = yield* Arbitrary.checkEffect(given, adds(forgetful), { seed: "planted", runs: 500 })
      assert.strictEqual(checked._tag, "Falsified")
      if (checked._tag !== "Falsified") return
      const { context, parameters, state } = checked.shrunkInput
      const left = state["cart.items"]
      assert.deepStrictEqual(Object.keys(left), [parameters.item])
      assert.strictEqual(Math.abs(left[parameters.item] ?? 0), 1)
      assert.deepStrictEqual([parameters.count, context.clock], [0, clock])
    }))

  it.effect.prop(
    "gives ToolTest what it needs",
    {
      context: Generate.context(Add, { clock, seats: 2 }),
      state: Generate.state(Add),
      parameters: Generate.parameters(Add)
    },
    ({ context, parameters, state }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* ToolTest.call(Add, parameters), parameters.count * 2)
      }).pipe(
        Effect.provide([
          Toolkit.layer(Toolkit.make(Add), { add: careful }),
          ToolTest.layer(Add, { ...context, ...state })
        ])
      ),
    { arbitrary: { runs: 30 } }
  )

  it.effect("speaks of an agent, and meets all declarations of a key", () =>
    Effect.gen(function*() {
      const Small = ToolContext.make({ seats: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 })) })
      const Sit = Tool.make("sit", { context: [Small.seats, Env.tenant] })
      const Shop = Agent.make("shop", { instructions: "", toolkit: Toolkit.make(Add, Sit) })
      const contexts = yield* Arbitrary.sampleEffect(Generate.context(Shop, { clock }), { count: 20 })
      assert.isTrue(contexts.every(({ seats }) => seats >= 1 && seats <= 3))
      const states = yield* Arbitrary.sampleEffect(
        Generate.state(Shop, { "cart.coupon": Option.some("half" as const) }),
        {
          count: 5
        }
      )
      for (const state of states) {
        assert.deepStrictEqual(Object.keys(state).toSorted(), ["cart.coupon", "cart.items", "cart.since", "cart.total"])
        assert.deepStrictEqual(state["cart.coupon"], Option.some("half"))
        assert.instanceOf(state["cart.since"], Date)
      }
    }))

  it.effect("makes nothing of what is given: there may be no way to", () =>
    Effect.gen(function*() {
      const Name = Schema.declare((value: unknown): value is `~${string}` =>
        typeof value === "string" && value.startsWith("~")
      )
      const Own = ToolContext.make({ name: Name, age: Schema.Int })
      const Its = State.make("its", { name: State.optional(Schema.toCodecJson(Name)), age: State.optional(Schema.Int) })
      const Look = Tool.make("look", { context: [Own.name, Own.age], reads: [Its.name, Its.age] })
      const [context] = yield* Arbitrary.sampleEffect(Generate.context(Look, { name: "~x" }), { count: 1 })
      const [state] = yield* Arbitrary.sampleEffect(Generate.state(Look, { "its.name": Option.some("~y" as const) }), {
        count: 1
      })
      assert.strictEqual(context?.name, "~x")
      assert.deepStrictEqual(state?.["its.name"], Option.some("~y"))
      assert.throws(() => Generate.context(Look), "unsupported Declaration")
    }))
})
