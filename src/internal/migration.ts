/**
 * The way of stored values up to the version of a section that a program has. Layer 1.
 */
import { Option, Result, Schema } from "effect"
import { type FieldDefinition, problemOf, type SectionDefinition, type SectionProblem } from "./field.ts"
import { jsonCodec } from "./json.ts"
import { placeOf } from "./place.ts"

/** One version of a section: all its fields. */
export interface Step {
  readonly schema: Schema.Constraint
  /** From the previous version's value; absent for the first. */
  readonly up: ((value: unknown) => unknown) | undefined
}

type Migrate = SectionDefinition["migrate"]

/** Why stored values are no values of a section. */
export const failure = (problem: string, path: ReadonlyArray<string> = []): Result.Result<never, SectionProblem> =>
  Result.fail({ path, problem })

/** Decodes by the version that was stored, goes up step by step, and encodes by the version that is wanted. */
export const migration = (
  steps: ReadonlyArray<Step>,
  up: (value: any) => unknown,
  fields: () => Readonly<Record<string, FieldDefinition>>
): Migrate => {
  const codecs = steps.map(({ schema }) => jsonCodec(schema))
  const encodeBy = (version: number, value: unknown) => {
    const codec = codecs[version - 1]
    return codec === undefined
      ? encodeFields(fields(), value as Record<string, unknown>)
      : Result.mapBoth(Schema.encodeUnknownResult(codec)(value), {
        onSuccess: (json) => json as Readonly<Record<string, Schema.Json>>,
        onFailure: problemOf
      })
  }
  return (from, to, stored) => {
    const codec = codecs[from - 1]
    if (codec === undefined) return failure(`there is no version ${from} in its history`)
    const decoded = Result.mapError(Schema.decodeUnknownResult(codec)(stored), problemOf)
    const migrated = Result.flatMap(decoded, (value) =>
      Result.try({
        try: () => {
          const latest = steps.slice(from, to).reduce((current, step) => step.up?.(current), value)
          return to > steps.length ? up(latest) : latest
        },
        catch: (error): SectionProblem => ({
          path: [],
          problem: `its migration threw: ${placeOf(error)}`
        })
      }))
    return Result.flatMap(migrated, (value) => encodeBy(to, value))
  }
}

const encodeFields = (
  fields: Readonly<Record<string, FieldDefinition>>,
  values: Readonly<Record<string, unknown>>
): Result.Result<Readonly<Record<string, Schema.Json>>, SectionProblem> => {
  // without a prototype: a field may be called `__proto__`
  const out = Object.create(null) as Record<string, Schema.Json>
  for (const [key, definition] of Object.entries(fields)) {
    const value = values[key]
    const given = definition.kind === "optional" && Option.isOption(value) ? value : Option.some(value)
    if (Option.isNone(given)) continue
    const encoded = definition.encode(given.value)
    if (Result.isFailure(encoded)) return failure(encoded.failure.problem, [key, ...encoded.failure.path])
    out[key] = encoded.success
  }
  return Result.succeed(out)
}
