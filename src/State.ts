/**
 * The dynamic channel: what tools and middleware write as the conversation goes on.
 *
 * A section is a namespace of State with one owner; a field is one value of it. A field is declared with a schema, and
 * is read and written as an Effect that requires the right to do so: a tool that does not declare a field cannot touch
 * it. What is written is checked, copied and frozen, kept as a delta, persisted and restored.
 *
 * Layer 1, contract. It does not know tools, agents or stores.
 *
 * @since 0.1.0
 */
import {
  type BigDecimal,
  type Cause,
  type Chunk,
  Context,
  type DateTime,
  type Duration,
  Effect,
  type Exit,
  type HashMap,
  type HashSet,
  Layer,
  Option,
  Result,
  type Schema
} from "effect"
import type { Tool as AiTool } from "effect/ai"
import { propertyNames } from "./internal/ast.ts"
import { accessOf, contractIn, type ContractValue } from "./internal/contract.ts"
import * as FieldModule from "./internal/field.ts"
import { CurrentFork, Fork } from "./internal/fork.ts"
import { failure, migration, type Step } from "./internal/migration.ts"
import type { Frozen, ListedByName, OneName, Part, Vague } from "./internal/types.ts"
import type * as Reducer from "./Reducer.ts"
import type * as StateDelta from "./StateDelta.ts"

// ===== identifiers ===========================================================

/**
 * The right to read a field. Invariant: a field is stored by one schema, so nobody may see it as more or as less.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Read<out Name extends string, in out Type> {
  readonly name: Name
  readonly "~tenon/Read": (_: Type) => Type
}

/**
 * The right to write a field.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Write<out Name extends string, in out Type> {
  readonly name: Name
  readonly "~tenon/Write": (_: Type) => Type
}

/**
 * The right to combine into a field.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Combine<out Name extends string, in out Type> {
  readonly name: Name
  readonly "~tenon/Combine": (_: Type) => Type
}

/**
 * A section with its whole shape, so that two sections of one name are told apart even when their fields never meet.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Owner<out Name extends string, in out Shape> {
  readonly name: Name
  readonly "~tenon/Owner": (_: Shape) => Shape
}

export type {
  /**
   * Readonly at every depth: what a field's value is to whoever reads it.
   *
   * @category utility types
   * @since 0.1.0
   */
  Frozen,
  /**
   * A name that is one literal, or the sentence that says so: what a helper takes that names a section or an interrupt.
   *
   * @category utility types
   * @since 0.1.0
   */
  OneName
}

/** All that `writes` gives on a field: who writes it may read and combine it, too. @since 0.1.0 */
export type Writes<Name extends string, Type> = Read<Name, Type> | Write<Name, Type> | Combine<Name, Type>

/** Any right on State, for constraints. @since 0.1.0 */
export type AnyRight = Read<string, any> | Write<string, any> | Combine<string, any>

/** Any section, for constraints. @since 0.1.0 */
export type AnyOwner = Owner<string, any>

// ===== models ================================================================

/**
 * How long a field lives and who shares it.
 *
 * `session`: one conversation. `user`: all conversations of a user in an app. `app`: all users of an app. `temp`: one
 * run, never stored.
 *
 * @category models
 * @since 0.1.0
 */
export type Scope = FieldModule.Scope

/**
 * What every kind of field has.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ref<out Name extends string, in out Type, out Section> {
  readonly name: Name
  /** The value that was committed when the call started, under the call's own writes. */
  readonly get: Effect.Effect<Type, never, Read<Name, Type>>
  /** Back to the initial value, or to none. Not the same as null. */
  readonly unset: Effect.Effect<void, never, Write<Name, Type>>
  readonly "~reads": Read<Name, Type> | Section
  readonly "~writes": Writes<Name, Type> | Section
  readonly "~combines": Combine<Name, Type> | Section
}

/**
 * A field that always has a value.
 *
 * @category models
 * @since 0.1.0
 */
export interface Field<out Name extends string, in out Type, out Section> extends Ref<Name, Type, Section> {
  readonly set: (value: Type) => Effect.Effect<void, never, Write<Name, Type>>
  readonly update: (f: (value: Type) => Type) => Effect.Effect<void, never, Read<Name, Type> | Write<Name, Type>>
  /** The write as a value, for `AgentRunner.run({ state: [...] })`. */
  readonly to: (value: Type) => Assignment
}

