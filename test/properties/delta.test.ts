import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import { Reducer, StateDelta } from "tenon"

type Json = Schema.Json

/** Few names, so that operations meet; some of them are those of every object. */
const fields = ["a.x", "a.y", "b.x", "__proto__.x", "constructor.prototype"] as const
const keys = ["k", "__proto__", "constructor", ""] as const

const oneOf = <A>(items: ReadonlyArray<A>) =>
  Arbitrary.schema(Schema.Literals(items as ReadonlyArray<never>)) as Arbitrary.Arbitrary<A>

/** `-0` is no JSON: it comes back as `0`. */
const tidy = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

const json = Arbitrary.map(Arbitrary.schema(Schema.Json), tidy)

const operation = Arbitrary.map(
  Arbitrary.all({ made: Arbitrary.schema(StateDelta.Operation), field: oneOf(fields), key: oneOf(keys) }),
  ({ made, field, key }): StateDelta.Operation => tidy("key" in made ? { ...made, field, key } : { ...made, field })
)

const delta = Arbitrary.map(
  Arbitrary.all({
    operations: Arbitrary.array(operation, { maxLength: 6 }),
    versions: Arbitrary.array(Arbitrary.all([oneOf(["a", "b", "__proto__"]), oneOf([1, 2, 3])]), { maxLength: 2 })
  }),
  ({ operations, versions }) => StateDelta.make(operations, Object.fromEntries(versions))
)

const values = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([oneOf(fields), json])),
  (entries): StateDelta.Values => new Map(entries)
)

/** Operations that fit any values of these fields: each field has operations of one kind. */
const fittingOperation = Arbitrary.filterMap(operation, (made) => {
  const field = {
    set: "free.x",
    unset: "free.x",
    sum: "n.sum",
    max: "n.max",
    min: "n.min",
    append: "l.append",
    union: "l.union",
    put: "r.x",
    remove: "r.x"
  }[made.op]
  return Result.succeed({ ...made, field })
})

const entriesOf = (result: Result.Result<StateDelta.Values, StateDelta.StateDeltaError>) =>
  Result.match(result, {
    onSuccess: (all) => ({ values: [...all].sort(([a], [b]) => (a < b ? -1 : 1)) }),
    onFailure: ({ field, operation: op, problem }) => ({ failure: { field, op, problem } })
  })

const runs = { arbitrary: { runs: 300 } } as const

