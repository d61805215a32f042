/**
 * The static channel: what the caller supplies for a run. Which user, which tenant, which scope.
 *
 * (Google's ADK gives the name ToolContext to what is `ToolCall` here.)
 *
 * A context key names one value, with a schema, or local to the process and without one. A tool that declares a key
 * reads it by its own name; a caller supplies all keys that an agent requires as one record. Values are checked, copied
 * and frozen once per run; they are in no event, no prompt, no log and no stored state.
 *
 * Layer 1, contract.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { CurrentAgent, ToolCall } from "./internal/call.ts"
import { contractIn, type ContractValue, type KeyDefinition, toolContract } from "./internal/contract.ts"
import { CurrentFork } from "./internal/fork.ts"
import { deepFreeze } from "./internal/freeze.ts"
import { decodeJson } from "./internal/json.ts"
import { type ReservedName, reservedName, type TakenName, takenName } from "./internal/messages.ts"
import { accept, contextOf, gather, missing, serviceKey, ToolContextError } from "./internal/supply.ts"
import type { Complain, Frozen, ListedByName, Part, Vague } from "./internal/types.ts"
import * as Precedence from "./Precedence.ts"
import type * as State from "./State.ts"

// ===== identifiers ===========================================================

/**
 * One supplied value, told apart by name *and* type, so that packages agree on a key without importing each other.
 * Contravariant: a supply of more satisfies a demand for less.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Key<out Name extends string, in Type> {
  readonly name: Name
  readonly "~tenon/Key": (_: Type) => void
}

/**
 * A key without a schema: its value never leaves the process. A `Key` supply satisfies it; not the other way round.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface LocalKey<out Name extends string, in Type> extends Key<Name, Type> {
  readonly "~tenon/LocalKey": true
}

/** Any context key, for constraints. @since 0.1.0 */
export type AnyKey = Key<string, never>

export {
  /**
   * A context value is missing, or does not fit its schema. It names the key and never the value.
   *
   * @category errors
   * @since 0.1.0
   */
  ToolContextError
} from "./internal/supply.ts"

// ===== models ================================================================

/**
 * A key as an Effect service: `yield*` reads its value.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyOf<Name extends string, Identifier, Type> extends Context.Service<Identifier, Type> {
  readonly name: Name
  readonly "~key": KeyDefinition
}

/** The declaration of a local key. @since 0.1.0 */
export interface LocalValue<in out Type> {
  readonly "~local": (_: Type) => Type
}

type Fields = Record<string, Schema.Constraint | LocalValue<any>>
type KeyFrom<K extends string, F> = F extends LocalValue<infer Type> ? KeyOf<K, LocalKey<K, Type>, Type>
  : F extends Schema.Constraint ? KeyOf<K, Key<K, Frozen<F["Type"]>>, Frozen<F["Type"]>>
  : never
type Given<F> = F extends LocalValue<infer Type> ? Type : F extends Schema.Constraint ? F["Type"] : never
type ServicesOf<F> = F extends Schema.Constraint ? F["DecodingServices"] | F["EncodingServices"] : never
type Checked<F> = {
  readonly [K in keyof F]: K extends Precedence.InternalKey ? ReservedName<K>
    : K extends "layer" | "layerUnknown" ? TakenName<K>
    : true extends Vague<Given<F[K]>> ? "give this key a type: any and never fit every need"
    : [ServicesOf<F[K]>] extends [never] ? F[K]
    : "this schema needs services: a ToolContext is checked without any"
}
type Locals<F> = { [K in keyof F]: F[K] extends LocalValue<any> ? K : never }[keyof F]
type Crossing<Names> = Complain<"give these keys a schema, they cross a process boundary", Names>

/**
 * A group of context keys, and the layers that supply them all.
 *
 * @category models
 * @since 0.1.0
 */
export type ToolContext<F extends Fields> =
  & { readonly [K in keyof F & string]: KeyFrom<K, F[K]> }
  & {
    /** Supplies all keys of the group. */
    readonly layer: (values: { readonly [K in keyof F]: Given<F[K]> }) => Layer.Layer<Identifiers<F>, ToolContextError>
    /** Decodes all keys of the group from a record of encoded values, as a request carries them. */
    readonly layerUnknown: (
      input: [Locals<F>] extends [never] ? unknown : Crossing<Locals<F>>
    ) => Layer.Layer<Identifiers<F>, ToolContextError>
  }

type Identifiers<F extends Fields> = { [K in keyof F & string]: KeyFrom<K, F[K]>["Identifier"] }[keyof F & string]

