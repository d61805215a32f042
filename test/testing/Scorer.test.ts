/** What each scorer gives, for an outcome that is made by hand. */
import { assert, describe, it } from "@effect/vitest"
import { Data, Effect, Layer, Option, Schema } from "effect"
import { LanguageModel } from "effect/ai"
import { Agent, AgentRunner, SessionStore, State, Tool, Toolkit } from "tenon"
import { Scorer, ScriptedModel, Trajectory } from "tenon/testing"

const Cart = State.make("cart", {
  count: State.field(Schema.Int, { initial: 0 }),
  last: State.optional(Schema.Struct({ item: Schema.String, tags: Schema.Array(Schema.String) })),
  since: State.field(Schema.Date, { initial: new Date(0) })
})
const Add = Tool.make("add", { writes: [Cart.count, Cart.last, Cart.since] })
const Shop = Agent.make("shop", { instructions: "Sell.", toolkit: Toolkit.make(Add) })
const AddLive = Toolkit.layer(Toolkit.make(Add), {
  add: Effect.fnUntraced(function*() {
    yield* Cart.count.set(2)
    yield* Cart.last.set({ item: "tea", tags: ["hot", "green"] })
  })
})

class NoLuck extends Data.TaggedError("NoLuck")<{ readonly message: string }> {}

/** The session of one call. */
const session = Effect.map(
  AgentRunner.run(Shop, { session: "s", input: "Tea." }).pipe(
    Effect.provide([
      AddLive,
      SessionStore.layerMemory,
      ScriptedModel.layer([ScriptedModel.call("add"), ScriptedModel.text("Done.")])
    ])
  ),
  (result) => result.session
)

const call = (tool: string, parameters: unknown = {}): Trajectory.Call => ({ tool, parameters })

interface Said {
  readonly text: string
  readonly calls?: ReadonlyArray<Trajectory.Call>
  readonly expected?: Partial<Scorer.Turn>
}

const outcomeOf = (...turns: ReadonlyArray<Said>): Effect.Effect<Scorer.Outcome, unknown> =>
  Effect.map(session, (ended) => ({
    turns: turns.map(({ calls = [], expected, text }) => ({
      expected: { input: "Hello", ...expected },
      calls,
      allCalls: calls,
      text,
      output: text
    })),
    text: turns.at(-1)?.text ?? "",
    output: turns.at(-1)?.text ?? "",
    session: ended
  }))

/** The score, and the word to it where there is one. */
const scored = <R>(scorer: Scorer.Scorer<unknown, R>, ...turns: ReadonlyArray<Said>) =>
  Effect.map(
    Effect.flatMap(outcomeOf(...turns), scorer.score),
    Option.match({
      onNone: () => "none",
      onSome: ({ detail, value }) => detail === undefined ? value : `${value}: ${detail}`
    })
  )

const text = (said: string): Said => ({ text: said })

