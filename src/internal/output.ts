/**
 * What an agent must answer with, where it is no plain text. Layer 5.
 */
import { JsonSchema, Result, Schema, type SchemaAST } from "effect"
import { memoize } from "effect/Function"
import { isTooDeep, jsonCodec, parseJson, tooDeep } from "./json.ts"

/** How an answer is told of, and read. */
export interface Output {
  /** What the model is told. */
  readonly told: string
  /** The encoded value in an answer, or why there is none. */
  readonly read: (text: string) => Result.Result<Schema.Json, string>
  /** The encoded value, if it fits. */
  readonly fit: (json: unknown) => Result.Result<Schema.Json, string>
  readonly decode: (json: Schema.Json) => unknown
}

/** Models like to put JSON into a fence. */
const unfenced = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text

const parse = (text: string): Result.Result<unknown, string> => parseJson(unfenced(text))

/** One that fits whole goes before one that leaves something out: of two members of a union, say, that both would fit. */
const exactly = <In, Out>(
  run: (input: In, options: SchemaAST.ParseOptions) => Result.Result<Out, Schema.SchemaError>
) =>
(input: In): Result.Result<Out, Schema.SchemaError> => {
  const whole = run(input, { errors: "all", onExcessProperty: "error" })
  return Result.isSuccess(whole) ? whole : run(input, { errors: "all" })
}

/** Made once for each schema. */
export const outputOf: (schema: Schema.Constraint) => Output = memoize((schema) => {
  const codec = jsonCodec(schema)
  const decode = exactly(Schema.decodeUnknownResult(codec))
  const encode = exactly(Schema.encodeUnknownResult(codec))
  const document = JsonSchema.toDocumentDraft07(Schema.toJsonSchemaDocument(schema))
  const shape = {
    ...document.schema,
    ...Object.keys(document.definitions).length > 0 && { definitions: document.definitions }
  }
  const fit = (json: unknown): Result.Result<Schema.Json, string> =>
    isTooDeep(json) ? Result.fail(tooDeep()) : Result.mapBoth(decode(json), {
      onSuccess: (value) => Result.getOrThrow(encode(value)),
      onFailure: ({ message }) => message
    })
  return {
    told: `Give your final answer as JSON alone, without any other text, that fits this JSON Schema:\n${
      JSON.stringify(shape)
    }`,
    read: (text) => Result.flatMap(parse(text), fit),
    fit,
    decode: (json) => Result.getOrThrow(decode(json))
  }
})