/**
 * What the keys in `Needs` ask for, as the record that a caller writes. Two demands on one name must both be met.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Supply<Needs> = {
  readonly [N in Extract<Needs, AnyKey>["name"]]: ValueOf<Extract<Needs, Key<N, never>>>
} extends infer Flat ? Flat : never
type ValueOf<K> = [K] extends [Key<string, infer Type>] ? Type : never

/** Anything that carries what it needs as a type, and its contract as a value: an agent, a sub-agent. */
export interface Declared {
  readonly "~needs": any
  readonly contract: ContractValue
}

// ===== supplying =============================================================

const supplied = <I>(keys: ReadonlyArray<KeyDefinition>, values: unknown): Layer.Layer<I, ToolContextError> =>
  Layer.effectContext(Effect.suspend(() =>
    Effect.map(
      Effect.fromResult(gather(keys, (key) =>
        typeof values === "object" && values !== null && Object.hasOwn(values, key.name)
          ? accept(key, (values as Record<string, unknown>)[key.name])
          : missing(key.name))),
      contextOf<I>
    )
  ))

/** Names what an untyped record holds under a name that the agent itself supplies: the agent's value wins. */
const warnOfReserved = (input: unknown): Effect.Effect<void> => {
  const names = typeof input === "object" && input !== null ? Object.keys(input).filter(Precedence.isInternalKey) : []
  return names.length === 0
    ? Effect.void
    : Effect.logWarning(`a supplied ToolContext holds reserved names, the agent's own values win: ${names.join(", ")}`)
}

const decoded = <I>(keys: ReadonlyArray<KeyDefinition>, input: unknown): Layer.Layer<I, ToolContextError> =>
  Layer.effectContext(Effect.gen(function*() {
    yield* warnOfReserved(input)
    const values = gather(keys, (key) => {
      if (typeof input !== "object" || input === null || !Object.hasOwn(input, key.name)) return missing(key.name)
      const raw = (input as Record<string, unknown>)[key.name]
      if (key.schema === undefined) return Result.fail(new ToolContextError({ key: key.name, problem: "invalid" }))
      return Result.mapBoth(decodeJson(key.schema)(raw), {
        onSuccess: deepFreeze,
        onFailure: () => new ToolContextError({ key: key.name, problem: "invalid" })
      })
    })
    return contextOf<I>(yield* Effect.fromResult(values))
  }))

// ===== constructors ==========================================================

/**
 * Declares context keys, each with a schema, or with `ToolContext.value` for one that never leaves the process.
 *
 * **Details**
 *
 * A key is known by its name and its type. Two packages that declare the same name with the same schema mean the same
 * value, without importing each other.
 *
 * **Example** (Three keys)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { ToolContext } from "tenon"
 *
 * const Env = ToolContext.make({ userId: Schema.Int, tenant: Schema.String })
 * const program = Effect.gen(function*() {
 *   return `${yield* Env.tenant}/${yield* Env.userId}`
 * })
 *
 * const result = await Effect.runPromise(Effect.provide(program, Env.layer({ userId: 1, tenant: "acme" })))
 * result // => "acme/1"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const F extends Fields>(
  fields: Checked<F> & ListedByName<F>
): ToolContext<F> => {
  const declared = Object.entries(fields as Fields)
  const keys = declared.map(([name, field]): KeyDefinition => {
    if (Precedence.isInternalKey(name)) throw new TypeError(reservedName(name))
    if (Precedence.isReserved(name)) throw new TypeError(takenName(name))
    return { name, schema: Schema.isSchema(field) ? field : undefined }
  })
  const services = keys.map((key) => [key.name, keyOf(key)] as const)
  return {
    ...Object.fromEntries(services),
    layer: (values: unknown) => supplied(keys, values),
    layerUnknown: (input: unknown) => decoded(keys, input)
  } as never
}

const keyOf = (key: KeyDefinition): unknown =>
  Object.defineProperties(Context.Service<unknown, unknown>(serviceKey(key.name)), {
    name: { value: key.name },
    "~key": { value: key }
  })

/**
 * A key without a schema: a database handle, a function, an object of a library. Its value passes as it is and never
 * leaves the process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const value = <Type>(): LocalValue<Type> => ({ "~local": (_) => _ })

// ===== layers ================================================================

/** The needs of an agent, or of one tool. */
type NeedsOf<D> = D extends Declared ? D["~needs"] : AiTool.Requirements<D>

