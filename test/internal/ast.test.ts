import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { hiddenIn, holdsRedacted, isInteger, isOwnJson, propertyNames, refuses } from "../../src/internal/ast.ts"

type Category = { readonly name: string; readonly children: ReadonlyArray<Category> }
const Category = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Category> => Category))
})

type Hidden = { readonly key: unknown; readonly next: Hidden | null }
const Hidden = Schema.Struct({
  key: Schema.RedactedFromValue(Schema.String),
  next: Schema.NullOr(Schema.suspend((): Schema.Codec<Hidden> => Hidden as never))
})

const json = (schema: Schema.Constraint) => Schema.toCodecJson(schema)

describe("internal/ast", () => {
  it.each([
    [Schema.String, false],
    [Category, false],
    [Schema.Redacted(Schema.String), true],
    [Schema.Struct({ a: Schema.optionalKey(Schema.Array(Schema.Redacted(Schema.String))) }), true],
    [Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String)), true],
    [Hidden, true]
  ] as ReadonlyArray<readonly [Schema.Constraint, boolean]>)(
    "finds a redacted value at any depth (%#)",
    (schema, expected) => {
      assert.strictEqual(holdsRedacted(schema), expected)
    }
  )

  it.each([
    [Schema.Struct({ a: Schema.Int, b: Schema.Array(Schema.NullOr(Schema.String)) }), true],
    [Category, true],
    [Schema.Date, false],
    [Schema.Number, false],
    [Schema.Struct({ deep: Schema.Array(Schema.Struct({ at: Schema.Date })) }), false],
    [Schema.FiniteFromString, false],
    [Schema.Option(Schema.String), false]
  ] as ReadonlyArray<readonly [Schema.Constraint, boolean]>)(
    "knows whose JSON is the value itself (%#)",
    (schema, expected) => {
      assert.strictEqual(isOwnJson(json(schema)), expected)
    }
  )

  it("knows integers", () => {
    const bounded = Schema.Int.check(Schema.isGreaterThan(0))
    assert.deepStrictEqual(
      [Schema.Int, bounded, Schema.Finite, Schema.Number, Schema.String].map(isInteger),
      [true, true, false, false, false]
    )
  })

  it("knows what a schema refuses of its type, at its top or at any place", () => {
    const bounded = Schema.Int.check(Schema.isGreaterThan(0))
    const rows: ReadonlyArray<readonly [Schema.Constraint, boolean, boolean]> = [
      [Schema.Int, false, false],
      [Schema.Finite, false, false],
      [bounded, true, true],
      [Schema.Array(bounded), false, true],
      [Schema.Array(Schema.Int).check(Schema.isMaxLength(2)), true, true],
      [Category, false, false],
      [Schema.NonEmptyString, true, true]
    ]
    assert.deepStrictEqual(
      rows.map(([schema]) => [refuses(schema, "top"), refuses(schema, "anywhere")]),
      rows.map(([, top, anywhere]) => [top, anywhere])
    )
  })

  it("names the properties of a struct, and of nothing else", () => {
    assert.deepStrictEqual([propertyNames(Category), propertyNames(Schema.String)], [["name", "children"], []])
  })

  describe("hiddenIn", () => {
    class Own {
      readonly a = 1
    }
    const atLeastTwo = Schema.isMinLength(2)
    const notEmpty = Schema.makeFilter((text: string) => text !== "")

    it.each([
      [Schema.String, []],
      [Category, []],
      [Schema.Int, []],
      [Schema.Finite, []],
      [Schema.Struct({ a: Schema.optional(Schema.String), b: Schema.Array(Schema.Int) }), []],
      [Schema.String.check(atLeastTwo), [`isMinLength {"minLength":2}`]],
      [Schema.String.check(notEmpty), ["a check of its own"]],
      [Schema.Int.check(Schema.isLessThan(5), Schema.isGreaterThan(1)), [
        `isGreaterThan {"exclusiveMinimum":1}`,
        `isLessThan {"exclusiveMaximum":5}`
      ]],
      [Schema.Date, ["Date"]],
      [Schema.Redacted(Schema.String), ["Redacted"]],
      [Schema.Option(Schema.Date), ["Date", "Option"]],
      [Schema.NumberFromString, ["Number from String"]],
      [Schema.instanceOf(Own), ["a type of its own"]],
      [Schema.Union([Schema.String, Schema.Date]), ["Date"]],
      [Schema.Tuple([Schema.NumberFromString, Schema.Date]), ["Date", "Number from String"]],
      [Schema.Array(Schema.Struct({ at: Schema.optional(Schema.Date) })), ["Date"]],
      [Schema.Record(Schema.String.check(atLeastTwo), Schema.Date), ["Date", `isMinLength {"minLength":2}`]],
      [Schema.fromJsonString(Schema.Struct({ at: Schema.Date })), ["Date", "Objects from String"]]
    ] as ReadonlyArray<readonly [Schema.Constraint, ReadonlyArray<string>]>)(
      "names what a JSON Schema does not say, once and in order (%#)",
      (schema, expected) => {
        assert.deepStrictEqual(hiddenIn(schema), expected)
      }
    )
  })
})