/**
 * A field with a reducer: `combine` needs no read, and does not conflict with another call's.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reduced<out Name extends string, in out Type, in Operand, out Section>
  extends Field<Name, Type, Section>
{
  readonly combine: (operand: Operand) => Effect.Effect<void, never, Combine<Name, Type>>
}

/**
 * A field that may have no value.
 *
 * @category models
 * @since 0.1.0
 */
export interface Optional<out Name extends string, in out Value, out Section>
  extends Ref<Name, Option.Option<Value>, Section>
{
  readonly set: (value: Value) => Effect.Effect<void, never, Write<Name, Option.Option<Value>>>
  readonly update: (
    f: (value: Option.Option<Value>) => Value
  ) => Effect.Effect<void, never, Read<Name, Option.Option<Value>> | Write<Name, Option.Option<Value>>>
  readonly to: (value: Value) => Assignment
}

/**
 * A record of entries: one entry is written, the rest is not touched.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entries<out Name extends string, in out Key extends string, in out Value, out Section>
  extends Ref<Name, { readonly [_ in Key]: Value }, Section>
{
  readonly set: (
    value: { readonly [_ in Key]: Value }
  ) => Effect.Effect<void, never, Write<Name, { readonly [_ in Key]: Value }>>
  readonly entry: (key: Key) => Effect.Effect<Option.Option<Value>, never, Read<Name, { readonly [_ in Key]: Value }>>
  readonly put: (key: Key, value: Value) => Effect.Effect<void, never, Write<Name, { readonly [_ in Key]: Value }>>
  readonly remove: (key: Key) => Effect.Effect<void, never, Write<Name, { readonly [_ in Key]: Value }>>
  readonly to: (value: { readonly [_ in Key]: Value }) => Assignment
  /** The one entry that a parameter of the tool names: calls for other entries do not conflict with it. */
  readonly at: <const Parameter extends string>(
    parameter: Parameter
  ) => Entry<Name, Parameter, { readonly [_ in Key]: Value }, Section>
}

/**
 * One entry of a record, named by a parameter of the tool that touches it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry<out Name extends string, Parameter extends string, in out Type, out Section> {
  readonly name: Name
  readonly "~parameter": (_: { readonly [_ in Parameter]: string }) => void
  readonly "~reads": Read<Name, Type> | Section
  readonly "~writes": Read<Name, Type> | Write<Name, Type> | Section
  readonly "~combines": never
}

/**
 * A write that comes from outside of a handler.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assignment {
  readonly "~tenon/Assignment": FieldModule.FieldDefinition
  readonly operation: Extract<StateDelta.Operation, { readonly op: "set" }>
}

/** Any field, for constraints: these properties are all that a contract reads. @since 0.1.0 */
export interface AnyField {
  readonly name: string
  readonly "~reads": any
  readonly "~writes": any
  readonly "~combines": any
}

/** Any field with a reducer, for constraints. @since 0.1.0 */
export interface AnyReduced extends AnyField {
  readonly combine: (operand: never) => unknown
}

/** Any section, for constraints. @since 0.1.0 */
export interface AnySection {
  readonly "~section": string
  readonly "~owner": AnyOwner
}

// ===== declarations ==========================================================

/** What a field is before its section gives it a name. */
export interface Spec<in out Type> {
  readonly "~spec": FieldModule.FieldSpec
  readonly "~type": (_: Type) => Type
}

/** @since 0.1.0 */
export interface ReducedSpec<in out Type, in Operand> extends Spec<Type> {
  readonly "~operand": (_: Operand) => void
}

/** @since 0.1.0 */
export interface OptionalSpec<in out Value> extends Spec<Option.Option<Value>> {
  readonly "~value": (_: Value) => Value
}

/** @since 0.1.0 */
export interface EntriesSpec<in out Key extends string, in out Value> extends Spec<{ readonly [_ in Key]: Value }> {
  readonly "~key": (_: Key) => Key
  readonly "~entry": (_: Value) => Value
}

type AnySpec = Spec<any>
type TypeOf<F> = F extends Spec<infer Type> ? Type : never
type Given<Name extends string, F, Section> = F extends EntriesSpec<infer Key, infer Value> ?
  Entries<Name, Key, Value, Section>
  : F extends OptionalSpec<infer Value> ? Optional<Name, Value, Section>
  : F extends ReducedSpec<infer Type, infer Operand> ? Reduced<Name, Type, Operand, Section>
  : F extends Spec<infer Type> ? Field<Name, Type, Section>
  : never

type Shape<F> = { readonly [K in keyof F]: TypeOf<F[K]> }

/**
 * A section: its fields, and who owns them.
 *
 * @category models
 * @since 0.1.0
 */