/**
 * Supplies everything that an agent, a sub-agent or a tool requires of the ToolContext, as one record. What is missing,
 * of the wrong type or not asked for is a compile error at its name.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <D extends Declared | AiTool.Any>(
  declared: D,
  values: Supply<NeedsOf<D>>
): Layer.Layer<Part<NeedsOf<D>, AnyKey>, ToolContextError> => supplied(contractIn(declared).requires, values)

/**
 * Decodes everything that an agent, a sub-agent or a tool requires from a record of encoded values, as a request
 * carries them. Only keys with a schema can be decoded. A reserved name in the record is ignored, with a warning.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUnknown = <D extends Declared | AiTool.Any>(
  declared: [Extract<NeedsOf<D>, LocalKey<string, never>>] extends [never] ? D
    : Crossing<Extract<NeedsOf<D>, LocalKey<string, never>>["name"]>,
  input: unknown
): Layer.Layer<Part<NeedsOf<D>, AnyKey>, ToolContextError> => decoded(contractIn(declared as Declared).requires, input)

// ===== hosted agents =========================================================

/**
 * Answers for an agent's context keys where it is hosted: at the start of each run, after a crash too.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Resolver<out Name extends string, in out Values> {
  readonly name: Name
  readonly "~tenon/Resolver": (_: Values) => Values
}

// ===== the merged view =======================================================

type Split<R extends { readonly name: string }, Section extends string> = R["name"] extends infer N
  ? N extends `${Section}.${infer Field}` ? Field : never
  : never
type SectionOf<N extends string> = N extends `${infer Section}.${string}` ? Section : never

/**
 * The declared reads of a contract, by section and field.
 *
 * @category models
 * @since 0.1.0
 */
export type StateView<Needs> = StateReads<Extract<Needs, State.Read<string, any>>>
type StateReads<R extends State.Read<string, any>> = {
  readonly [S in SectionOf<R["name"]>]: {
    readonly [F in Split<R, S>]: Extract<R, { readonly name: `${S}.${F}` }> extends State.Read<string, infer Type>
      ? Type
      : never
  }
} extends infer Flat ? Flat : never

/**
 * What the agent itself supplies; it wins over supplied values of the same names.
 *
 * @category models
 * @since 0.1.0
 */
export interface Internal<Needs> {
  readonly state: StateView<Needs>
  readonly parentTools: ReadonlyArray<string>
  readonly parentMiddleware: ReadonlyArray<string>
  readonly toolContext: Readonly<Record<string, unknown>>
  readonly toolCall: ToolCall["Service"]
}

/**
 * The merged view of a tool: its supplied values flat, under the internal keys.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Merged<Needs> = Precedence.Override<Supply<Needs>, Internal<Needs>>

/** Those of the values that have one of these names. */
const only = (names: ReadonlyArray<string>, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

/**
 * All that a tool may see, in one record: the supplied values that it declares, and what the agent supplies itself.
 *
 * **Details**
 *
 * The agent's own keys (`Precedence.table`) win where a supplied value has the same name; the supplied ones stand
 * unshadowed under `toolContext`. `state` shows the declared reads as they are now.
 *
 * @category combinators
 * @since 0.1.0
 */
export const merged = <T extends AiTool.Any>(
  tool: T
): Effect.Effect<
  Merged<AiTool.Requirements<T>>,
  never,
  Extract<AiTool.Requirements<T>, AnyKey | State.Read<string, any>> | ToolCall
> =>
  Effect.withFiber((fiber) => {
    const contract = toolContract(tool)
    const lookup = fiber.context.mapUnsafe
    const agent = lookup.get(CurrentAgent.key) as CurrentAgent["Service"] | undefined
    const fork = lookup.get(CurrentFork.key) as CurrentFork["Service"] | undefined
    const values = Object.fromEntries(contract.requires.map(({ name }) => [name, lookup.get(serviceKey(name))]))
    // without a prototype: a section may be called `toString`
    const state = Object.create(null) as Record<string, Record<string, unknown>>
    for (const field of new Set(contract.touches.map((touch) => touch.field))) {
      const view = fork?.view(field) ?? Option.none()
      if (Option.isNone(view)) continue
      const section = state[field.section.name] ??= Object.create(null) as Record<string, unknown>
      section[field.key] = view.value
    }
    for (const section of Object.values(state)) Object.freeze(section)
    return Effect.succeed(
      Precedence.override(values, {
        state: Object.freeze(state),
        parentTools: agent?.parentTools ?? [],
        parentMiddleware: agent?.parentMiddleware ?? [],
        toolContext: Object.freeze(only(Object.keys(values), agent?.toolContext ?? values)),
        toolCall: lookup.get(ToolCall.key)
      }) as never
    )
  })
