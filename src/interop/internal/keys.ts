/** Keys of foreign state, and the fields that they are mapped to. Layer 6, edge `interop`. */
import { Result, type Schema } from "effect"
import { prepare, sharedOperations } from "../../internal/commit.ts"
import type { FieldDefinition, Scope, SectionDefinition } from "../../internal/field.ts"
import type { Pending } from "../../internal/fork.ts"
import { sharedFields } from "../../internal/rows.ts"
import { unwritten } from "../../internal/writes.ts"
import type { Row, SharedWrite } from "../../SessionStore.ts"
import type * as State from "../../State.ts"
import * as StateDelta from "../../StateDelta.ts"
import { InteropError } from "../Imported.ts"
import type { Json } from "./json.ts"

/** The field behind its handle. */
export const definitionIn = (field: State.AnyField): FieldDefinition =>
  (field as State.AnyField & { readonly "~field": FieldDefinition })["~field"]

/** Fields by the keys that they have there, and back. */
export class KeyMap {
  readonly fields = new Map<string, FieldDefinition>()
  private readonly names = new Map<string, string>()
  private readonly format: InteropError["format"]

  constructor(
    format: InteropError["format"],
    keys: Readonly<Record<string, State.AnyField>>,
    scopeOf: (key: string) => Scope
  ) {
    this.format = format
    for (const [key, handle] of Object.entries(keys)) {
      const field = definitionIn(handle)
      if (field.scope !== scopeOf(key)) {
        throw new TypeError(
          `the key '${key}' is mapped to '${field.name}' of the scope '${field.scope}': its scope must be '${
            scopeOf(key)
          }'`
        )
      }
      if (this.names.has(field.name)) throw new TypeError(`two keys are mapped to '${field.name}'`)
      this.fields.set(key, field)
      this.names.set(field.name, key)
    }
  }

  keyOf(field: string): string | undefined {
    return this.names.get(field)
  }

  /** A value that came for a field, as the field stores it. */
  read(field: FieldDefinition, value: Json, path: ReadonlyArray<string>): Result.Result<Json, InteropError> {
    return Result.mapError(
      Result.flatMap(field.decode(value), field.encode),
      (misfit) =>
        new InteropError({
          format: this.format,
          path: [...path, ...misfit.path],
          problem: `it does not fit the field '${field.name}': ${misfit.problem}`
        })
    )
  }
}

/** The write of a field; without a value it goes. */
export const writeOf = ({ name }: FieldDefinition, value: Json | undefined): StateDelta.Operation =>
  value === undefined ? { op: "unset", field: name } : { op: "set", field: name, value }

/** Operations on session fields, with the versions of their sections. */
export const deltaOf = (
  writes: ReadonlyArray<{ readonly field: FieldDefinition; readonly operation: StateDelta.Operation }>
): StateDelta.StateDelta =>
  StateDelta.make(
    writes.map(({ operation }) => operation),
    Object.fromEntries(writes.map(({ field }) => [field.section.name, field.section.version]))
  )

/** The values of sections, as a session begins with them. */
export const sectionsWith = (
  values: ReadonlyArray<readonly [FieldDefinition, Json]>
): Readonly<Record<string, { readonly version: number; readonly fields: Readonly<Record<string, Schema.Json>> }>> => {
  const out: Record<string, { version: number; fields: Record<string, Json> }> = {}
  for (const [{ key, section: { name, version } }, value] of values) {
    const section = out[name] ??= { version, fields: {} }
    section.fields[key] = value
  }
  return out
}

/** A row for each field that a section shares, as if nobody had written it. */
const rowsOf = (section: SectionDefinition): ReadonlyArray<readonly [string, Row]> =>
  [...sharedFields(section).map(({ name }) => name), ...section.formerKeys.map((key) => `${section.name}.${key}`)]
    .map((name) => [name, unwritten])

/** What sets the rows of shared fields, and what of it an event tells. */
export const sharedWrites = (
  values: ReadonlyArray<readonly [FieldDefinition, Json]>
): { readonly writes: ReadonlyArray<SharedWrite>; readonly operations: ReadonlyArray<StateDelta.Operation> } => {
  const pending = values.map(([field, value]): Pending => ({
    _tag: "Operation",
    field,
    operation: writeOf(field, value)
  }))
  const rows = new Map(values.flatMap(([{ section }]) => rowsOf(section)))
  const prepared = prepare(pending, new Map(), () => undefined, rows)
  return { writes: prepared.writes, operations: sharedOperations(prepared) }
}