export type Section<Name extends string, F extends Record<string, AnySpec>> =
  & { readonly [K in keyof F & string]: Given<`${Name}.${K}`, F[K], Owner<Name, Shape<F>>> }
  & { readonly "~section": Name; readonly "~owner": Owner<Name, Shape<F>> }

/** A `URL` by its shape: the global name is `any` where neither the DOM nor Node is typed, and would let everything pass. */
interface Url {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly toJSON: () => string
}

/**
 * JSON, or something that Schema's JSON codec knows. Assignability copes with recursive types; a class or a function
 * has no index signature.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Storable =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | Url
  | Uint8Array
  | Option.Option<any>
  | Result.Result<any, any>
  | DateTime.DateTime
  | Duration.Duration
  | BigDecimal.BigDecimal
  | RegExp
  | Chunk.Chunk<any>
  | HashMap.HashMap<any, any>
  | HashSet.HashSet<any>
  | Exit.Exit<any, any>
  | Cause.Cause<any>
  | ReadonlyMap<any, any>
  | ReadonlySet<any>
  | ReadonlyArray<Storable>
  | { readonly [_ in string]: Storable }

/** The schema itself, or the sentence that says why `What` cannot be stored by it. */
export type StoredAs<What extends string, S extends Schema.Constraint> = true extends
  | Vague<S["Type"]>
  | Vague<S["Encoded"]> ? "give this schema a type: any and never cannot be checked"
  : [S["Encoded"]] extends [Storable] ? [S["DecodingServices"] | S["EncodingServices"]] extends [never] ? S
    : `this schema needs services: ${What} is read and written without any`
  : `give this schema a codec to JSON: ${What} is stored`

/** The schema itself, or the sentence that says why it cannot be stored. */
export type Stored<S extends Schema.Constraint> = StoredAs<"State", S>

/** The schema of a record's keys: a record may hold any number of entries, so that no list of keys can be complete. */
type Open<K extends Schema.Constraint & { readonly Type: string }> = {} extends { readonly [_ in K["Type"]]: 0 } ? K
  : "literal keys are a struct, use State.field"

const spec = (fields: FieldModule.FieldSpec): { readonly "~spec": FieldModule.FieldSpec } => ({ "~spec": fields })

/**
 * A field that always has a value.
 *
 * **Details**
 *
 * `reducer` gives it a `combine`; `scope` is `session` unless said otherwise; `onConflict: "last"` lets a plain write of
 * a `user` or `app` field win over one that another session made meanwhile.
 *
 * **Example** (A counter)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Reducer, State } from "tenon"
 *
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 *
 * Search.count.name // => "search.count"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const field = <S extends Schema.Constraint, Operand = never>(schema: Stored<S>, options: {
  readonly initial: S["Type"]
  readonly reducer?: Reducer.Reducer<NoInfer<S["Type"]>, Operand>
  readonly scope?: Scope
  readonly onConflict?: "fail" | "last"
}): [Operand] extends [never] ? Spec<Frozen<S["Type"]>> : ReducedSpec<Frozen<S["Type"]>, Operand> =>
  spec({
    kind: "value",
    scope: options.scope ?? "session",
    onConflict: options.onConflict ?? "fail",
    schema: schema as S,
    key: undefined,
    reducer: options.reducer as Reducer.Reducer<unknown, unknown> | undefined,
    initial: Option.some(options.initial)
  }) as never

/**
 * A field that may have no value: `get` gives an `Option`, `unset` takes the value away.
 *
 * @category constructors
 * @since 0.1.0
 */
export const optional = <S extends Schema.Constraint>(schema: Stored<S>, options?: {
  readonly scope?: Scope
  readonly onConflict?: "fail" | "last"
}): OptionalSpec<Frozen<S["Type"]>> =>
  spec({
    kind: "optional",
    scope: options?.scope ?? "session",
    onConflict: options?.onConflict ?? "fail",
    schema: schema as S,
    key: undefined,
    reducer: undefined,
    initial: Option.none()
  }) as never

/**
 * A field of entries by key. One changed entry makes a delta of that entry, however large the record is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const record = <K extends Schema.Constraint & { readonly Type: string }, V extends Schema.Constraint>(
  key: Open<K>,
  value: Stored<V>,
  options?: {
    readonly initial?: { readonly [_ in K["Type"]]: V["Type"] }
    readonly scope?: Scope
    readonly onConflict?: "fail" | "last"
  }
): EntriesSpec<K["Type"], Frozen<V["Type"]>> =>
  spec({
    kind: "record",
    scope: options?.scope ?? "session",
    onConflict: options?.onConflict ?? "fail",
    schema: value as V,
    key: key as K,
    reducer: undefined,
    initial: Option.some(options?.initial ?? {})
  }) as never

// ----- versions ---------------------------------------------------------------

/**
 * The earlier versions of a section, oldest first. `Next` is the only version that may come now.
 *
 * @category models
 * @since 0.1.0
 */
