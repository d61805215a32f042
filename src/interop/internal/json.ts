/** JSON that others wrote: checks, and the places where it does not fit. Layer 6, edge `interop`. */
import { Result, Schema } from "effect"
import { problemOf } from "../../internal/field.ts"
import { deepest, isTooDeep, tooDeep } from "../../internal/json.ts"
import { InteropError, type Loss } from "../Imported.ts"

export type Json = Schema.Json

export const isRecord = (value: unknown): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The entry of a record, if it has it itself. */
const entryOf = (record: Schema.JsonObject, key: string): Json | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** The text of an entry, if it has one. */
export const textIn = (record: unknown, key: string): string | undefined => {
  const value = isRecord(record) ? entryOf(record, key) : undefined
  return typeof value === "string" ? value : undefined
}

/** Sets an entry that may be called `__proto__`. */
export const putEntry = (record: Record<string, Json>, key: string, value: Json): void => {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Reads JSON by a schema; an error tells the place. */
export const reader = <S extends Schema.Constraint & { readonly DecodingServices: never }>(
  format: InteropError["format"],
  schema: S
) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (input: unknown, at: ReadonlyArray<string> = []): Result.Result<S["Type"], InteropError> =>
    Result.mapError(decode(input), (error) => {
      const { path, problem } = problemOf(error)
      return new InteropError({ format, path: [...at, ...path], problem })
    })
}

/** How deep a document may be: some levels come around what of it is kept. */
export const deepestHere = deepest - 20

/** Reads what may be anything as JSON that can be kept. */
export const jsonReader = (format: InteropError["format"]) => {
  const read = reader(format, Schema.Json)
  return (input: unknown): Result.Result<Json, InteropError> =>
    isTooDeep(input, deepestHere)
      ? Result.fail(new InteropError({ format, path: [], problem: tooDeep(deepestHere) }))
      : read(input)
}

/** Collects what has no place, each place and problem once. */
export class Report {
  private readonly losses = new Map<string, Loss>()

  add(path: ReadonlyArray<string | number>, problem: string): void {
    const loss = { path: path.map(String), problem }
    this.losses.set(JSON.stringify(loss), loss)
  }

  get all(): ReadonlyArray<Loss> {
    return [...this.losses.values()]
  }
}
