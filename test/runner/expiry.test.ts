import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, openOf, reasonOf, textOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Offer = Interrupt.make("offer", { question: Schema.Int, answer: Schema.Boolean, lifetime: "1 hour" })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Sell = Tool.make("sell", {
  parameters: Schema.Struct({ price: Schema.Int }),
  success: Schema.Boolean,
  asks: [Offer]
})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Sell, Wonder)
const live = Toolkit.layer(kit, { sell: ({ price }) => Offer.ask(price), wonder: () => Confirm.ask("Sure?") })
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const sell = (price: number) => ({ tool: "sell", parameters: { price } })
const expired = bad("sell", "Expired", "nobody answered 'offer' in time")

describe("a question with a lifetime", () => {
  it.effect("is answered as any while it lasts", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(sell(3)), text("Sold.")])
      const open = openOf(yield* run())
      assert.deepStrictEqual(open.map(({ expires }) => expires), [3_600_000])
      yield* TestClock.adjust("59 minutes")
      const { session } = yield* resume([Offer.answer("i1.1.1?1", true)])
      assert.deepStrictEqual(endsOf(session), [good("sell", true)])
    }).pipe(Effect.provide(live)))

  it.effect("closes its call when it is over, at the next resume; an answer to it is refused", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(sell(3), { tool: "wonder" }), text("Not sold.")])
      yield* run()
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* reasonOf(resume([Offer.answer("i1.1.1?1", true)])))._tag, "AnswerRefused")
      const result = yield* resume([Confirm.answer("i1.1.2?1", true)])
      assert.strictEqual(textOf(result), "Not sold.")
      assert.deepStrictEqual(endsOf(result.session), [expired, good("wonder", true)])
    }).pipe(Effect.provide(live)))

  it.effect("stops no message when it is over, and the sub-agent that asked goes on", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(agent)] })
      const { run } = yield* conversation(parent, {
        parent: [call("agent", { task: "t" }), text("So be it.")],
        agent: [calls(sell(3)), text("Nobody bought it.")]
      })
      assert.strictEqual((yield* run())._tag, "Paused")
      assert.strictEqual((yield* reasonOf(run()))._tag, "QuestionsOpen")
      yield* TestClock.adjust("2 hours")
      const result = yield* run("Never mind.")
      assert.strictEqual(textOf(result), "So be it.")
      assert.deepStrictEqual(endsOf(result.session), [expired, good("agent", "Nobody bought it.")])
    }).pipe(Effect.provide(live)))
})
