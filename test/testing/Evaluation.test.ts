import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"
import { Evaluation, EvaluationReport, Scorer, ScriptedModel, Trajectory } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String })
const Cart = State.make("cart", {
  items: State.record(Schema.String, Schema.Int),
  orders: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.Struct({ price: Schema.Int }), answer: Schema.Boolean })

const Add = Tool.make("add", {
  parameters: Schema.Struct({ item: Schema.String }),
  success: Schema.String,
  context: [Env.tenant],
  writes: [Cart.items]
})
const Order = Tool.make("order", { success: Schema.Boolean, asks: [Confirm], combines: [Cart.orders], approval: true })
const kit = Toolkit.make(Add, Order)
const Shop = Agent.make("shop", { instructions: "Sell.", toolkit: kit })
const Live = Toolkit.layer(kit, {
  add: Effect.fnUntraced(function*({ item }) {
    yield* Cart.items.put(item, 1)
    return `${item} for ${yield* Env.tenant}`
  }),
  order: Effect.fnUntraced(function*() {
    const yes = yield* Confirm.ask({ price: 7 })
    if (yes) yield* Cart.orders.combine(1)
    return yes
  })
})

const { call, text } = ScriptedModel
type Scripted = Evaluation.Case<typeof Shop> & { readonly script: ScriptedModel.Script }
const scripted = ({ script }: Scripted) => ScriptedModel.layer(script)

const adds: Scripted = {
  name: "adds a pear",
  user: "u-1",
  context: { tenant: "acme" },
  turns: [
    { input: "A pear, please.", calls: [Trajectory.call(Add, { item: "pear" })], answer: "A pear is in your cart." },
    "Thanks"
  ],
  scorers: [Scorer.state(Cart.items, { pear: 1 }), Scorer.textEquals("Bye.")],
  script: [call("add", { item: "pear" }), text("A pear is in your cart."), text("Bye.")]
}
const orders: Scripted = {
  name: "orders",
  context: { tenant: "acme" },
  user: "u-1",
  state: [Cart.items.to({ pear: 1 })],
  turns: ["Order it."],
  answers: { approval: { decision: "approve" }, confirm: ({ price }) => price < 10 },
  scorers: [Scorer.state(Cart.orders, 1), Scorer.stateHas(Cart.items, { pear: 1 })],
  script: [call("order"), text("Ordered.")]
}

