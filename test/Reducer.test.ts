import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Contract, Reducer, State, Tool } from "tenon"

/** May calls that combine such a field overlap? */
const commutes = (schema: Schema.Constraint, initial: unknown, reducer: unknown): boolean => {
  const field = State.field(schema as Schema.Codec<Schema.Json, Schema.Json>, {
    initial: initial as Schema.Json,
    reducer: reducer as never
  })
  const Section = State.make("s", { field: field as unknown as State.ReducedSpec<number, number> })
  return Contract.of(Tool.make("t", { combines: [Section.field] })).touches[0]?.field.commutative ?? false
}

describe("Reducer", () => {
  it("combines as its name says", () => {
    assert.deepStrictEqual(
      [Reducer.sum.combine(2, -3), Reducer.max.combine(2, -3), Reducer.min.combine(2, -3)],
      [-1, 2, -3]
    )
    assert.deepStrictEqual(Reducer.append<number>().combine([1], 1), [1, 1])
    assert.deepStrictEqual(Reducer.union<{ readonly a: number }>().combine([{ a: 1 }], { a: 1 }), [{ a: 1 }])
    assert.deepStrictEqual(Reducer.union<{ readonly a: number }>().combine([{ a: 1 }, { a: 2 }], { a: 2 }), [
      { a: 1 },
      { a: 2 }
    ])
    assert.deepStrictEqual(Reducer.union<string>().combine(["a"], "b"), ["a", "b"])
    assert.strictEqual(Reducer.make((a: string, b: number) => a.repeat(b)).combine("ab", 2), "abab")
  })

  it("names the operation that is stored", () => {
    const all = [
      Reducer.sum,
      Reducer.max,
      Reducer.min,
      Reducer.append(),
      Reducer.union(),
      Reducer.make((a: number) => a)
    ]
    assert.deepStrictEqual(all.map(({ operation }) => operation), ["sum", "max", "min", "append", "union", "own"])
  })

  it("of one's own keeps call order unless it says otherwise", () => {
    const own = (a: number, b: number) => a + b
    assert.isFalse(Reducer.make(own).commutative)
    assert.isTrue(Reducer.make(own, { commutative: true }).commutative)
  })

  const bounded = Schema.Int.check(Schema.isLessThan(10))
  const own = Reducer.make((a: number, b: number) => a + b, { commutative: true })
  const rows: ReadonlyArray<readonly [string, Schema.Constraint, unknown, unknown, boolean]> = [
    ["a sum of integers", Schema.Int, 0, Reducer.sum, true],
    ["a sum of fractions", Schema.Finite, 0, Reducer.sum, false],
    ["a sum with a bound", bounded, 0, Reducer.sum, false],
    ["a maximum of fractions", Schema.Finite, 0, Reducer.max, true],
    ["a maximum with a bound", bounded, 0, Reducer.max, false],
    ["a minimum of integers", Schema.Int, 0, Reducer.min, true],
    ["a union", Schema.Array(Schema.String), [], Reducer.union(), true],
    ["a union with a bound on its items", Schema.Array(bounded), [], Reducer.union(), true],
    [
      "a union with a bound on its length",
      Schema.Array(Schema.Int).check(Schema.isMaxLength(3)),
      [],
      Reducer.union(),
      false
    ],
    ["an append", Schema.Array(Schema.String), [], Reducer.append(), false],
    ["a reducer of one's own that says so", Schema.Int, 0, own, true],
    ["a reducer of one's own with a bound", bounded, 0, own, false]
  ]
  it.each(rows)("lets calls overlap where their order cannot matter: %s", (_, schema, initial, reducer, expected) => {
    assert.strictEqual(commutes(schema, initial, reducer), expected)
  })
})
