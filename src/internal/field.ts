/**
 * What the rest of Tenon knows of a field and of a section at run time. Layer 1.
 *
 * The truth about a field is its encoded value: immutable JSON. What a handler sees is decoded on demand and cached by
 * the identity of the JSON, so an untouched value keeps its reference identity, and costs nothing.
 */
import { Option, Result, Schema, SchemaIssue } from "effect"
import type * as Reducer from "../Reducer.ts"
import type * as StateDelta from "../StateDelta.ts"
import { holdsRedacted, isInteger, isOwnJson, refuses } from "./ast.ts"
import { deepFreeze, isShareable } from "./freeze.ts"
import { encodeJson, type JsonCodec, jsonCodec } from "./json.ts"

/** How long a field lives and who shares it. */
export type Scope = "session" | "user" | "app" | "temp"

/** What stands in a field: a value, perhaps a value, or entries by key. */
export type Kind = "value" | "optional" | "record"

export interface SectionDefinition {
  readonly name: string
  readonly version: number
  readonly child: "inherit" | "fresh"
  readonly fields: Readonly<Record<string, FieldDefinition>>
  /** The names that fields of earlier versions had, and today's have not. */
  readonly formerKeys: ReadonlyArray<string>
  /** The schemas of the earlier versions, oldest first, each of all its fields. */
  readonly history: ReadonlyArray<Schema.Constraint>
  /** Brings the encoded fields of an earlier version up to a later one, at most this one. */
  readonly migrate: (
    from: number,
    to: number,
    fields: Readonly<Record<string, Schema.Json>>
  ) => Result.Result<Readonly<Record<string, Schema.Json>>, SectionProblem>
}

export interface SectionProblem {
  readonly path: ReadonlyArray<string>
  readonly problem: string
}

export interface FieldDefinition {
  readonly section: SectionDefinition
  readonly key: string
  readonly name: string
  readonly kind: Kind
  readonly scope: Scope
  readonly onConflict: "fail" | "last"
  /** Is it a record whose keys are more than any text? */
  readonly closed: boolean
  /** The schema of the value, or of one entry. */
  readonly schema: Schema.Constraint
  /** The schema of a record's keys. */
  readonly keySchema: Schema.Constraint | undefined
  readonly reducer: Reducer.Reducer<unknown, unknown> | undefined
  /** Do two combines of this field give equal results in any order? */
  readonly commutative: boolean
  /** May a combine be refused for the value that comes out? */
  readonly bounded: boolean
  /** Is a combine stored as the value that comes out? */
  readonly storesOutcome: boolean
  /** The encoded initial value; `undefined` where there is none. */
  readonly initial: Schema.Json | undefined
  readonly encode: (value: unknown) => Result.Result<Schema.Json, SectionProblem>
  readonly decode: (json: Schema.Json) => Result.Result<unknown, SectionProblem>
  /** One entry of a record field. */
  readonly encodeEntry: (key: string, value: unknown) => Result.Result<Schema.Json, SectionProblem>
  readonly decodeEntry: (json: Schema.Json) => Result.Result<unknown, SectionProblem>
  /** The operation that a combine is stored as, and the value that comes out. */
  readonly combine: (
    current: Schema.Json | undefined,
    operand: unknown
  ) => Result.Result<StateDelta.Operation, SectionProblem>
}

/** The declaration of a field, before its section gives it a name. */
export interface FieldSpec {
  readonly kind: Kind
  readonly scope: Scope
  readonly onConflict: "fail" | "last"
  readonly schema: Schema.Constraint
  readonly key: Schema.Constraint | undefined
  readonly reducer: Reducer.Reducer<unknown, unknown> | undefined
  readonly initial: Option.Option<unknown>
}

/** It gives one issue at least, and paths of plain keys. */
const format = SchemaIssue.makeFormatterStandardSchemaV1() as unknown as (issue: SchemaIssue.Issue) => {
  readonly issues: readonly [{ readonly path: ReadonlyArray<PropertyKey>; readonly message: string }]
}

/** Where a value does not fit and why, without the value. */
export const problemOf = (error: Schema.SchemaError): SectionProblem => {
  const { issues: [{ message, path }] } = format(error.issue)
  return { path: path.map(String), problem: message }
}

/** Encodes with a check, and copies what comes out. */
const encoder = (codec: JsonCodec) => {
  const encode = encodeJson(codec)
  return (value: unknown): Result.Result<Schema.Json, SectionProblem> =>
    Result.mapBoth(encode(value), { onSuccess: deepFreeze, onFailure: problemOf })
}

/** Decodes, and remembers what came out as long as nobody can change it. */
const decoder = (codec: JsonCodec) => {
  const decode = Schema.decodeUnknownResult(codec)
  const ownJson = isOwnJson(codec)
  const cache = new WeakMap<object, Result.Result<unknown, SectionProblem>>()
  const check = (json: Schema.Json): Result.Result<unknown, SectionProblem> =>
    Result.mapBoth(decode(json), {
      onSuccess: (value) => ownJson ? deepFreeze(json) : deepFreeze(value),
      onFailure: problemOf
    })
  return (json: Schema.Json): Result.Result<unknown, SectionProblem> => {
    if (typeof json !== "object" || json === null) return check(json)
    const cached = cache.get(json)
    if (cached !== undefined) return cached
    const checked = check(json)
    if (Object.isFrozen(json) && Result.isSuccess(checked) && isShareable(checked.success)) cache.set(json, checked)
    return checked
  }
}

