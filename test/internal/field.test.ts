import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaGetter } from "effect"
import { Reducer, State } from "tenon"
import { definitionOf, type FieldDefinition } from "../../src/internal/field.ts"

const Key = Schema.String.check(Schema.isMinLength(2))
const Positive = Schema.Int.check(Schema.isGreaterThan(0))
const longest = Reducer.make((all: string, one: string) => one.length > all.length ? one : all)

const All = State.make("all", {
  text: State.field(Schema.String, { initial: "" }),
  at: State.field(Schema.Date, { initial: new Date(0) }),
  list: State.field(Schema.Array(Schema.Struct({ n: Schema.Int })), { initial: [] }),
  sum: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  share: State.field(Schema.Finite, { initial: 0, reducer: Reducer.sum }),
  positive: State.field(Positive, { initial: 1, reducer: Reducer.sum }),
  most: State.field(Schema.Finite, { initial: 0, reducer: Reducer.max }),
  least: State.field(Schema.Finite, { initial: 0, reducer: Reducer.min }),
  since: State.field(Schema.FiniteFromString, { initial: 0, reducer: Reducer.max }),
  notes: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  tags: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.union<string>() }),
  longest: State.field(Schema.String, { initial: "", reducer: longest }),
  byName: State.record(Schema.String, Schema.Int),
  byKey: State.record(Key, Schema.Struct({ at: Schema.Date }))
})
type Name = Exclude<keyof typeof All, symbol | "definition">

const definition = (name: string): FieldDefinition =>
  (All as unknown as Readonly<Record<string, { readonly "~field": FieldDefinition }>>)[name]
    ?.["~field"] as FieldDefinition
const problemOf = (
  result: Result.Result<unknown, { readonly path: ReadonlyArray<string>; readonly problem: string }>
) => Result.match(result, { onSuccess: () => "none", onFailure: ({ path, problem }) => [...path, problem].join(": ") })

/** A list of integers that is stored in another way. */
const listAs = <Stored extends Schema.Constraint>(
  stored: Stored,
  decode: (stored: Stored["Type"]) => ReadonlyArray<number>,
  encode: (items: ReadonlyArray<number>) => Stored["Type"]
) =>
  Schema.Array(Schema.Int).pipe(
    Schema.encodeTo(stored, {
      decode: SchemaGetter.transform(decode) as never,
      encode: SchemaGetter.transform(encode) as never
    })
  )