export interface History<in out Type, out Next extends ReadonlyArray<unknown>> {
  // a method, so that `Next` may be covariant: a history is only ever built upwards
  to<S extends Schema.Constraint>(
    version: Next["length"],
    schema: S,
    up: (value: Type) => S["Type"]
  ): History<S["Type"], [...Next, unknown]>
  readonly "~latest": (_: Type) => Type
  readonly "~steps": ReadonlyArray<Step>
}

const historyOf = (steps: ReadonlyArray<Step>): History<any, any> => ({
  to(version, schema, up) {
    if (version !== steps.length + 1) {
      throw new TypeError(`the next version of this history is ${steps.length + 1}, not ${version}`)
    }
    return historyOf([...steps, { schema, up }])
  },
  "~latest": (_) => _,
  "~steps": steps
})

/**
 * The first version of a section, as a schema of all its fields. `.to(2, …)` adds the next with the way up to it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const history = <S extends Schema.Constraint>(version: 1, schema: S): History<S["Type"], [unknown, unknown]> => {
  if (version !== 1) throw new TypeError("a history starts with version 1")
  return historyOf([{ schema, up: undefined }])
}

// ----- sections ---------------------------------------------------------------

/** Runs `f` on the fork of the attempt that runs. What `f` throws is a defect of that attempt. */
const withFork = <A, R>(f: (fork: Fork) => A): Effect.Effect<A, never, R> =>
  Effect.withFiber((fiber) => {
    const fork = Context.getOrUndefined(fiber.context, CurrentFork)
    return fork === undefined
      ? Effect.die(
        new Error("State is touched outside of a tool call or a hook: provide State.layer, or run it in an agent")
      )
      : Effect.sync(() => f(fork))
  })

const entryOf = (definition: FieldModule.FieldDefinition, parameter: string) => ({
  name: definition.name,
  "~field": definition,
  "~entry": parameter
})

const assignment = (definition: FieldModule.FieldDefinition, value: unknown): Assignment => ({
  "~tenon/Assignment": definition,
  operation: {
    op: "set",
    field: definition.name,
    value: Result.getOrThrowWith(
      definition.encode(value),
      ({ path, problem }) =>
        new TypeError(`the value for '${[definition.name, ...path].join(".")}' does not fit: ${problem}`)
    )
  }
})

const fieldOf = (definition: FieldModule.FieldDefinition) => {
  const get = withFork((fork) => fork.get(definition))
  const set = (value: unknown) => withFork((fork) => fork.set(definition, value))
  return {
    name: definition.name,
    "~field": definition,
    get,
    set,
    update: (f: (value: unknown) => unknown) =>
      Effect.flatMap(get, (value) => Effect.flatMap(Effect.sync(() => f(value)), set)),
    unset: withFork((fork) => fork.unset(definition)),
    to: (value: unknown) => assignment(definition, value),
    ...(definition.reducer && { combine: (operand: unknown) => withFork((fork) => fork.combine(definition, operand)) }),
    ...(definition.kind === "record" && {
      entry: (key: string) => withFork((fork) => fork.getEntry(definition, key)),
      put: (key: string, value: unknown) => withFork((fork) => fork.put(definition, key, value)),
      remove: (key: string) => withFork((fork) => fork.remove(definition, key)),
      at: (parameter: string) => entryOf(definition, parameter)
    })
  }
}

const noDots = (what: string, name: string): void => {
  if (name === "" || name.includes(".")) {
    throw new TypeError(`'${name}' cannot name a ${what}: it must not be empty or hold a dot`)
  }
}