/** The stored operation of a reducer, if its operands can be stored; else the outcome is. */
const builtIn = (
  name: string,
  codec: JsonCodec,
  { operation: op }: Reducer.Reducer<unknown, unknown>
): ((operand: unknown) => StateDelta.Operation | undefined) | undefined => {
  if (op === "own") return undefined
  if (op === "append" || op === "union") {
    // a list that is stored as something else, or in another order, cannot take an item in its JSON
    if (codec.ast.encoding !== undefined) return undefined
    const encode = encodeJson(codec)
    return (operand) => {
      const encoded = encode([operand])
      return Result.isSuccess(encoded) && Array.isArray(encoded.success) && encoded.success.length === 1
        ? { op, field: name, values: deepFreeze(encoded.success) }
        : undefined
    }
  }
  return isOwnJson(codec)
    ? (operand) => Number.isFinite(operand) ? { op, field: name, value: operand as number } : undefined
    : undefined
}

/** Builds a field's definition; refuses, by a defect, what the types could not. */
export const defineField = (
  section: () => SectionDefinition,
  sectionName: string,
  key: string,
  spec: FieldSpec
): FieldDefinition => {
  const name = `${sectionName}.${key}`
  if (holdsRedacted(spec.schema)) {
    throw new TypeError(
      `'${name}' holds a redacted value: State is stored, put it into the ToolContext`
    )
  }
  const entryCodec = jsonCodec(spec.schema)
  const codec = spec.key === undefined
    ? entryCodec
    : jsonCodec(Schema.Record(spec.key as unknown as Schema.String, spec.schema as unknown as JsonCodec))
  const keyCheck = spec.key === undefined ? undefined : Schema.is(spec.key as unknown as Schema.String)
  const encodeAll = encoder(codec)
  // a record's codec leaves out keys that do not fit
  const encode = keyCheck === undefined ? encodeAll : (value: unknown): Result.Result<Schema.Json, SectionProblem> => {
    const misfit = typeof value === "object" && value !== null
      ? Object.keys(value).find((entry) => !keyCheck(entry))
      : undefined
    return misfit === undefined
      ? encodeAll(value)
      : Result.fail({ path: [misfit], problem: "the key does not fit its schema" })
  }
  const initial = Option.map(
    spec.initial,
    (value) =>
      Result.getOrThrowWith(
        encode(value),
        ({ path, problem }) =>
          new TypeError(`the initial value of '${[name, ...path].join(".")}' does not fit its schema: ${problem}`)
      )
  )
  const reducer = spec.reducer
  const asOperation = reducer && builtIn(name, codec, reducer)
  const bounded = reducer !== undefined && refuses(spec.schema, asOperation === undefined ? "anywhere" : "top")
  const decode = decoder(codec)
  const encodeEntry = encoder(entryCodec)
  return {
    get section() {
      return section()
    },
    key,
    name,
    kind: spec.kind,
    scope: spec.scope,
    onConflict: spec.onConflict,
    closed: spec.key !== undefined && (spec.key.ast._tag !== "String" || spec.key.ast.checks !== undefined),
    schema: spec.schema,
    keySchema: spec.key,
    reducer,
    // where a bound refuses a combine, it matters which one comes last
    commutative: reducer !== undefined && reducer.commutative && !bounded &&
      (reducer.operation !== "sum" || isInteger(spec.schema)),
    bounded,
    storesOutcome: reducer !== undefined && asOperation === undefined,
    initial: Option.getOrUndefined(initial),
    encode,
    decode,
    encodeEntry: (entry, value) =>
      keyCheck === undefined || keyCheck(entry)
        ? Result.mapError(encodeEntry(value), ({ path, problem }) => ({ path: [entry, ...path], problem }))
        : Result.fail({ path: [entry], problem: "the key does not fit its schema" }),
    decodeEntry: decoder(entryCodec),
    combine: (current, operand) => {
      const operation = asOperation?.(operand)
      if (operation !== undefined) return Result.succeed(operation)
      // a field with a reducer has an initial value
      return Result.flatMap(
        decode(current as Schema.Json),
        (value) =>
          Result.map(
            encode(reducer?.combine(value, operand)),
            (encoded): StateDelta.Operation => ({ op: "set", field: name, value: encoded })
          )
      )
    }
  }
}

/** Where a section carries its definition. */
export const sectionSymbol = Symbol.for("tenon/State/section")

/** The definition behind a section. */
export const definitionOf = (section: object): SectionDefinition =>
  (section as Record<symbol, SectionDefinition>)[sectionSymbol] as SectionDefinition