describe("internal/field", () => {
  it.each([
    ["text", { commutative: false, bounded: false, storesOutcome: false, closed: false }],
    ["sum", { commutative: true, bounded: false, storesOutcome: false, closed: false }],
    // of numbers that are rounded, the order of two sums shows
    ["share", { commutative: false, bounded: false, storesOutcome: false, closed: false }],
    ["positive", { commutative: false, bounded: true, storesOutcome: false, closed: false }],
    ["most", { commutative: true, bounded: false, storesOutcome: false, closed: false }],
    ["least", { commutative: true, bounded: false, storesOutcome: false, closed: false }],
    ["since", { commutative: true, bounded: false, storesOutcome: true, closed: false }],
    ["notes", { commutative: false, bounded: false, storesOutcome: false, closed: false }],
    ["tags", { commutative: true, bounded: false, storesOutcome: false, closed: false }],
    ["longest", { commutative: false, bounded: false, storesOutcome: true, closed: false }],
    ["byName", { commutative: false, bounded: false, storesOutcome: false, closed: false }],
    ["byKey", { commutative: false, bounded: false, storesOutcome: false, closed: true }]
  ] as ReadonlyArray<readonly [Name, object]>)("knows of '%s' what may be done side by side", (name, expected) => {
    const { bounded, closed, commutative, storesOutcome } = definition(name)
    assert.deepStrictEqual({ commutative, bounded, storesOutcome, closed }, expected)
    assert.strictEqual(definition(name).section.name, "all")
  })

  describe("combine", () => {
    it.each([
      ["sum", 3, { op: "sum", field: "all.sum", value: 3 }],
      ["most", 3, { op: "max", field: "all.most", value: 3 }],
      ["least", 3, { op: "min", field: "all.least", value: 3 }],
      ["notes", "a", { op: "append", field: "all.notes", values: ["a"] }],
      ["tags", "a", { op: "union", field: "all.tags", values: ["a"] }],
      ["since", 5, { op: "set", field: "all.since", value: "5" }],
      ["longest", "abc", { op: "set", field: "all.longest", value: "abc" }]
    ])("of '%s' is stored as the operation, where that can be said in JSON", (name, operand, operation) => {
      const { combine, initial } = definition(name)
      assert.deepStrictEqual(combine(initial, operand), Result.succeed(operation as never))
    })

    const Ints = Schema.Array(Schema.Int)
    it.each([
      [
        "in another order",
        () => listAs(Ints, (all) => all.toReversed(), (all) => all.toReversed()),
        [2, 1],
        [3, 2, 1],
        true
      ],
      ["as a text", () => listAs(Schema.String, (all) => all.split(",").map(Number), String), "1,2", "1,2,3", true],
      [
        "in a union, with its length",
        () => Schema.Union([listAs(Ints, ([, ...all]) => all, (all) => [all.length, ...all])]),
        [2, 1, 2],
        [3, 1, 2, 3],
        false
      ],
      ["with a bound on its items", () => Schema.Array(Positive), [1, 2], ["append", 3], false]
    ])("of a list that is stored %s keeps its form", (_, schema, current, expected, outcome) => {
      const items = { initial: [7], reducer: Reducer.append<number>() }
      const { fields } = definitionOf(State.make("s", { items: State.field(schema() as typeof Ints, items) }))
      const { bounded, combine, storesOutcome } = fields["items"] as FieldDefinition
      const operation = Result.getOrThrow(combine(current, 3))
      assert.deepStrictEqual(
        operation.op === "append" ? [operation.op, ...operation.values] : "value" in operation && operation.value,
        expected
      )
      assert.deepStrictEqual([bounded, storesOutcome], [false, outcome])
    })

    it("is bounded at any depth by a schema of which the outcome must fit", () => {
      const own = Reducer.make((all: ReadonlyArray<number>) => all, { commutative: true })
      const { fields } = definitionOf(
        State.make("s", { items: State.field(Schema.Array(Positive), { initial: [], reducer: own }) })
      )
      assert.deepStrictEqual([fields["items"]?.bounded, fields["items"]?.commutative], [true, false])
    })

    it("stands on the value that is there, where its outcome is stored", () => {
      const { combine } = definition("longest")
      assert.deepStrictEqual(combine("abcd", "abc"), Result.succeed({ op: "set", field: "all.longest", value: "abcd" }))
      assert.strictEqual(problemOf(combine(4, "abc")), "Expected string")
    })

    it.each([
      ["sum", Number.NaN],
      ["sum", Number.POSITIVE_INFINITY],
      ["sum", "1"],
      ["notes", 1]
    ])("of '%s' refuses what is none of it: %s", (name, operand) => {
      const { combine, initial } = definition(name)
      assert.notStrictEqual(problemOf(combine(initial, operand)), "none")
    })
  })

  describe("encode", () => {
    it.each([
      ["text", 1, "Expected string"],
      ["list", [{ n: 1 }, { n: 1.5 }], "1: n: Expected an integer"],
      ["byKey", { ab: { at: new Date(0) }, c: { at: new Date(0) } }, "c: the key does not fit its schema"],
      ["byKey", { ab: { at: "never" } }, "ab: at: Expected a valid Date"],
      ["byKey", null, "Expected object"],
      ["byKey", "text", "Expected object"]
    ])("says where a value of '%s' does not fit, and not what it is (%#)", (name, value, problem) => {
      assert.strictEqual(problemOf(definition(name).encode(value)).split(", ")[0], problem)
    })

    it("copies what comes out, so that the writer's value may change", () => {
      const value = [{ n: 1 }]
      const encoded = Result.getOrThrow(definition("list").encode(value))
      assert.deepStrictEqual(encoded, [{ n: 1 }])
      assert.notStrictEqual(encoded, value)
      assert.isTrue(Object.isFrozen(encoded) && !Object.isFrozen(value))
    })

    it("checks one entry as it checks all of them", () => {
      const { encodeEntry } = definition("byKey")
      const at = new Date(5)
      assert.deepStrictEqual(encodeEntry("ab", { at }), Result.succeed({ at: at.toISOString() }))
      assert.strictEqual(problemOf(encodeEntry("c", { at })), "c: the key does not fit its schema")
      assert.strictEqual(problemOf(encodeEntry("ab", { at: 5 })).split(", ")[0], "ab: at: Expected a valid Date")
      assert.deepStrictEqual(definition("byName").encodeEntry("", 5), Result.succeed(5))
    })
  })

  describe("decode", () => {
    it("gives one value for one JSON that nobody can change, and another where somebody can", () => {
      const json = Object.freeze([Object.freeze({ n: 1 })])
      const { decode } = definition("list")
      const once = Result.getOrThrow(decode(json))
      assert.deepStrictEqual(once, [{ n: 1 }])
      assert.strictEqual(Result.getOrThrow(decode(json)), once)
      const open = [{ n: 1 }]
      const read = Result.getOrThrow(decode(open))
      open.push({ n: 2 })
      assert.deepStrictEqual([read, Result.getOrThrow(decode(open))], [[{ n: 1 }], [{ n: 1 }, { n: 2 }]])
    })

    it("gives a date that nobody can set, of text, and a value that is no object", () => {
      const date = Result.getOrThrow(definition("at").decode("1970-01-01T00:00:00.005Z")) as Date
      assert.strictEqual(date.getTime(), 5)
      assert.throws(() => date.setTime(0), "read-only")
      assert.deepStrictEqual(definition("text").decode("a"), Result.succeed("a"))
      assert.strictEqual(problemOf(definition("text").decode(null)), "Expected string")
      assert.strictEqual(problemOf(definition("text").decode(null)), "Expected string")
    })

    it("gives what can be changed anew each time", () => {
      const json = Object.freeze({ bytes: "AQI=" })
      const Held = State.make("t", { held: State.optional(Schema.Struct({ bytes: Schema.Uint8Array })) })
      const read = () =>
        Result.getOrThrow(
          (definitionOf(Held).fields["held"] as FieldDefinition).decode(json)
        ) as { readonly bytes: Uint8Array }
      read().bytes[0] = 9
      assert.deepStrictEqual(read().bytes, new Uint8Array([1, 2]))
    })

    it("says the same of what does not fit when it is read again", () => {
      const json = Object.freeze([Object.freeze({ n: "1" })])
      const { decode } = definition("list")
      assert.strictEqual(problemOf(decode(json)).split(", ")[0], "0: n: Expected number")
      assert.strictEqual(problemOf(decode(json)), problemOf(decode(json)))
    })
  })

  it("refuses an initial value that does not fit, by its place", () => {
    const make = (value: unknown) => () =>
      State.make("s", {
        list: State.field(Schema.Array(Schema.Struct({ n: Schema.Int })), { initial: value as never })
      })
    const thrown = (value: unknown): string =>
      Result.match(Result.try({ try: make(value), catch: String }), { onSuccess: () => "", onFailure: (text) => text })
    assert.match(
      thrown([{ n: "1" }]),
      /^TypeError: the initial value of 's\.list\.0\.n' does not fit its schema: /
    )
    assert.match(thrown(1), /^TypeError: the initial value of 's\.list' does not fit its schema: /)
  })

  it("is known in a section of another copy of this package", () => {
    const carried = (All as unknown as Readonly<Record<symbol, unknown>>)[Symbol.for("tenon/State/section")]
    assert.strictEqual(carried, definitionOf(All))
  })

  it("is closed where the keys are no plain texts", () => {
    const keys = Schema.TemplateLiteral(["page-", Schema.Finite])
    const Pages = State.make("pages", { at: State.record(keys, Schema.Int) })
    assert.isTrue(definitionOf(Pages).fields["at"]?.closed)
  })

  it("has no initial value where it is optional", () => {
    const Opt = State.make("opt", { last: State.optional(Schema.String) })
    assert.deepStrictEqual(Opt.last.to("a").operation, { op: "set", field: "opt.last", value: "a" })
  })
})
