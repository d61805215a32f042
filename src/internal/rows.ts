/**
 * The rows of fields that sessions share: which there are, and how those of an earlier version come up to date. Layer 4.
 */
import { Effect, Result, type Schema } from "effect"
import type { StateError, StoreFailed } from "../AgentError.ts"
import type { Ref, Row, SessionStore, SharedScope, SharedWrite } from "../SessionStore.ts"
import type * as StateDelta from "../StateDelta.ts"
import type { FieldDefinition, SectionDefinition } from "./field.ts"
import { checkField, migrateSection } from "./fold.ts"
import { isShared } from "./fork.ts"

/** A row by its field's full name. */
export interface RowName {
  readonly scope: SharedScope
  readonly field: string
}

/** The shared fields of a section. */
export const sharedFields = (section: SectionDefinition): ReadonlyArray<FieldDefinition> =>
  Object.values(section.fields).filter(isShared)

/**
 * The rows that a section has, and those that an earlier version of it had under other names. Who has no user has none
 * of a user's.
 */
export const rowNames = (section: SectionDefinition, { user }: Ref): ReadonlyArray<RowName> => {
  const current = sharedFields(section)
    .filter(({ scope }) => scope === "app" || user !== undefined)
    .map(({ name, scope }): RowName => ({ scope: scope as SharedScope, field: name }))
  const [first] = current
  // a section with a history keeps its stored fields in one scope
  return first === undefined ? [] : [
    ...current,
    ...section.formerKeys.map((key): RowName => ({ scope: first.scope, field: `${section.name}.${key}` }))
  ]
}

export interface Migrated {
  /** The rows of today's fields. */
  readonly rows: ReadonlyMap<string, Row>
  /** What brings the store up to date, and the versions of the rows that it stands on. */
  readonly writes: ReadonlyArray<SharedWrite>
  readonly unchanged: ReadonlyMap<string, { readonly scope: SharedScope; readonly version: number }>
}

interface Draft {
  readonly rows: Map<string, Row>
  readonly writes: Array<SharedWrite>
  readonly unchanged: Map<string, { readonly scope: SharedScope; readonly version: number }>
}

const migrateOne = (
  section: SectionDefinition,
  ref: Ref,
  stored: ReadonlyMap<string, Row>,
  draft: Draft
): Result.Result<void, StateError> => {
  const names = rowNames(section, ref)
  // a row without a value tells a version too: a later program may have renamed its field
  const kept = names.flatMap(({ field }) => {
    const row = stored.get(field)
    return row === undefined || row.section === 0 ? [] : [{ key: field.slice(section.name.length + 1), row }]
  })
  const versions = kept.map(({ row }) => row.section)
  const newest = Math.max(section.version, ...versions)
  const from = newest > section.version ? newest : Math.min(section.version, ...versions)
  if (from === section.version) return Result.succeed(undefined)
  const written = kept.filter(({ row }) => row.value !== undefined)
  const fields = Object.fromEntries(written.map(({ key, row }) => [key, row.value as Schema.Json]))
  const raised = written.length === 0 && from < section.version
    ? Result.succeed(fields)
    : migrateSection(section, section.name, from, section.version, fields)
  return Result.map(raised, (migrated) => {
    for (const { scope, field } of names) {
      const row = stored.get(field)
      const value = migrated[field.slice(section.name.length + 1)]
      draft.rows.set(field, { value, version: row?.version ?? 0, section: section.version })
      draft.unchanged.set(field, { scope, version: row?.version ?? 0 })
      draft.writes.push({
        scope,
        operation: value === undefined ? { op: "unset", field } : { op: "set", field, value },
        initial: undefined,
        section: section.version,
        migrates: true
      })
    }
  })
}

/** Rows brought up to the versions of this program, and checked. */
const migrateRows = (
  sections: Iterable<SectionDefinition>,
  ref: Ref,
  stored: ReadonlyMap<string, Row>
): Result.Result<Migrated, StateError> => {
  const draft: Draft = { rows: new Map(stored), writes: [], unchanged: new Map() }
  for (const section of sections) {
    const migrated = migrateOne(section, ref, stored, draft)
    if (Result.isFailure(migrated)) return Result.fail(migrated.failure)
    for (const field of sharedFields(section)) {
      const checked = checkField(field, draft.rows.get(field.name)?.value)
      if (Result.isFailure(checked)) return Result.fail(checked.failure)
    }
  }
  return Result.succeed(draft)
}

/** The rows of sections as they are in a store now, brought up to the versions of this program. */
export const loadRows = (
  store: SessionStore["Service"],
  ref: Ref,
  sections: Iterable<SectionDefinition>
): Effect.Effect<Migrated, StoreFailed | StateError> => {
  const all = [...sections]
  return Effect.flatMap(
    store.shared(ref, all.flatMap((section) => rowNames(section, ref))),
    (stored) => Effect.fromResult(migrateRows(all, ref, stored))
  )
}

/** A session's own values, with those of the rows that it shares. */
export const withRows = (
  values: StateDelta.Values,
  rows: ReadonlyMap<string, Row>
): Map<string, Schema.Json> => {
  const all = new Map(values)
  for (const [name, { value }] of rows) {
    if (value === undefined) all.delete(name)
    else all.set(name, value)
  }
  return all
}

/** What a fork reads under its own writes: shared fields from their rows, the others from an agent's values. */
export const baseOf =
  (values: ReadonlyMap<string, Schema.Json>, rows: ReadonlyMap<string, Row>) =>
  (name: string): Schema.Json | undefined => rows.has(name) ? rows.get(name)?.value : values.get(name)
