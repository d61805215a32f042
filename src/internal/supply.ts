/**
 * Supplied values: checked, copied and frozen, and their places in a context. Layer 1; its public face is `ToolContext`.
 */
import { Context, Result, Schema } from "effect"
import { memoize } from "effect/Function"
import { holdsRedacted, isOwnJson } from "./ast.ts"
import type { ContractValue, KeyDefinition } from "./contract.ts"
import { deepFreeze, freezeOwned } from "./freeze.ts"
import { encodeJson, jsonCodec, shallow } from "./json.ts"

/**
 * A context value is missing, or does not fit its schema. It names the key and never the value.
 */
export class ToolContextError extends Schema.TaggedError<ToolContextError>()("ToolContextError", {
  key: Schema.String,
  problem: Schema.Literals(["missing", "invalid"])
}) {
  override get message(): string {
    return this.problem === "missing"
      ? `the context key '${this.key}' is missing: supply it with ToolContext.layer`
      : `the value supplied for the context key '${this.key}' does not fit its schema`
  }
}

export const serviceKey = (name: string): string => `tenon/ToolContext/${name}`

/** Copies with a check; a value that cannot be written as JSON (a redacted one) is checked and frozen as it is. */
const copier = memoize((schema: Schema.Constraint): (value: unknown) => Result.Result<unknown, unknown> => {
  const typeSide = Schema.toType(schema) as unknown as Schema.Codec<unknown>
  const codec = jsonCodec(schema)
  const check = Schema.decodeUnknownResult(typeSide)
  if (holdsRedacted(schema) || isOwnJson(codec)) {
    return (value) => Result.map(Result.flatMap(shallow(value), check), deepFreeze)
  }
  const encode = encodeJson(codec)
  const decode = Schema.decodeUnknownResult(codec)
  return (value) => Result.map(Result.flatMap(encode(value), decode), (copy) => freezeOwned(deepFreeze(copy)))
})

export const accept = (key: KeyDefinition, value: unknown): Result.Result<unknown, ToolContextError> => {
  if (key.schema === undefined) return Result.succeed(value)
  return Result.mapBoth(copier(key.schema)(value), {
    onSuccess: (copy) => copy,
    onFailure: () => new ToolContextError({ key: key.name, problem: "invalid" })
  })
}

export const missing = (name: string) => Result.fail(new ToolContextError({ key: name, problem: "missing" }))

/** Checks every declared key against `lookup`, and gives the values by name. */
export const gather = (
  keys: ReadonlyArray<KeyDefinition>,
  lookup: (key: KeyDefinition) => Result.Result<unknown, ToolContextError>
): Result.Result<Readonly<Record<string, unknown>>, ToolContextError> => {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of keys) {
    // a second declaration of a name checks what the first let through
    const found = Object.hasOwn(out, key.name) ? accept(key, out[key.name]) : lookup(key)
    if (Result.isFailure(found)) return Result.fail(found.failure)
    out[key.name] = found.success
  }
  return Result.succeed(Object.freeze(out))
}

export const contextOf = <I>(values: Readonly<Record<string, unknown>>): Context.Context<I> =>
  Context.makeUnsafe(new Map(Object.entries(values).map(([name, value]) => [serviceKey(name), value])))

/**
 * The supplied values that a contract requires, checked and frozen, out of the context of a run.
 */
export const take = (
  contract: ContractValue,
  context: Context.Context<never>
): Result.Result<Readonly<Record<string, unknown>>, ToolContextError> =>
  gather(contract.requires, (key) =>
    context.mapUnsafe.has(serviceKey(key.name))
      ? accept(key, context.mapUnsafe.get(serviceKey(key.name)))
      : missing(key.name))

/** The value of a context key in a context; `undefined` when nobody supplies it. */
export const lookup = (context: Context.Context<never>, name: string): unknown =>
  context.mapUnsafe.get(serviceKey(name))

/** Puts checked values into a context, under their keys. */
export const put = (
  context: Context.Context<never>,
  values: Readonly<Record<string, unknown>>
): Context.Context<never> => Context.merge(context, contextOf<never>(values))

/** Is this the service key of a context key? */
export const isContextKey = (key: string): boolean => key.startsWith("tenon/ToolContext/")
