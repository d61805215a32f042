/**
 * Contexts, states and parameters that a contract allows, for property tests.
 *
 * What comes out is an `Arbitrary` of effect's, which `it.effect.prop` of `@effect/vitest` and `Arbitrary.checkEffect`
 * take: a handler is proved for every value that its schemas let through, and a counterexample is made small.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Arbitrary, Result, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import * as Contract from "../Contract.ts"
import type { FieldDefinition } from "../internal/field.ts"
import { accept } from "../internal/supply.ts"
import type { Complain } from "../internal/types.ts"
import type * as State from "../State.ts"
import type * as ToolContext from "../ToolContext.ts"
import type { NeedsOf } from "./internal/needs.ts"

/** The names of the context keys without a schema. */
type Locals<D> = Extract<NeedsOf<D>, ToolContext.LocalKey<string, never>>["name"]

/** What is given must be among the contract's own. */
type Among<Values, G> = { readonly [K in Exclude<keyof G, keyof Values>]: never }

const isGiven = (given: object | undefined, name: string): boolean => given !== undefined && Object.hasOwn(given, name)

const constants = (given: object | undefined): Readonly<Record<string, Arbitrary.Arbitrary<unknown>>> =>
  Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, Arbitrary.Constant(value as unknown)]))

/**
 * Values for the context keys of a tool, or of whatever has a contract.
 *
 * **Details**
 *
 * What is given stands in each of them: a key without a schema must be, any other may be.
 *
 * **Example** (A tenant that nobody has chosen)
 *
 * ```ts
 * import { Arbitrary, Effect, Schema } from "effect"
 * import { Tool, ToolContext } from "tenon"
 * import { Generate } from "tenon/testing"
 *
 * const Env = ToolContext.make({ tenant: Schema.String, seats: Schema.Int })
 * const Find = Tool.make("find", { context: [Env.tenant, Env.seats] })
 *
 * const contexts = await Effect.runPromise(Arbitrary.sampleEffect(Generate.context(Find, { seats: 3 }), { count: 10 }))
 * contexts.every(({ seats, tenant }) => seats === 3 && typeof tenant === "string") // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const context = <D extends Contract.Declaration, const G extends Partial<ToolContext.Supply<NeedsOf<D>>> = {}>(
  declaration: [Exclude<Locals<D>, keyof G>] extends [never] ? D
    : Complain<"give these keys a value, they have no schema", Exclude<Locals<D>, keyof G>>,
  given?: G & Among<ToolContext.Supply<NeedsOf<D>>, G>
): Arbitrary.Arbitrary<ToolContext.Supply<NeedsOf<D>>> => {
  const { requires } = Contract.of(declaration as Contract.Declaration)
  const made = requires.flatMap(({ name, schema }) => {
    // there may be no way to make what is given
    if (schema === undefined || isGiven(given, name)) return []
    // of several declarations of a name, each must take the value
    const others = requires.filter((key) => key.name === name && key.schema !== schema)
    const taken = (value: unknown) => others.every((key) => Result.isSuccess(accept(key, value)))
    const values = Arbitrary.schema(schema)
    return [[name, others.length === 0 ? values : Arbitrary.filter(values, taken)]]
  })
  return Arbitrary.all({ ...Object.fromEntries(made), ...constants(given) }) as never
}

const valuesOf = ({ keySchema, kind, schema }: FieldDefinition): Arbitrary.Arbitrary<unknown> => {
  if (kind === "optional") return Arbitrary.schema(Schema.Option(schema))
  return Arbitrary.schema(kind === "record" ? Schema.Record(keySchema as Schema.Record.Key, schema) : schema)
}

/**
 * Values for the fields that a tool touches, or whatever has a contract, by their full names. What is given stands in
 * each of them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const state = <D extends Contract.Declaration, const G extends Partial<State.Start<NeedsOf<D>>> = {}>(
  declaration: D,
  given?: G & Among<State.Start<NeedsOf<D>>, G>
): Arbitrary.Arbitrary<State.Start<NeedsOf<D>>> => {
  const fields = new Map(Contract.of(declaration).touches.map(({ field }) => [field.name, field]))
  const made = [...fields.values()].flatMap((field) =>
    isGiven(given, field.name) ? [] : [[field.name, valuesOf(field)]]
  )
  return Arbitrary.all({ ...Object.fromEntries(made), ...constants(given) }) as never
}

/**
 * Arguments for a tool's handler.
 *
 * **Example** (A mistake that is found, and made small)
 *
 * ```ts
 * import { Arbitrary, Effect, Schema } from "effect"
 * import { Reducer, State, Tool } from "tenon"
 * import { Generate, TestAgent } from "tenon/testing"
 *
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 * const Count = Tool.make("count", { parameters: Schema.Struct({ by: Schema.Int }), combines: [Search.count] })
 * const count = ({ by }: { readonly by: number }) => Search.count.combine(Math.min(by, 9))
 *
 * const counts = Arbitrary.checkEffect(Generate.parameters(Count), (parameters) =>
 *   Effect.gen(function*() {
 *     const test = yield* TestAgent.make(Count, { mocks: { count } })
 *     return (yield* test.call(Count, parameters)).state.get(Search.count) === parameters.by
 *   }).pipe(Effect.scoped), { seed: 1 })
 *
 * const checked = await Effect.runPromise(counts)
 * const found = checked._tag === "Falsified" && checked.shrunkInput
 * found // => { by: 10 }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parameters = <T extends AiTool.Any>(tool: T): Arbitrary.Arbitrary<AiTool.Parameters<T>> =>
  Arbitrary.schema(tool.parametersSchema) as never
