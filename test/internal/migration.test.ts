import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import { State } from "tenon"
import { definitionOf } from "../../src/internal/field.ts"

const V1 = Schema.Struct({ title: Schema.String, said: Schema.optionalKey(Schema.Int) })
const V2 = Schema.Struct({ title: Schema.String, at: Schema.Date })
const Docs = State.make("docs", {
  heading: State.field(Schema.String, { initial: "" }),
  at: State.field(Schema.Date, { initial: new Date(0) }),
  maybe: State.optional(Schema.String),
  // an option that is a value, and no field that may be missing
  held: State.field(Schema.Option(Schema.Int), { initial: Option.none() })
}, {
  history: State.history(1, V1).to(2, V2, ({ title }) => ({ title: `${title}!`, at: new Date(title.length) })),
  up: ({ at, title }) => ({
    heading: title.toUpperCase(),
    at,
    maybe: title === "none!" ? Option.none() : Option.some(title),
    held: Option.none()
  })
})
const { migrate } = definitionOf(Docs)
const time = (millis: number) => new Date(millis).toISOString()

describe("internal/migration", () => {
  it.each([
    [1, 2, { title: "abc" }, { title: "abc!", at: time(3) }],
    [1, 3, { title: "abc" }, { heading: "ABC!", at: time(3), maybe: "abc!", held: { _tag: "None" } }],
    [2, 3, { title: "x", at: time(9) }, { heading: "X", at: time(9), maybe: "x", held: { _tag: "None" } }],
    [1, 3, { title: "none" }, { heading: "NONE!", at: time(4), held: { _tag: "None" } }],
    [1, 1, { title: "abc", said: 1 }, { title: "abc", said: 1 }]
  ])("goes from version %i to %i, and no further", (from, to, stored, expected) => {
    assert.deepEqual<unknown>({ ...Result.getOrThrow(migrate(from, to, stored)) }, expected)
  })

  it.each([
    [3, {}, "there is no version 3 in its history"],
    [0, {}, "there is no version 0 in its history"],
    [1, { title: 1 }, "title: Expected string"],
    [2, { title: "", at: "never" }, "at: Expected a valid Date"]
  ])("says why what is stored of version %i cannot come up", (from, stored, problem) => {
    const { path, problem: told } = Result.getOrThrow(Result.flip(migrate(from, 3, stored as never)))
    assert.strictEqual([...path, told].join(": ").split(", ")[0], problem)
  })

  it("has no way up where there is no history", () => {
    const { migrate: none } = definitionOf(State.make("plain", { a: State.optional(Schema.String) }))
    assert.deepStrictEqual(none(1, 2, {}), Result.fail({ path: [], problem: "there is no way up from version 1" }))
  })

  it("may come to values that the next version refuses, and to an option in an optional field", () => {
    const Ages = State.make("ages", { age: State.optional(Schema.Option(Schema.Int)) }, {
      history: State.history(1, Schema.Struct({ years: Schema.Int })).to(
        2,
        Schema.Struct({ age: Schema.Int.check(Schema.isGreaterThan(0)) }),
        ({ years }) => ({ age: years })
      ),
      up: ({ age }) => ({ age: Option.some(age === 1 ? Option.none() : Option.some(age)) })
    })
    const { migrate: come } = definitionOf(Ages)
    assert.deepStrictEqual(
      come(1, 2, { years: 0 }),
      Result.fail({ path: ["age"], problem: "Expected a value greater than 0" })
    )
    const ageOf = (years: number) => Result.getOrThrow(come(1, 3, { years }))["age"]
    assert.deepStrictEqual([ageOf(1), ageOf(2)], [{ _tag: "None" }, { _tag: "Some", value: 2 }])
  })
})
