/**
 * The JSON codec of a schema whose types are no longer known, and the canonical text of JSON and its digest. Layer 1.
 */
import { Hash, Schema } from "effect"
import { memoize } from "effect/Function"

export type JsonCodec = Schema.Codec<unknown, Schema.Json>

/** Made once for each schema; constructors have refused schemas that need services. */
export const jsonCodec: (schema: Schema.Constraint) => JsonCodec = memoize(
  (schema) => Schema.toCodecJson(schema) as unknown as JsonCodec
)

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
