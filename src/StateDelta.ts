/**
 * The ordered operations that one call or hook made on State.
 *
 * A delta is what is stored, never a new state: it holds built-in operations on encoded values, so it can be applied
 * without schemas and without the code that made it. `concat` is associative, `empty` is its identity, and applying a
 * concatenation is applying one after the other.
 *
 * Layer 1, contract.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import { byKey, canonical, deepestDocument, shallow } from "./internal/json.ts"

// ===== models ================================================================

/**
 * The encoded values of fields, by full name (`"search.count"`). A field that is absent was never written.
 *
 * @category models
 * @since 0.1.0
 */
export type Values = ReadonlyMap<string, Schema.Json>

const field = Schema.String
const list = Schema.Array(Schema.Json)

/**
 * One operation on one field. The list is closed: what a reducer of your own does is stored as `set`.
 *
 * @category models
 * @since 0.1.0
 */
export const Operation = Schema.Union([
  Schema.Struct({ op: Schema.Literal("set"), field, value: Schema.Json }),
  Schema.Struct({ op: Schema.Literal("unset"), field }),
  Schema.Struct({ op: Schema.Literals(["sum", "max", "min"]), field, value: Schema.Finite }),
  Schema.Struct({ op: Schema.Literals(["append", "union"]), field, values: list }),
  Schema.Struct({ op: Schema.Literal("put"), field, key: Schema.String, value: Schema.Json }),
  Schema.Struct({ op: Schema.Literal("remove"), field, key: Schema.String })
])

/** @since 0.1.0 */
export type Operation = typeof Operation.Type

/**
 * Operations in the order in which they were made, and the version of each section that they speak of.
 *
 * @category models
 * @since 0.1.0
 */
export const StateDelta = Schema.Struct({
  versions: Schema.Record(Schema.String, Schema.Int),
  operations: Schema.Array(Operation)
})

/** @since 0.1.0 */
export interface StateDelta extends Schema.Schema.Type<typeof StateDelta> {}

// ===== errors ================================================================

/**
 * A stored delta holds an operation that this program does not know, or one that does not fit the value it meets.
 *
 * @category errors
 * @since 0.1.0
 */
export class StateDeltaError extends Schema.TaggedError<StateDeltaError>()("StateDeltaError", {
  field: Schema.String,
  operation: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `'${this.operation}' on '${this.field}': ${this.problem}`
  }
}

// ===== constructors ==========================================================

/**
 * The delta that changes nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty: StateDelta = Object.freeze({ versions: Object.freeze({}), operations: Object.freeze([]) })

/**
 * Makes a delta of operations.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  operations: ReadonlyArray<Operation>,
  versions: Readonly<Record<string, number>> = {}
): StateDelta => operations.length === 0 ? empty : { versions, operations }

// ===== combinators ===========================================================

/**
 * Does the delta change nothing?
 *
 * @category guards
 * @since 0.1.0
 */
export const isEmpty = (delta: StateDelta): boolean => delta.operations.length === 0

/**
 * One delta after the other.
 *
 * **Example** (Two additions)
 *
 * ```ts
 * import { StateDelta } from "tenon"
 *
 * const one = StateDelta.make([{ op: "sum", field: "search.count", value: 1 }])
 * const both = StateDelta.concat(one, one)
 *
 * StateDelta.apply(new Map([["search.count", 40]]), both).get("search.count") // => 42
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const concat = (self: StateDelta, that: StateDelta): StateDelta =>
  isEmpty(self) ? that : isEmpty(that) ? self : {
    versions: { ...self.versions, ...that.versions },
    operations: [...self.operations, ...that.operations]
  }

const unite = (current: ReadonlyArray<Schema.Json>, items: ReadonlyArray<Schema.Json>): ReadonlyArray<Schema.Json> => {
  const byText = new Map([...current, ...items].map((item) => [canonical(item), item]))
  return Object.freeze([...byText].sort(byKey).map(([, item]) => item))
}

/** A new entry puts all in the order of their keys, so that no order of commits shows. */
const withEntry = (record: Schema.JsonObject, key: string, value: Schema.Json): Schema.JsonObject => {
  const next = { ...record, [key]: value }
  return Object.freeze(Object.hasOwn(record, key) ? next : Object.fromEntries(Object.entries(next).sort(byKey)))
}

const withoutEntry = (record: Schema.JsonObject, key: string): Schema.JsonObject => {
  const { [key]: _, ...rest } = record
  return Object.freeze(rest)
}

