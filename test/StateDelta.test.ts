import { assert, describe, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import { StateDelta } from "tenon"

type Json = Schema.Json

const values = (entries: Readonly<Record<string, Json>>): StateDelta.Values => new Map(Object.entries(entries))

/** What one operation makes of one field. */
const after = (current: Json | undefined, operation: StateDelta.Operation): Json | undefined =>
  Result.getOrThrow(StateDelta.applyOperation(current, operation))

const refusal = (current: Json | undefined, operation: StateDelta.Operation): string =>
  Result.match(StateDelta.applyOperation(current, operation), {
    onSuccess: () => "accepted",
    onFailure: (error) => error.message
  })

describe("StateDelta", () => {
  describe("empty", () => {
    it("changes nothing and cannot be changed", () => {
      assert.deepStrictEqual(StateDelta.empty, { versions: {}, operations: [] })
      assert.isTrue(StateDelta.isEmpty(StateDelta.empty))
      assert.isTrue(Object.isFrozen(StateDelta.empty))
    })

    it("gives back the very values that it is applied to", () => {
      const before = values({ "a.x": 1 })
      assert.strictEqual(StateDelta.apply(before, StateDelta.empty), before)
    })
  })

  describe("make", () => {
    it("is the empty delta where there is no operation, whatever the versions", () => {
      assert.strictEqual(StateDelta.make([], { a: 2 }), StateDelta.empty)
    })

    it("keeps operations in order, with the versions of their sections", () => {
      const operations: ReadonlyArray<StateDelta.Operation> = [
        { op: "set", field: "a.x", value: 1 },
        { op: "unset", field: "a.x" }
      ]
      assert.deepStrictEqual(StateDelta.make(operations, { a: 2 }), { versions: { a: 2 }, operations })
    })
  })

  describe("concat", () => {
    it("does one after the other", () => {
      const [one, two] = [1, 2].map((value) => StateDelta.make([{ op: "set", field: "a.x", value }], { a: 1 }))
      const both = StateDelta.concat(one as StateDelta.StateDelta, two as StateDelta.StateDelta)
      assert.deepStrictEqual([...StateDelta.apply(values({}), both)], [["a.x", 2]])
    })

    it("takes the later version of a section", () => {
      const one = StateDelta.make([{ op: "set", field: "a.x", value: 1 }], { a: 1, b: 1 })
      const two = StateDelta.make([{ op: "set", field: "a.x", value: 2 }], { a: 2 })
      assert.deepStrictEqual(StateDelta.concat(one, two).versions, { a: 2, b: 1 })
    })
  })

  describe("applyOperation", () => {
    it("sets any value, null included", () => {
      assert.strictEqual(after(1, { op: "set", field: "a.x", value: null }), null)
    })

    it("takes a value away by unset, which is not the same as null", () => {
      assert.strictEqual(after(null, { op: "unset", field: "a.x" }), undefined)
    })

    it.each(
      [
        ["sum", 5, 3, 8],
        ["sum", undefined, 3, 3],
        ["max", 5, 3, 5],
        ["max", undefined, -3, -3],
        ["min", 5, 3, 3],
        ["min", undefined, 3, 3]
      ] as const
    )("combines numbers by %s: %s with %s is %s", (op, current, value, expected) => {
      assert.strictEqual(after(current, { op, field: "a.n", value }), expected)
    })

    it("appends at the end, to an absent list too", () => {
      assert.deepStrictEqual(after([1], { op: "append", field: "a.l", values: [1, 2] }), [1, 1, 2])
      assert.deepStrictEqual(after(undefined, { op: "append", field: "a.l", values: [1] }), [1])
    })

    it("unites by JSON text, in canonical order: the order of an object's keys is none of its own", () => {
      const current = [{ b: 1, a: 2 }, "z"]
      const united = after(current, { op: "union", field: "a.l", values: [{ a: 2, b: 1 }, "a"] })
      assert.deepStrictEqual(united, ["a", "z", { a: 2, b: 1 }])
    })

    it("puts and removes one entry, and gives back the same record where there was none to remove", () => {
      const record = { k: 1, other: { deep: true } }
      assert.deepStrictEqual(after(record, { op: "put", field: "a.r", key: "k", value: 2 }), { ...record, k: 2 })
      assert.deepStrictEqual(after(undefined, { op: "put", field: "a.r", key: "k", value: 2 }), { k: 2 })
      assert.deepStrictEqual(after(record, { op: "remove", field: "a.r", key: "k" }), { other: { deep: true } })
      assert.strictEqual(after(record, { op: "remove", field: "a.r", key: "ghost" }), record)
    })

    it("puts a new entry among the others in the order of their keys, so that no order of two puts shows", () => {
      const put = (record: Schema.Json, key: string) => after(record, { op: "put", field: "a.r", key, value: 0 })
      const both = ["b", "a"].reduce<Schema.Json>((record, key) => put(record, key) as Schema.Json, { d: 0, c: 0 })
      assert.deepStrictEqual(Object.keys(both as object), ["a", "b", "c", "d"])
      assert.deepStrictEqual(Object.keys(put({ d: 0, c: 0 }, "d") as object), ["d", "c"])
    })

    it.each(["__proto__", "constructor", "toString", ""])("treats '%s' as a key like any other", (key) => {
      const put = after({ k: 1 }, { op: "put", field: "a.r", key, value: { polluted: true } }) as Schema.JsonObject
      assert.sameMembers(Object.keys(put), ["k", key])
      assert.strictEqual(Object.getPrototypeOf(put), Object.prototype)
      assert.isFalse("polluted" in {})

      const removed = after(put, { op: "remove", field: "a.r", key })
      assert.deepStrictEqual(removed, { k: 1 })

      const record = { k: 1 }
      assert.strictEqual(after(record, { op: "remove", field: "a.r", key }), record)
    })

    it("fails where the operation does not fit the value, and names both", () => {
      assert.strictEqual(
        refusal("text", { op: "sum", field: "a.n", value: 1 }),
        "'sum' on 'a.n': the stored value is not a number"
      )
      assert.strictEqual(
        refusal({}, { op: "append", field: "a.l", values: [] }),
        "'append' on 'a.l': the stored value is not a list"
      )
      assert.strictEqual(
        refusal(null, { op: "union", field: "a.l", values: [] }),
        "'union' on 'a.l': the stored value is not a list"
      )
      assert.strictEqual(
        refusal([], { op: "put", field: "a.r", key: "k", value: 1 }),
        "'put' on 'a.r': the stored value is not a record"
      )
      assert.strictEqual(
        refusal("text", { op: "put", field: "a.r", key: "k", value: 1 }),
        "'put' on 'a.r': the stored value is not a record"
      )
      assert.strictEqual(
        refusal(null, { op: "remove", field: "a.r", key: "k" }),
        "'remove' on 'a.r': the stored value is not a record"
      )
    })

    it("fails on an operation that this program does not know, and names it", () => {
      const later = { op: "increment", field: "a.n", by: 1 } as unknown as StateDelta.Operation
      assert.strictEqual(refusal(1, later), "'increment' on 'a.n': this program does not know this operation")
    })
  })

  describe("applyResult", () => {
    it("is all or nothing: where one operation fails, the values are as they were", () => {
      const before = values({ "a.x": 1, "a.t": "text" })
      const applied = StateDelta.applyResult(
        before,
        StateDelta.make([{ op: "set", field: "a.x", value: 2 }, { op: "sum", field: "a.t", value: 1 }])
      )
      assert.isTrue(Result.isFailure(applied))
      assert.deepStrictEqual([...before], [["a.x", 1], ["a.t", "text"]])
    })

    it("keeps a field called like a property of every object", () => {
      const applied = StateDelta.apply(
        values({}),
        StateDelta.make([
          { op: "set", field: "__proto__.x", value: 1 },
          { op: "set", field: "constructor.prototype", value: 2 }
        ], Object.fromEntries([["__proto__", 1], ["constructor", 1]]))
      )
      assert.deepStrictEqual([...applied], [["__proto__.x", 1], ["constructor.prototype", 2]])
      assert.isFalse("x" in {})
    })
  })

  describe("apply", () => {
    it("takes a value away by unset, which leaves no key behind", () => {
      const delta = StateDelta.make([{ op: "unset", field: "a.x" }, { op: "unset", field: "a.never" }])
      assert.deepStrictEqual([...StateDelta.apply(values({ "a.x": 1, "a.y": 2 }), delta)], [["a.y", 2]])
    })

    it("throws the error of an operation that does not fit", () => {
      const delta = StateDelta.make([{ op: "sum", field: "a.t", value: 1 }])
      assert.throws(() => StateDelta.apply(values({ "a.t": "text" }), delta), StateDelta.StateDeltaError)
    })
  })

  describe("decode", () => {
    const failureOf = (input: unknown) => Result.getOrThrow(Result.flip(StateDelta.decode(input)))

    it("names an operation that this program does not know, and its field", () => {
      const input = {
        versions: { a: 1 },
        operations: [{ op: "set", field: "a.x", value: 1 }, { op: "increment", field: "a.n", by: 2 }]
      }
      const error = failureOf(input)
      assert.deepStrictEqual(
        { tag: error._tag, field: error.field, operation: error.operation },
        { tag: "StateDeltaError", field: "a.n", operation: "increment" }
      )
    })

    it.each(
      [
        { op: "set", field: "a.x", value: null },
        { op: "unset", field: "a.x" },
        { op: "sum", field: "a.x", value: 1 },
        { op: "max", field: "a.x", value: 2 },
        { op: "min", field: "a.x", value: -1 },
        { op: "append", field: "a.x", values: [1, "b"] },
        { op: "union", field: "a.x", values: ["b"] },
        { op: "put", field: "a.x", key: "k", value: { a: 1 } },
        { op: "remove", field: "a.x", key: "k" }
      ] as const
    )("reads back what was written: $op", (operation) => {
      const delta = StateDelta.make([operation], { a: 1 })
      assert.deepStrictEqual(Result.getOrThrow(StateDelta.decode(StateDelta.encode(delta))), delta)
      // an operation that is known, and does not fit, is not taken for one of a later program
      const { field: _, ...without } = operation
      assert.strictEqual(failureOf({ versions: {}, operations: [without] }).operation, "")
      const beside = [operation, { op: "set", field: "a.x" }]
      assert.strictEqual(failureOf({ versions: {}, operations: beside }).operation, "")
      assert.strictEqual(
        failureOf({ versions: {}, operations: [{ ...operation, op: `${operation.op}s` }] }).message,
        [
          `'${operation.op}s' on 'a.x'`,
          "this program does not know this operation"
        ].join(": ")
      )
    })

    it("is about no field where the shape does not fit", () => {
      const { field, operation } = failureOf({ operations: [] })
      assert.deepStrictEqual([field, operation], ["", ""])
    })

    it.each([
      ["text", "delta"],
      ["null", null],
      ["a delta without versions", { operations: [] }],
      ["a version that is no integer", { versions: { a: 1.5 }, operations: [] }],
      ["operations that are no list", { versions: {}, operations: { op: "set" } }],
      ["a known operation without its value", { versions: {}, operations: [{ op: "set", field: "a.x" }] }],
      ["a sum of text", { versions: {}, operations: [{ op: "sum", field: "a.n", value: "1" }] }],
      ["an operation that is null", { versions: {}, operations: [null] }],
      ["an operation without a name", { versions: {}, operations: [{ field: "a.x" }] }]
    ])("is a typed error for %s", (_, input) => {
      const { _tag, field, operation } = failureOf(input)
      assert.deepStrictEqual({ _tag, field, operation }, { _tag: "StateDeltaError", field: "", operation: "" })
    })

    it("reads back a section and an entry called '__proto__'", () => {
      const delta = StateDelta.make(
        [{ op: "put", field: "__proto__.r", key: "__proto__", value: JSON.parse("{\"__proto__\":1}") as Json }],
        Object.fromEntries([["__proto__", 3]])
      )
      const text = JSON.stringify(StateDelta.encode(delta))
      const read = Result.getOrThrow(StateDelta.decode(JSON.parse(text)))
      assert.deepStrictEqual(Object.entries(read.versions), [["__proto__", 3]])
      assert.strictEqual(JSON.stringify(StateDelta.encode(read)), text)
    })
  })
})