describe("Scorer", () => {
  it("has a name and a threshold, which may be others", () => {
    const named = [Scorer.textEquals("a"), Scorer.rouge1(), Scorer.state(Cart.count, 1), Scorer.trajectory()]
    assert.deepStrictEqual(named.map(({ name, threshold }) => [name, threshold]), [
      ["answer", 1],
      ["rouge-1", 0.8],
      ["state cart.count", 1],
      ["trajectory", 1]
    ])
    const { name, threshold } = Scorer.rouge1({ name: "words", threshold: 0.5 })
    assert.deepStrictEqual([name, threshold], ["words", 0.5])
  })

  it.effect("textEquals: the last answer, and no other", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* scored(Scorer.textEquals("Bye."), text("Hello."), text("Bye.")), 1)
      assert.strictEqual(yield* scored(Scorer.textEquals("Bye."), text("Bye."), text("bye.")), "0: answered: bye.")
    }))

  it.effect("textContains: the share of texts that are there, whatever their case", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* scored(Scorer.textContains("TEA"), text("A tea.")), 1)
      assert.strictEqual(yield* scored(Scorer.textContains([]), text("A tea.")), 1)
      assert.strictEqual(
        yield* scored(Scorer.textContains(["tea", "milk", "sugar", "cup"]), text("Tea in a cup.")),
        "0.5: without 'milk', 'sugar': Tea in a cup."
      )
      assert.strictEqual(yield* scored(Scorer.textContains("milk"), text("Tea.")), "0: without 'milk': Tea.")
    }))

  it.each([
    ["", "", 1],
    ["a", "", 0],
    ["", "a", 0],
    ["a b c", "c b a", 1],
    ["a a b", "a b b", 4 / 6],
    ["one two three four", "two four", 4 / 6],
    ["It's Ü 5!", "it s ü, 5", 1],
    ["a", "b", 0]
  ])("overlap of '%s' and '%s'", (reference, said, expected) => {
    assert.strictEqual(Scorer.overlap(reference, said), expected)
    assert.strictEqual(Scorer.overlap(said, reference), expected)
  })

  it.effect("rouge1: the mean of the turns that name an answer, and none where no turn does", () =>
    Effect.gen(function*() {
      const turns = [
        { text: "a b", expected: { answer: "a b" } },
        { text: "a c", expected: { answer: "a b" } },
        { text: "whatever" }
      ]
      assert.strictEqual(yield* scored(Scorer.rouge1(), ...turns), 0.75)
      assert.strictEqual(yield* scored(Scorer.rouge1(), text("a")), "none")
    }))

  it.effect("trajectory: the calls of each turn, and what was called where it is not as wanted", () =>
    Effect.gen(function*() {
      const expected = { calls: [Trajectory.call("find"), Trajectory.call("read")] }
      const good = { text: "", calls: [call("find"), call("read")], expected }
      const bad = { text: "", calls: [call("find", { q: 1 })], expected }
      assert.strictEqual(yield* scored(Scorer.trajectory(), good, text("none is named")), 1)
      assert.strictEqual(yield* scored(Scorer.trajectory(), text("")), "none")
      assert.strictEqual(
        yield* scored(Scorer.trajectory(), good, bad),
        `0.5: called: find {}, read {}; find {"q":1}`
      )
      assert.strictEqual(yield* scored(Scorer.trajectory({ measure: "precision" }), bad), 1)
      assert.strictEqual(yield* scored(Scorer.trajectory({ measure: "recall" }), bad), `0.5: called: find {"q":1}`)
    }))

  it.effect("state: a value, or what holds of it; and what is there where it does not", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* scored(Scorer.state(Cart.count, 2), text("")), 1)
      assert.strictEqual(yield* scored(Scorer.state(Cart.count, (count) => count > 1), text("")), 1)
      assert.strictEqual(yield* scored(Scorer.state(Cart.count, 3), text("")), "0: cart.count is 2")
      assert.strictEqual(yield* scored(Scorer.state(Cart.since, new Date(0)), text("")), 1)
      const whole = Option.some({ item: "tea", tags: ["hot", "green"] })
      assert.strictEqual(yield* scored(Scorer.state(Cart.last, whole), text("")), 1)
      assert.strictEqual(
        yield* scored(Scorer.state(Cart.last, Option.none()), text("")),
        `0: cart.last is {"item":"tea","tags":["hot","green"]}`
      )
    }))

  it.effect("stateHas: some parts of it, a list as a whole", () =>
    Effect.gen(function*() {
      const Box = State.make("box", {
        held: State.field(
          Schema.Struct({ a: Schema.Struct({ n: Schema.Int, m: Schema.Int }), l: Schema.Array(Schema.Int) }),
          {
            initial: { a: { n: 1, m: 2 }, l: [1, 2] }
          }
        )
      })
      const Look = Tool.make("look", { reads: [Box.held] })
      const Holder = Agent.make("holder", { instructions: "", toolkit: Toolkit.make(Look) })
      const held = yield* AgentRunner.run(Holder, { session: "s", input: "Go." }).pipe(
        Effect.provide([
          Toolkit.layer(Toolkit.make(Look), { look: () => Effect.void }),
          SessionStore.layerMemory,
          ScriptedModel.layer([ScriptedModel.text("Done.")])
        ])
      )
      const outcome = { ...yield* outcomeOf(text("")), session: held.session }
      const passes = (scorer: Scorer.Scorer) =>
        Effect.map(scorer.score(outcome), (given) => Option.getOrThrow(given).value === 1)
      assert.isTrue(yield* passes(Scorer.stateHas(Box.held, { a: { n: 1 } })))
      assert.isTrue(yield* passes(Scorer.stateHas(Box.held, {})))
      assert.isTrue(yield* passes(Scorer.stateHas(Box.held, { l: [1, 2] })))
      assert.isFalse(yield* passes(Scorer.stateHas(Box.held, { l: [1] })))
      assert.isFalse(yield* passes(Scorer.stateHas(Box.held, { a: { n: 2 } })))
    }))

  it.effect("output: a value of a schema, or what is wrong with it", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* scored(Scorer.output(Schema.Literals(["Bye."])), text("Bye.")), 1)
      assert.match(String(yield* scored(Scorer.output(Schema.Literals(["Bye."])), text("Hi."))), /^0: Expected "Bye\."/)
    }))

  it.effect("judge: what a model thinks of what was said, and nothing of what it is", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const model = Layer.effect(
        LanguageModel.LanguageModel,
        Effect.map(
          ScriptedModel.make([({ prompt }) => {
            asked.push(JSON.stringify(prompt.content))
            return ScriptedModel.text(`{"reason":"It is kind.","score":0.5}`)
          }]),
          (made) => made.model
        )
      )
      const scorer = Scorer.judge("Be kind.", { model, threshold: 0.4 })
      const given = yield* scored(scorer, { text: "Hello, Ada.", calls: [call("greet"), call("look")] })
      assert.deepStrictEqual([given, scorer.threshold], ["0.5: It is kind.", 0.4])
      for (const part of ["Be kind.", "User: Hello", "Tools: greet, look", "Assistant: Hello, Ada."]) {
        assert.include(asked[0], part)
      }
    }))

  it.effect("fails by its name: where its Effect does, and where it gives no number from 0 to 1", () =>
    Effect.gen(function*() {
      const problem = (given: Effect.Effect<number, unknown>) =>
        Effect.map(Effect.flip(scored(Scorer.make("mine", () => given), text(""))), (error) => String(error))
      assert.include(
        yield* problem(Effect.fail(new NoLuck({ message: "no luck" }))),
        "the scorer 'mine' failed: no luck"
      )
      assert.include(yield* problem(Effect.fail({ code: 1 })), `the scorer 'mine' failed: {"code":1}`)
      for (const value of [-0.1, 1.1, Number.NaN]) {
        assert.include(yield* problem(Effect.succeed(value)), `${value} is no number from 0 to 1`)
      }
      assert.strictEqual(yield* scored(Scorer.make("none", () => Effect.succeed(undefined)), text("")), "none")
      assert.strictEqual(yield* scored(Scorer.make("yes", () => Effect.succeed(true)), text("")), 1)
    }))
})
