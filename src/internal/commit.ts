/**
 * What an attempt did, made ready for its event: operations that can be stored, and the values that come out. Layer 4.
 */
import { Result, type Schema } from "effect"
import type { Row, SharedScope, SharedWrite } from "../SessionStore.ts"
import type * as State from "../State.ts"
import * as StateDelta from "../StateDelta.ts"
import type { FieldDefinition } from "./field.ts"
import { isShared, type Pending, StateWriteError, writable } from "./fork.ts"
import { sharedFields } from "./rows.ts"

export interface Prepared {
  /** Operations on session fields, for the event. */
  readonly delta: StateDelta.StateDelta
  /** The new values of session and temp fields; `undefined` takes a value away. */
  readonly values: ReadonlyMap<string, Schema.Json | undefined>
  /** Operations on temp fields, for the parent of a sub-agent; never stored. */
  readonly temp: ReadonlyArray<StateDelta.Operation>
  readonly writes: ReadonlyArray<SharedWrite>
  /** The shared fields whose rows must be as they were seen. */
  readonly unchanged: ReadonlyMap<string, { readonly scope: SharedScope; readonly version: number }>
  /** Those of them that the attempt stands on; the others were only computed with, and may be computed with again. */
  readonly guarded: ReadonlySet<string>
}

const nothing: Prepared = {
  delta: StateDelta.empty,
  values: new Map(),
  temp: [],
  writes: [],
  unchanged: new Map(),
  guarded: new Set()
}

const isSame = (a: Schema.Json | undefined, b: Schema.Json | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

const isPlain = ({ op }: StateDelta.Operation): boolean => op === "set" || op === "unset"

/**
 * The initial values of the shared sections that are written: the first write stores a section whole, as event 0 does
 * for the session's, so that a later version can migrate it; and where a row is there already, its version is checked.
 * There are rows of all fields that the session can write, and of those that earlier versions had.
 */
const initials = (
  written: ReadonlyArray<FieldDefinition>,
  rows: ReadonlyMap<string, Row>
): ReadonlyArray<SharedWrite> =>
  [...new Set(written.map(({ section }) => section))].flatMap((section) => {
    const { formerKeys, name, version } = section
    const current = sharedFields(section).map(({ scope, name: field, initial }): SharedWrite => ({
      scope: scope as SharedScope,
      operation: initial === undefined ? { op: "unset", field } : { op: "set", field, value: initial },
      initial,
      section: version,
      ifAbsent: true
    }))
    const former = formerKeys.map((key): SharedWrite => ({
      scope: current[0]?.scope as SharedScope,
      operation: { op: "unset", field: `${name}.${key}` },
      initial: undefined,
      section: version,
      ifAbsent: true
    }))
    return [...current, ...former].filter(({ operation }) => rows.has(operation.field))
  })

/**
 * Runs the operations on the values that are there now. A combine whose outcome no longer fits its schema is refused as
 * a write is.
 */
export const prepare = (
  pending: ReadonlyArray<Pending>,
  sharedReads: ReadonlyMap<string, FieldDefinition>,
  current: (name: string) => Schema.Json | undefined,
  rows: ReadonlyMap<string, Row>,
  /** The rows that the attempt saw, where they have changed since. */
  seen: ReadonlyMap<string, Row> = rows
): Prepared => {
  if (pending.length === 0) return nothing
  const values = new Map<string, Schema.Json | undefined>()
  const stored: Array<StateDelta.Operation> = []
  const temp: Array<StateDelta.Operation> = []
  const writes: Array<SharedWrite> = []
  const versions = new Map<string, number>()
  const guarded = new Map<string, FieldDefinition>()
  const computed = new Map<string, FieldDefinition>()
  let isPlainWrite = false

  for (const each of pending) {
    const { field } = each
    const shared = isShared(field)
    const before = values.has(field.name)
      ? values.get(field.name)
      : shared
      ? rows.get(field.name)?.value
      : current(field.name)
    const value = before === undefined ? field.initial : before
    if (each._tag === "Operation" && each.meets !== undefined && !isSame(each.meets.value, before)) {
      const problem =
        "its section got a new version meanwhile, and others wrote it: what was done to it cannot come back"
      throw new StateWriteError(field.name, { path: [], problem })
    }
    const operation = each._tag === "Operation" ? each.operation : writable(field, field.combine(value, each.operand))
    const after = Result.getOrThrow(StateDelta.applyOperation(value, operation))
    // a combine meets a value that its attempt did not see
    if (field.reducer !== undefined && after !== undefined && !isPlain(operation)) writable(field, field.decode(after))
    values.set(field.name, after)
    if (shared) {
      // what comes out must be checked on the row that is there
      const own = each._tag === "Combine" || (field.bounded && !isPlain(operation))
      const plain = !own && isPlain(operation)
      if (own) computed.set(field.name, field)
      if (plain && field.onConflict === "fail") guarded.set(field.name, field)
      if (plain) isPlainWrite = true
      writes.push({
        scope: field.scope as SharedScope,
        operation,
        initial: field.initial,
        section: field.section.version
      })
    } else if (field.scope === "temp") temp.push(operation)
    else {
      stored.push(operation)
      versions.set(field.section.name, field.section.version)
    }
  }
  const delta = StateDelta.make(stored, Object.fromEntries(versions))
  if (writes.length === 0) return { ...nothing, delta, values, temp }
  // a plain write of a shared field stands on everything shared that the attempt read
  if (isPlainWrite) {
    for (const [name, field] of sharedReads) {
      if (field.onConflict === "fail") guarded.set(name, field)
    }
  }
  const versionsIn = (fields: ReadonlyMap<string, FieldDefinition>, from: ReadonlyMap<string, Row>) =>
    [...fields].map(([name, field]) =>
      [name, { scope: field.scope as SharedScope, version: from.get(name)?.version ?? 0 }] as const
    )
  const unchanged = new Map([...versionsIn(computed, rows), ...versionsIn(guarded, seen)])
  const written = pending.map(({ field }) => field).filter(isShared)
  for (const { name } of written) values.delete(name)
  writes.unshift(...initials(written, rows))
  return { delta, values, temp, writes, unchanged, guarded: new Set(guarded.keys()) }
}

/** The operations on shared fields, as an event tells them: without the initial values that only a new row takes. */
export const sharedOperations = ({ writes }: Pick<Prepared, "writes">): ReadonlyArray<StateDelta.Operation> =>
  writes.filter(({ ifAbsent }) => ifAbsent !== true).map(({ operation }) => operation)

/** Writes that come from outside of any attempt. */
export const pendingOf = (assignments: ReadonlyArray<State.Assignment>): ReadonlyArray<Pending> =>
  assignments.map(({ "~tenon/Assignment": field, operation }) => ({ _tag: "Operation", field, operation }))
