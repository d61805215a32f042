/**
 * The JSON codec of a schema whose types are no longer known. Layer 1.
 */
import { Schema } from "effect"

export type JsonCodec = Schema.Codec<unknown, Schema.Json>

const codecs = new WeakMap<Schema.Constraint, JsonCodec>()

/** Made once for each schema; constructors have refused schemas that need services. */
export const jsonCodec = (schema: Schema.Constraint): JsonCodec => {
  const known = codecs.get(schema)
  if (known !== undefined) return known
  const made = Schema.toCodecJson(schema) as unknown as JsonCodec
  codecs.set(schema, made)
  return made
}
