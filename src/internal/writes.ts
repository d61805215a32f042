/**
 * What an append does to the rows of shared fields, whatever keeps them. Layer 4.
 */
import { Result } from "effect"
import { StateConflict, StoreFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Append, Row, SharedScope, SharedWrite } from "../SessionStore.ts"
import * as StateDelta from "../StateDelta.ts"

/** A shared field, by scope and name. */
export interface Name {
  readonly scope: SharedScope
  readonly field: string
}

/** The row of a field that nobody wrote. */
export const unwritten: Row = { value: undefined, version: 0, section: 0 }

/** The shared fields whose rows an append must find: what it writes, and what must be as it was. */
export const namesIn = ({ unchanged, writes = [] }: Append): ReadonlyArray<Name> =>
  writes.length === 0 ? [] : [
    ...writes.map(({ operation, scope }) => ({ scope, field: operation.field })),
    ...[...unchanged ?? []].map(([field, { scope }]) => ({ scope, field }))
  ]

/** The keys of what waits no more once these events are stored. */
export const takenBy = ({ takes = [] }: Append, events: ReadonlyArray<Event.Event>): ReadonlySet<string> =>
  new Set([
    ...takes,
    ...events.flatMap((event) => "key" in event && event.key !== undefined ? [event.key] : [])
  ])

/** A row as it is to be stored. */
interface Written {
  readonly scope: SharedScope
  readonly field: string
  readonly row: Row
}

interface Outcome {
  readonly rows: ReadonlyArray<Written>
  /** The versions of the fields that were written. */
  readonly versions: Readonly<Record<string, number>>
}

const nothing: Outcome = { rows: [], versions: {} }

/** What becomes of the rows, all or none, where those that were seen are still there. */
export const outcomeOf = (
  writes: ReadonlyArray<SharedWrite>,
  unchanged: Append["unchanged"],
  rowOf: (scope: SharedScope, field: string) => Row
): Result.Result<Outcome, StateConflict | StoreFailed> => {
  if (writes.length === 0) return Result.succeed(nothing)
  const changed = [...unchanged ?? []].filter(([field, { scope, version }]) => rowOf(scope, field).version !== version)
  if (changed.length > 0) return Result.fail(new StateConflict({ fields: changed.map(([field]) => field) }))
  const next = new Map<string, Written>()
  const versions: Record<string, number> = {}
  const foreign = new Set<string>()
  for (const { scope, operation, initial, section, ifAbsent, migrates } of writes) {
    const { field } = operation
    const key = `${scope} ${field}`
    const row = next.get(key)?.row ?? rowOf(scope, field)
    // a row may hold its initial value alone, at version 0
    const isStored = row.section > 0
    if (isStored && row.section !== section && migrates !== true) foreign.add(field)
    if (ifAbsent === true && isStored) continue
    const applied = StateDelta.applyOperation(isStored ? row.value : initial, operation)
    if (Result.isFailure(applied)) return Result.fail(new StoreFailed({ problem: applied.failure.message }))
    const version = ifAbsent === true ? row.version : row.version + 1
    next.set(key, { scope, field, row: { value: applied.success, version, section } })
    if (ifAbsent !== true) versions[field] = version
  }
  return foreign.size > 0
    ? Result.fail(new StateConflict({ fields: [...foreign] }))
    : Result.succeed({ rows: [...next.values()], versions })
}