describe("Evaluation", () => {
  describe("run", () => {
    it.effect("leads conversations of several turns, with context, state and answers, and scores them", () =>
      Effect.gen(function*() {
        const report = yield* Evaluation.run(Shop, {
          name: "shop",
          cases: [adds, orders],
          scorers: [Scorer.trajectory(), Scorer.rouge1()],
          layer: scripted
        })
        assert.deepStrictEqual(report.runs.map(({ status }) => status), ["passed", "passed"])
        assert.deepStrictEqual(
          report.runs.map(({ scores }) => scores.map(({ scorer, value }) => [scorer, value])),
          [
            [["trajectory", 1], ["rouge-1", 1], ["state cart.items", 1], ["answer", 1]],
            [["state cart.orders", 1], ["state cart.items", 1]]
          ]
        )
        assert.deepStrictEqual(report.runs[0]?.usage, { steps: 3, toolCalls: 1, inputTokens: 3, outputTokens: 3 })
      }).pipe(Effect.provide(Live)))

    it.effect("gives each run a store and a model of its own, and the same report however runs overlap", () =>
      Effect.gen(function*() {
        const report = (concurrency: number) =>
          Evaluation.run(Shop, {
            name: "shop",
            cases: [adds, orders],
            scorers: [Scorer.trajectory()],
            repeats: 3,
            concurrency,
            layer: scripted
          })
        const [one, other] = [yield* report(1), yield* report(4)]
        assert.strictEqual(EvaluationReport.toJson(one), EvaluationReport.toJson(other))
        assert.strictEqual(EvaluationReport.passAll(one, 3), 1)
        assert.deepStrictEqual(one.runs.map((run) => [run.case, run.run, run.milliseconds]), [
          ["adds a pear", 1, 0],
          ["adds a pear", 2, 0],
          ["adds a pear", 3, 0],
          ["orders", 1, 0],
          ["orders", 2, 0],
          ["orders", 3, 0]
        ])
      }).pipe(Effect.provide(Live)))

    it.effect("says of each run what went wrong, and goes on with the others", () =>
      Effect.gen(function*() {
        const seen: Array<string> = []
        const one = (name: string, change: Partial<Scripted>): Scripted => ({ ...adds, name, ...change })
        const report = yield* Evaluation.run(Shop, {
          name: "shop",
          cases: [
            one("unscripted", { script: [] }),
            one("unanswered", { script: [call("order"), text("")], user: "u-1" }),
            one("another call", { script: [call("add", { item: "fig" }), text("A fig."), text("Bye.")] }),
            one("a scorer that fails", { scorers: [Scorer.make("broken", () => Effect.fail("no luck"))] }),
            one("a scorer that dies", { scorers: [Scorer.make("dead", () => Effect.die(new Error("a bug")))] }),
            one("a scorer that gives no Effect", { scorers: [Scorer.make("async", (async () => 1) as never)] }),
            one("too much", { scorers: [Scorer.make("much", () => Effect.succeed(1.5))] }),
            one("too many", { turns: ["A", "B", "C", "D"] }),
            one("no turns", { turns: [] }),
            one("passes", {})
          ],
          scorers: [Scorer.trajectory()],
          layer: scripted,
          onRun: (run) => Effect.sync(() => seen.push(run.case))
        })
        assert.deepStrictEqual(report.runs.map(({ error, status }) => [status, error?.tag]), [
          ["error", "AgentError/ModelFailed"],
          ["error", "Unanswered"],
          ["failed", undefined],
          ["error", "ScorerFailed"],
          ["error", "Defect"],
          ["error", "Defect"],
          ["error", "ScorerFailed"],
          ["error", "AgentError/ModelFailed"],
          ["error", "NoTurns"],
          ["passed", undefined]
        ])
        assert.include(report.runs[1]?.error?.message, "'order' asks 'approval', and the case has no answer")
        assert.deepStrictEqual(report.runs[2]?.scores.map(({ detail }) => detail), [
          "called: add {\"item\":\"fig\"}; none",
          "cart.items is {\"fig\":1}",
          undefined
        ])
        assert.strictEqual(report.runs[3]?.error?.message, "the scorer 'broken' failed: no luck")
        assert.include(report.runs[5]?.error?.message, "it gave no Effect: put a Promise into Effect.promise")
        assert.strictEqual(report.runs[6]?.error?.message, "the scorer 'much' failed: 1.5 is no number from 0 to 1")
        assert.deepStrictEqual(seen, report.runs.map((run) => run.case))
      }).pipe(Effect.provide(Live)))

    it.effect("says what fails or dies around a run as it says what does in it, and goes on with the others", () =>
      Effect.gen(function*() {
        const layers: Readonly<Record<string, ReturnType<typeof scripted>>> = {
          "a layer that fails": Layer.effectDiscard(Effect.fail("no key")) as never,
          "a layer that dies": Layer.effectDiscard(Effect.die(new TypeError("a bug"))) as never,
          "a model that dies": ScriptedModel.layer([() => Effect.die(new Error("broken"))]),
          "a layer that cancels itself": Layer.effectDiscard(Effect.interrupt) as never
        }
        const none = "a layer that is none"
        const quits: Scripted = {
          ...adds,
          name: "a scorer that cancels itself",
          scorers: [Scorer.make("quits", () => Effect.interrupt)]
        }
        const report = yield* Evaluation.run(Shop, {
          name: "shop",
          cases: [...[...Object.keys(layers), none].map((name): Scripted => ({ ...adds, name })), quits, adds],
          layer: (one) => {
            if (one.name === none) throw new Error("no such layer")
            return layers[one.name] ?? scripted(one)
          }
        })
        assert.deepStrictEqual(
          report.runs.map(({ case: name, error, status }) => [name, status, error !== undefined]),
          [
            ["a layer that fails", "error", true],
            ["a layer that dies", "error", true],
            ["a model that dies", "error", true],
            ["a layer that cancels itself", "error", true],
            [none, "error", true],
            [quits.name, "error", true],
            ["adds a pear", "passed", false]
          ]
        )
        assert.deepStrictEqual(report.runs.slice(3, 6).map(({ error }) => error), [
          { tag: "Cancelled", message: "something in the run cancelled it" },
          { tag: "Defect", message: "no such layer" },
          { tag: "Cancelled", message: "something in the run cancelled it" }
        ])
      }).pipe(Effect.provide(Live)))

    it.effect("is cancelled as a whole, and waits for nothing that it began", () =>
      Effect.gen(function*() {
        const ended: Array<string> = []
        const hanging = (name: string) =>
          Layer.merge(
            ScriptedModel.layer([() => Effect.never]),
            Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => ended.push(name))))
          )
        const fiber = yield* Effect.forkChild(Evaluation.run(Shop, {
          name: "shop",
          cases: [{ ...adds, name: "one" }, { ...adds, name: "two" }],
          concurrency: 2,
          layer: ({ name }) => hanging(name)
        }))
        yield* Effect.repeat(Effect.yieldNow, { times: 100 })
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(ended.sort(), ["one", "two"])
      }).pipe(Effect.provide(Live)))

    it.effect("ends a run that takes too long", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(Evaluation.run(Shop, {
          name: "shop",
          cases: [
            { ...adds, name: "hangs" },
            { ...adds, name: "its layer hangs" },
            { ...adds, name: "its scorer hangs", scorers: [Scorer.make("hangs", () => Effect.never)] },
            adds
          ],
          timeout: "10 seconds",
          concurrency: "unbounded",
          layer: (one) => {
            if (one.name === "hangs") return ScriptedModel.layer([() => Effect.never])
            return one.name === "its layer hangs" ? Layer.effectDiscard(Effect.never) as never : scripted(one)
          }
        }))
        yield* TestClock.adjust("10 seconds")
        const ended = fiber.pollUnsafe()
        yield* Fiber.interrupt(fiber)
        assert.isDefined(ended, "it has not ended")
        const report = yield* ended ?? Effect.die("it has not ended")
        assert.deepStrictEqual(report.runs.map(({ error, milliseconds }) => [error?.tag, milliseconds]), [
          ["TimedOut", 10_000],
          ["TimedOut", 10_000],
          ["TimedOut", 10_000],
          [undefined, 0]
        ])
      }).pipe(Effect.provide(Live)))

    it.effect("does not show the context in a report", () =>
      Effect.gen(function*() {
        const report = yield* Evaluation.run(Shop, {
          name: "shop",
          cases: [{ ...adds, context: { tenant: "canary" }, turns: ["A pear."], script: [text("No.")] }],
          scorers: [Scorer.trajectory()],
          layer: scripted
        })
        const all = [EvaluationReport.toJson(report), EvaluationReport.table(report), EvaluationReport.toJUnit(report)]
        assert.notInclude(all.join(""), "canary")
      }).pipe(Effect.provide(Live)))

    it.effect("refuses two cases of one name", () =>
      Effect.sync(() => {
        assert.throws(
          () => Evaluation.run(Shop, { name: "shop", cases: [adds, { ...adds }], layer: scripted }),
          "'adds a pear' names two cases"
        )
      }))
  })
})