describe("StateDelta", () => {
  describe("concat", () => {
    it.effect.prop("is associative", { a: delta, b: delta, c: delta }, ({ a, b, c }) =>
      Effect.sync(() => {
        assert.deepStrictEqual(
          StateDelta.concat(StateDelta.concat(a, b), c),
          StateDelta.concat(a, StateDelta.concat(b, c))
        )
      }), runs)

    it.effect.prop("has the empty delta for its identity", { a: delta }, ({ a }) =>
      Effect.sync(() => {
        assert.strictEqual(StateDelta.concat(a, StateDelta.empty), a)
        assert.strictEqual(StateDelta.concat(StateDelta.empty, a), a)
      }), runs)

    it.effect.prop(
      "is applied as one delta after the other, failures included",
      { start: values, a: delta, b: delta },
      ({ start, a, b }) =>
        Effect.sync(() => {
          const oneByOne = Result.flatMap(
            StateDelta.applyResult(start, a),
            (between) => StateDelta.applyResult(between, b)
          )
          assert.deepStrictEqual(entriesOf(StateDelta.applyResult(start, StateDelta.concat(a, b))), entriesOf(oneByOne))
        }),
      runs
    )
  })

  describe("apply", () => {
    it.effect.prop(
      "does what its operations do one by one",
      { start: values, a: delta },
      ({ start, a }) =>
        Effect.sync(() => {
          const oneByOne = a.operations.reduce(
            (result, each) =>
              Result.flatMap(result, (current) => StateDelta.applyResult(current, StateDelta.make([each]))),
            Result.succeed(start) as Result.Result<StateDelta.Values, StateDelta.StateDeltaError>
          )
          assert.deepStrictEqual(entriesOf(StateDelta.applyResult(start, a)), entriesOf(oneByOne))
        }),
      runs
    )

    it.effect.prop("never fails on values that only ever met operations of their kind", {
      all: Arbitrary.array(fittingOperation)
    }, ({ all }) =>
      Effect.sync(() => {
        assert.isTrue(Result.isSuccess(StateDelta.applyResult(new Map(), StateDelta.make(all))))
      }), runs)

    it.effect.prop(
      "reaches no field that it does not name, and keeps those by reference",
      { start: values, a: delta },
      ({ start, a }) =>
        Effect.sync(() => {
          const before = tidy([...start])
          const applied = Result.getOrElse(StateDelta.applyResult(start, a), () => start)
          const named = new Set(a.operations.map(({ field }) => field))
          for (const [field, value] of start) if (!named.has(field)) assert.strictEqual(applied.get(field), value)
          for (const field of applied.keys()) assert.isTrue(start.has(field) || named.has(field))
          assert.deepStrictEqual([...start], before)
          assert.deepStrictEqual(Object.keys(Object.prototype), [])
        }),
      runs
    )

    it.effect.prop("keeps the entries of a record that it does not name, by reference", {
      record: Arbitrary.schema(Schema.Record(Schema.String, Schema.Json)),
      key: oneOf(keys),
      value: json
    }, ({ record, key, value }) =>
      Effect.sync(() => {
        const start = new Map<string, Json>([["a.r", record]])
        for (const each of [{ op: "put", field: "a.r", key, value }, { op: "remove", field: "a.r", key }] as const) {
          const applied = StateDelta.apply(start, StateDelta.make([each])).get("a.r") as Schema.JsonObject
          for (const [name, entry] of Object.entries(record)) if (name !== key) assert.strictEqual(applied[name], entry)
          assert.strictEqual(Object.hasOwn(applied, key), each.op === "put")
        }
      }), runs)
  })

  describe("encode and decode", () => {
    it.effect.prop("round-trip through JSON text", { a: delta }, ({ a }) =>
      Effect.sync(() => {
        const text = JSON.stringify(StateDelta.encode(a))
        const read = Result.getOrThrow(StateDelta.decode(JSON.parse(text)))
        assert.strictEqual(JSON.stringify(StateDelta.encode(read)), text)
        assert.deepStrictEqual(read.operations, a.operations)
        assert.deepStrictEqual(Object.entries(read.versions), Object.entries(a.versions))
      }), runs)

    it.effect.prop("name an unknown operation wherever it stands", {
      known: delta,
      op: Arbitrary.filter(
        Arbitrary.schema(Schema.String),
        (name) => !["set", "unset", "sum", "max", "min", "append", "union", "put", "remove"].includes(name)
      ),
      field: oneOf(fields)
    }, ({ known, op, field }) =>
      Effect.sync(() => {
        const read = StateDelta.decode({ versions: {}, operations: [...known.operations, { op, field }] })
        assert.deepStrictEqual(
          Result.mapError(read, (error) => [error.operation, error.field]),
          Result.fail([op, field])
        )
      }), runs)
  })

  describe("commutative operations", () => {
    const int = Schema.Int.check(Schema.isBetween({ minimum: -1000, maximum: 1000 }))
    const shuffled = <A>(items: ReadonlyArray<A>, ranks: ReadonlyArray<number>): ReadonlyArray<A> =>
      items.map((item, index) => ({ item, rank: ranks[index % Math.max(ranks.length, 1)] ?? 0, index }))
        .sort((a, b) => a.rank - b.rank || b.index - a.index).map(({ item }) => item)

    for (const op of ["sum", "max", "min"] as const) {
      it.effect.prop(`${op} gives equal results in any order`, {
        start: Schema.UndefinedOr(int),
        operands: Schema.Array(int),
        ranks: Schema.Array(Schema.Int)
      }, ({ start, operands, ranks }) =>
        Effect.sync(() => {
          const of = (all: ReadonlyArray<number>) =>
            StateDelta.apply(
              new Map(start === undefined ? [] : [["a.n", start]]),
              StateDelta.make(all.map((value): StateDelta.Operation => ({ op, field: "a.n", value })))
            )
          assert.deepStrictEqual(of(shuffled(operands, ranks)), of(operands))
        }), runs)
    }

    it.effect.prop("union gives equal results in any order, by text", {
      start: Arbitrary.array(json),
      operands: Arbitrary.array(json),
      ranks: Schema.Array(Schema.Int)
    }, ({ start, operands, ranks }) =>
      Effect.sync(() => {
        const of = (all: ReadonlyArray<Json>) =>
          StateDelta.apply(
            new Map<string, Json>([["a.l", start]]),
            StateDelta.make(all.map((value): StateDelta.Operation => ({ op: "union", field: "a.l", values: [value] })))
          ).get("a.l")
        // equal up to the order of an object's keys, which JSON does not have
        if (operands.length > 0) assert.deepStrictEqual(of(shuffled(operands, ranks)), of(operands))
      }), runs)

    it.effect.prop("the reducers agree with the operations that they are stored as", {
      current: int,
      operand: int
    }, ({ current, operand }) =>
      Effect.sync(() => {
        for (const reducer of [Reducer.sum, Reducer.max, Reducer.min]) {
          const applied = StateDelta.applyOperation(current, {
            op: reducer.operation as "sum",
            field: "a.n",
            value: operand
          })
          assert.strictEqual(Result.getOrThrow(applied), reducer.combine(current, operand))
        }
      }), runs)
  })
})