/**
 * A section of State: a namespace with one owner.
 *
 * **Details**
 *
 * `history` and `up` bring what an earlier version of the program stored up to the fields of today. With `child:
 * "fresh"` a sub-agent starts the section anew, as it does a todo list.
 *
 * **Gotchas**
 *
 * A section that has a history keeps all its stored fields in one scope: they are migrated together.
 *
 * **Example** (What a search keeps)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Reducer, State } from "tenon"
 *
 * const Search = State.make("search", {
 *   lastQuery: State.optional(Schema.String),
 *   count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
 * })
 *
 * Search.lastQuery.to("licence").operation // => { op: "set", field: "search.lastQuery", value: "licence" }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Name extends string, const F extends Record<string, AnySpec>, Old = never>(
  name: OneName<Name>,
  fields: F & ListedByName<F>,
  options?: {
    readonly child?: "inherit" | "fresh"
    readonly history?: History<Old, ReadonlyArray<unknown>>
    readonly up?: (value: Old) => { readonly [K in keyof F]: TypeOf<F[K]> }
  }
): Section<Name, F> => {
  const section = name as Name
  noDots("section", section)
  const steps = options?.history?.["~steps"] ?? []
  if ((steps.length > 0) !== (options?.up !== undefined)) {
    throw new TypeError(`the section '${section}' needs both a history and the way up from it`)
  }
  const definitions = Object.create(null) as Record<string, FieldModule.FieldDefinition>
  const definition: FieldModule.SectionDefinition = {
    name: section,
    version: steps.length + 1,
    child: options?.child ?? "inherit",
    fields: definitions,
    history: steps.map(({ schema }) => schema),
    formerKeys: [...new Set(steps.flatMap(({ schema }) => propertyNames(schema)))].filter((key) =>
      !Object.hasOwn(fields, key)
    ),
    migrate: options?.up === undefined
      ? (version) => failure(`there is no way up from version ${version}`)
      : migration(steps, options.up, () => definitions)
  }
  const out = Object.defineProperty({}, "~section", { value: section, enumerable: false }) as Record<string, unknown>
  Object.defineProperty(out, FieldModule.sectionSymbol, { value: definition, enumerable: false })
  for (const [key, { "~spec": declared }] of Object.entries(fields)) {
    noDots("field", key)
    definitions[key] = FieldModule.defineField(() => definition, section, key, declared)
    Object.defineProperty(out, key, { value: fieldOf(definitions[key]), enumerable: true })
  }
  const scopes = new Set(Object.values(definitions).map(({ scope }) => scope).filter((scope) => scope !== "temp"))
  if (steps.length > 0 && scopes.size > 1) {
    throw new TypeError(`the section '${section}' has a history: keep its stored fields in one scope`)
  }
  return out as never
}

// ===== layers ================================================================

/** What a declaration needs, when it is a tool or carries its needs. */
type NeedsOf<D> = D extends { readonly "~needs": infer Needs } ? Needs : AiTool.Requirements<D>

/** A value for each field that a contract touches. @since 0.1.0 */
export type Start<Needs> = Started<Extract<Needs, Read<string, any> | Combine<string, any>>>
type Started<R extends { readonly name: string }> = {
  readonly [Each in R as Each["name"]]: Each extends Read<string, infer Type> ? Type
    : Each extends Combine<string, infer Type> ? Type
    : never
} extends infer Flat ? Flat : never

/**
 * State in memory for one tool, or for whatever carries its needs: for tests, and for tools that run outside of an
 * agent. Each field starts with the value that it is given, an optional one with an `Option`; leaving one out is a
 * compile error that names it.
 *
 * **Example** (A handler alone)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Reducer, State, Tool } from "tenon"
 *
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 * const Count = Tool.make("count", { writes: [Search.count] })
 * const handler = Effect.andThen(Search.count.combine(1), Search.count.get)
 *
 * const result = await Effect.runPromise(Effect.provide(handler, State.layer(Count, { "search.count": 41 })))
 * result // => 42
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <D extends AiTool.Any | { readonly "~needs": any; readonly contract: ContractValue }>(
  declared: D,
  values: Start<NeedsOf<D>>
): Layer.Layer<Part<NeedsOf<D>, AnyRight | AnyOwner>> =>
  Layer.sync(CurrentFork, () => {
    const contract = contractIn(declared)
    const access = accessOf({
      ...contract,
      touches: contract.touches.map((touch) => ({ ...touch, parameter: undefined }))
    })
    const given = new Map<string, Schema.Json>()
    for (const [name, value] of Object.entries(values as Readonly<Record<string, unknown>>)) {
      const definition = access.get(name)?.field
      if (definition === undefined) throw new TypeError(`'${name}' is no field of this contract`)
      if (definition.kind !== "optional") given.set(name, assignment(definition, value).operation.value)
      else if (!Option.isOption(value)) {
        throw new TypeError(`'${name}' is optional: give an Option, Option.some(…) or Option.none(), not a bare value`)
      } else if (Option.isSome(value)) given.set(name, assignment(definition, value.value).operation.value)
    }
    return new Fork("the tool under test", access, (name) => given.get(name))
  }) as Layer.Layer<any>