const numeric = { sum: (a: number, b: number) => a + b, max: Math.max, min: Math.min }

const misfit = (operation: Operation, problem: string) =>
  new StateDeltaError({ field: operation.field, operation: operation.op, problem })

/**
 * What a field's encoded value becomes by one operation; `undefined` is an absent value. Fails where the operation does
 * not fit the value.
 *
 * @category combinators
 * @since 0.1.0
 */
export const applyOperation = (
  current: Schema.Json | undefined,
  operation: Operation
): Result.Result<Schema.Json | undefined, StateDeltaError> => {
  switch (operation.op) {
    case "set":
      return Result.succeed(operation.value)
    case "unset":
      return Result.succeed(undefined)
    case "sum":
    case "max":
    case "min": {
      if (current === undefined) return Result.succeed(operation.value)
      if (typeof current !== "number") return Result.fail(misfit(operation, "the stored value is not a number"))
      return Result.succeed(numeric[operation.op](current, operation.value))
    }
    case "append":
    case "union": {
      if (current !== undefined && !Array.isArray(current)) {
        return Result.fail(misfit(operation, "the stored value is not a list"))
      }
      const items = (current ?? []) as ReadonlyArray<Schema.Json>
      return Result.succeed(
        operation.op === "union" ? unite(items, operation.values) : Object.freeze([...items, ...operation.values])
      )
    }
    case "put":
    case "remove": {
      if (current !== undefined && (typeof current !== "object" || current === null || Array.isArray(current))) {
        return Result.fail(misfit(operation, "the stored value is not a record"))
      }
      const record = (current ?? {}) as Schema.JsonObject
      return Result.succeed(
        operation.op === "put"
          ? withEntry(record, operation.key, operation.value)
          : Object.hasOwn(record, operation.key)
          ? withoutEntry(record, operation.key)
          : record
      )
    }
    default:
      return Result.fail(misfit(operation, "this program does not know this operation"))
  }
}

/**
 * Applies a delta to values, all or nothing. Fields that no operation names keep their values, by reference.
 *
 * @category combinators
 * @since 0.1.0
 */
export const applyResult = (values: Values, delta: StateDelta): Result.Result<Values, StateDeltaError> => {
  if (isEmpty(delta)) return Result.succeed(values)
  const out = new Map(values)
  for (const operation of delta.operations) {
    const next = applyOperation(out.get(operation.field), operation)
    if (Result.isFailure(next)) return Result.fail(next.failure)
    if (next.success === undefined) out.delete(operation.field)
    else out.set(operation.field, next.success)
  }
  return Result.succeed(out)
}

/**
 * As `applyResult`, and throws a `StateDeltaError` where an operation does not fit.
 *
 * @category combinators
 * @since 0.1.0
 */
export const apply = (values: Values, delta: StateDelta): Values => Result.getOrThrow(applyResult(values, delta))

// ===== encoding ==============================================================

const codec = Schema.toCodecJson(StateDelta)

/**
 * The delta as JSON.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (delta: StateDelta): Schema.Json => Schema.encodeSync(codec)(delta)

const UnknownOperation = Schema.Struct({ op: Schema.String, field: Schema.String })
const knownOperations = new Set(["set", "unset", "sum", "max", "min", "append", "union", "put", "remove"])
const decodeDelta = Schema.decodeUnknownResult(codec)
const isOperationLike = Schema.is(UnknownOperation)

/** An operation of a later program is named; everything else is a shape that does not fit. */
const unknownOperation = (input: unknown): StateDeltaError | undefined => {
  const operations = typeof input === "object" && input !== null && "operations" in input ? input.operations : []
  if (!Array.isArray(operations)) return undefined
  const unknown = operations.filter(isOperationLike).find(({ op }) => !knownOperations.has(op))
  return unknown && new StateDeltaError({
    field: unknown.field,
    operation: unknown.op,
    problem: "this program does not know this operation"
  })
}

/**
 * Reads a delta back. An operation that this program does not know is a typed error that names it.
 *
 * @category encoding
 * @since 0.1.0
 */
export const decode = (input: unknown): Result.Result<StateDelta, StateDeltaError> =>
  Result.mapError(
    Result.flatMap(shallow(input, deepestDocument), decodeDelta),
    (error) => unknownOperation(input) ?? new StateDeltaError({ field: "", operation: "", problem: error.message })
  )
