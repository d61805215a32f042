/**
 * The JSON codec of a schema whose types are no longer known, how deep JSON may be, and its canonical text and digest.
 * Layer 1.
 */
import { Hash, Result, Schema, SchemaIssue } from "effect"
import { memoize } from "effect/Function"
import { isOwnJson } from "./ast.ts"

export type JsonCodec = Schema.Codec<unknown, Schema.Json>

/** Made once for each schema; constructors have refused schemas that need services. */
export const jsonCodec: (schema: Schema.Constraint) => JsonCodec = memoize(
  (schema) => Schema.toCodecJson(schema) as unknown as JsonCodec
)

// ----- depth ----------------------------------------------------------------------

/**
 * How many levels a value may have. Schemas, copies and `JSON.stringify` go down by recursion, and some thousand levels
 * take all of the stack.
 */
export const deepest = 500

/** Events and envelopes have their own levels around their values, and an entry may hold what another did. */
export const deepestDocument = 2 * deepest

/** Has a value parts of its own? Bytes are one value, as a text is. */
const hasParts = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value)

/** Counts the parts of a value, down to some levels, up to a hundred: a quick answer for nearly all that models say. */
const partsOf = (value: unknown, levels: number, counted: number): number => {
  if (!hasParts(value)) return counted
  if (levels === 0) return Infinity
  let parts = counted + 1
  for (const each of Object.values(value)) {
    if (parts > 100) return Infinity
    parts = partsOf(each, levels - 1, parts)
  }
  return parts
}

/** Has a value more levels? Whatever it is: this needs no stack, and takes a shared or a recurring part once a level. */
export const isTooDeep = (value: unknown, levels: number = deepest): boolean => {
  if (partsOf(value, Math.min(levels, 8), 0) <= 100) return false
  let level = new Set([value].filter(hasParts))
  for (let left = levels; level.size > 0; left--) {
    if (left === 0) return true
    const inner = new Set<object>()
    for (const each of level) for (const one of Object.values(each)) if (hasParts(one)) inner.add(one)
    level = inner
  }
  return false
}

const isJson = Schema.is(Schema.Json)

/** Is this JSON that can be kept? What a parser reads need not be: `1e400` is a number without end. */
export const isKept = (value: unknown): value is Schema.Json => !isTooDeep(value) && isJson(value)

/** A value that is not too deep; or what is wrong with it. */
export const shallow = <A>(value: A, levels: number = deepest): Result.Result<A, Schema.SchemaError> =>
  isTooDeep(value, levels)
    ? Result.fail(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: tooDeep(levels) })))
    : Result.succeed(value)

export const tooDeep = (levels: number = deepest): string => `it is nested more than ${levels} levels deep`

/** Reads JSON from outside by a schema. */
export const decodeJson = (
  schema: Schema.Constraint
): (json: unknown) => Result.Result<unknown, Schema.SchemaError> => {
  const decode = Schema.decodeUnknownResult(jsonCodec(schema))
  return (json) => Result.flatMap(shallow(json), decode)
}

/** Writes JSON such that it can be read again. What is no JSON yet may be deeper: a list in links, say. */
export const encodeJson = (
  codec: JsonCodec
): (value: unknown) => Result.Result<Schema.Json, Schema.SchemaError> => {
  const encode = Schema.encodeUnknownResult(codec)
  return isOwnJson(codec)
    ? (value) => Result.flatMap(shallow(value), encode)
    : (value) => Result.flatMap(encode(value), (json) => shallow(json))
}

/** Reads a text; the parser's own message would show it. One as short cannot be too deep. */
export const parseJson = (text: string, levels: number = deepest): Result.Result<Schema.Json, string> => {
  const parsed = Result.try({ try: () => JSON.parse(text) as Schema.Json, catch: () => "it is no JSON" })
  return text.length > 2 * levels
    ? Result.filterOrFail(parsed, (json) => !isTooDeep(json, levels), () => tooDeep(levels))
    : parsed
}

// ----- text -----------------------------------------------------------------------

/** A text as it is, and any other JSON as JSON. */
export const inWords = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

/** The order of entries by their keys. */
export const byKey = <A>([a]: readonly [string, A], [b]: readonly [string, A]): number => a < b ? -1 : a > b ? 1 : 0

/** A canonical text of a JSON value: keys in order, so that equal values have equal texts. */
export const canonical = (value: Schema.Json): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(byKey))
      : part)

/** A short text that changes with a text; it keeps no secret. */
export const digest = (text: string): string => (Hash.string(text) >>> 0).toString(16).padStart(8, "0")
