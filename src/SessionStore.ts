/**
 * Where sessions are kept: logs of events with a revision, and rows for what users and apps share.
 *
 * A store is a few primitives. An append checks the revision, and applies what it writes to shared fields in the same
 * transaction. One run holds a session's lease at a time.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option, Result, type Schema, type Scope } from "effect"
import type { Prompt } from "effect/ai"
import { SessionBusy, StaleSession, StateConflict, StoreFailed } from "./AgentError.ts"
import type * as Event from "./Event.ts"
import * as StateDelta from "./StateDelta.ts"

// ===== models ================================================================

/**
 * The name of a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ref {
  readonly app: string
  readonly user?: string | undefined
  readonly session: string
}

/**
 * A shared field's row.
 *
 * @category models
 * @since 0.1.0
 */
export interface Row {
  readonly value: Schema.Json | undefined
  /** Rises with every write; 0 is a row that nobody wrote, or that holds its initial value alone. */
  readonly version: number
  /** The version of the section that wrote the value. */
  readonly section: number
}

/**
 * Who shares a field.
 *
 * @category models
 * @since 0.1.0
 */
export type SharedScope = "user" | "app"

/**
 * One operation on a shared field, and the version that its row must have; any when absent.
 *
 * @category models
 * @since 0.1.0
 */
export interface SharedWrite {
  readonly scope: SharedScope
  readonly operation: StateDelta.Operation
  /** What an operation finds in a row that nobody wrote. */
  readonly initial: Schema.Json | undefined
  /** The version of the section that writes. A row that another version wrote is a conflict. */
  readonly section: number
  /** Stores an initial value where there is none yet; it counts as no write. */
  readonly ifAbsent?: boolean
  /** Brings a row of an earlier version up to date. */
  readonly migrates?: boolean
}

/**
 * A message that waits for a run to take it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Waiting {
  /** Tells the message from a second copy of it, for ever. */
  readonly key: string
  readonly message: Prompt.UserMessage
}

/**
 * What one append does, all or nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Append {
  /** The revision that the session must have: the number of its events. */
  readonly expected: number
  readonly events: (versions: Readonly<Record<string, number>>) => ReadonlyArray<Event.Event>
  readonly writes?: ReadonlyArray<SharedWrite>
  /** The versions that shared fields must still have. */
  readonly unchanged?: ReadonlyMap<string, { readonly scope: SharedScope; readonly version: number }>
  /** The keys of the waiting messages that the events hold: they wait no more. */
  readonly takes?: ReadonlyArray<string>
  /** Appends nothing, and gives no events, where a message waits. */
  readonly unlessWaiting?: boolean
}

/** Everything that a store can refuse. @since 0.1.0 */
export type StoreError = StaleSession | StateConflict | StoreFailed

/**
 * Keeps sessions.
 *
 * @category services
 * @since 0.1.0
 */
export class SessionStore extends Context.Service<SessionStore, {
  /** The events of a session, or none. */
  readonly load: (ref: Ref) => Effect.Effect<Option.Option<ReadonlyArray<Event.Event>>, StoreFailed>
  /** Appends under the expected revision; gives the events as they are stored. */
  readonly append: (ref: Ref, append: Append) => Effect.Effect<ReadonlyArray<Event.Event>, StoreError>
  /** The rows of shared fields, by the field's full name: one for each, of section 0 where nobody wrote it. */
  readonly shared: (
    ref: Ref,
    fields: ReadonlyArray<{ readonly scope: SharedScope; readonly field: string }>
  ) => Effect.Effect<ReadonlyMap<string, Row>, StoreFailed>
  /** Leaves a message for a run of the session to take. Needs no lease; a second copy changes nothing. */
  readonly post: (ref: Ref, waiting: Waiting) => Effect.Effect<void, StoreFailed>
  /** The messages that wait, in the order in which they came. */
  readonly inbox: (ref: Ref) => Effect.Effect<ReadonlyArray<Waiting>, StoreFailed>
  /** The right to write a session, until the scope closes. */
  readonly lease: (ref: Ref) => Effect.Effect<void, SessionBusy | StoreFailed, Scope.Scope>
  /** The sessions of an app, or of one of its users. */
  readonly list: (
    of: { readonly app: string; readonly user?: string }
  ) => Effect.Effect<ReadonlyArray<Ref>, StoreFailed>
}>()("tenon/SessionStore") {}

// ===== memory ================================================================

const keyOf = (ref: Ref): string => JSON.stringify([ref.app, ref.user ?? null, ref.session])
const rowKey = (ref: Ref, scope: SharedScope, field: string): string =>
  JSON.stringify(scope === "app" ? [ref.app, field] : [ref.app, ref.user ?? null, field])

const unwritten: Row = { value: undefined, version: 0, section: 0 }

/** A log that is only ever appended to, so that a reader's copy is a prefix. */
interface Log {
  readonly ref: Ref
  readonly events: Array<Event.Event>
}

const noVersions: Readonly<Record<string, number>> = {}

/** Writes rows, all or none, where those that were seen are still there; gives the versions that they have now. */
const writeRows = (
  rows: Map<string, Row>,
  ref: Ref,
  writes: ReadonlyArray<SharedWrite>,
  unchanged: Append["unchanged"]
): Result.Result<Readonly<Record<string, number>>, StateConflict | StoreFailed> => {
  if (writes.length === 0) return Result.succeed(noVersions)
  const rowOf = (scope: SharedScope, field: string): Row => rows.get(rowKey(ref, scope, field)) ?? unwritten
  const changed = [...unchanged ?? []].filter(([field, { scope, version }]) => rowOf(scope, field).version !== version)
  if (changed.length > 0) return Result.fail(new StateConflict({ fields: changed.map(([field]) => field) }))
  const next = new Map<string, Row>()
  const versions: Record<string, number> = {}
  const foreign = new Set<string>()
  for (const { scope, operation, initial, section, ifAbsent, migrates } of writes) {
    const key = rowKey(ref, scope, operation.field)
    const row = next.get(key) ?? rowOf(scope, operation.field)
    // a row may hold its initial value alone, at version 0
    const isStored = row.section > 0
    if (isStored && row.section !== section && migrates !== true) foreign.add(operation.field)
    if (ifAbsent === true && isStored) continue
    const applied = StateDelta.applyOperation(isStored ? row.value : initial, operation)
    if (Result.isFailure(applied)) return Result.fail(new StoreFailed({ problem: applied.failure.message }))
    const version = ifAbsent === true ? row.version : row.version + 1
    next.set(key, { value: applied.success, version, section })
    if (ifAbsent !== true) versions[operation.field] = version
  }
  if (foreign.size > 0) return Result.fail(new StateConflict({ fields: [...foreign] }))
  for (const [key, row] of next) rows.set(key, row)
  return Result.succeed(versions)
}

/**
 * Keeps sessions in memory, for tests and for programs that need no more. It starts with the sessions that it is given.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemoryWith = (
  sessions: ReadonlyArray<{ readonly ref: Ref; readonly events: ReadonlyArray<Event.Event> }>
): Layer.Layer<SessionStore> =>
  Layer.sync(SessionStore, () => {
    const logs = new Map<string, Log>(sessions.map(({ ref, events }) => [keyOf(ref), { ref, events: [...events] }]))
    const rows = new Map<string, Row>()
    const leases = new Set<string>()
    const inboxes = new Map<string, Map<string, Waiting | undefined>>()
    const waitingIn = (ref: Ref): ReadonlyArray<Waiting> =>
      [...inboxes.get(keyOf(ref))?.values() ?? []].filter((each) => each !== undefined)
    const wasTaken = (ref: Ref, key: string): boolean =>
      logs.get(keyOf(ref))?.events.some((event) => event.kind === "input" && event.key === key) === true
    return {
      load: (ref) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(logs.get(keyOf(ref))), ({ events }) => events.slice())),
      append: (ref, { expected, events, writes = [], unchanged, takes = [], unlessWaiting }) =>
        Effect.suspend((): Effect.Effect<ReadonlyArray<Event.Event>, StoreError> => {
          const log = logs.get(keyOf(ref)) ?? { ref, events: [] }
          if (log.events.length !== expected) {
            return Effect.fail(new StaleSession({ session: ref.session, expected, actual: log.events.length }))
          }
          if (unlessWaiting === true && waitingIn(ref).length > 0) return Effect.succeed([])
          const written = writeRows(rows, ref, writes, unchanged)
          if (Result.isFailure(written)) return Effect.fail(written.failure)
          for (const key of takes) inboxes.get(keyOf(ref))?.set(key, undefined)
          const stored = events(written.success)
          for (const event of stored) log.events.push(event)
          if (expected === 0 && stored.length > 0) logs.set(keyOf(ref), log)
          return Effect.succeed(stored)
        }),
      shared: (ref, fields) =>
        Effect.sync(() =>
          new Map(fields.map(({ scope, field }) => [field, rows.get(rowKey(ref, scope, field)) ?? unwritten]))
        ),
      post: (ref, waiting) =>
        Effect.sync(() => {
          const inbox = inboxes.get(keyOf(ref)) ?? new Map<string, Waiting | undefined>()
          if (!inbox.has(waiting.key) && !wasTaken(ref, waiting.key)) inbox.set(waiting.key, waiting)
          inboxes.set(keyOf(ref), inbox)
        }),
      inbox: (ref) => Effect.sync(() => waitingIn(ref)),
      lease: (ref) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (leases.has(keyOf(ref))) return Effect.fail(new SessionBusy({ session: ref.session }))
            leases.add(keyOf(ref))
            return Effect.void
          }),
          () => Effect.sync(() => leases.delete(keyOf(ref)))
        ),
      list: ({ app, user }) =>
        Effect.sync(() =>
          [...logs.values()].map(({ ref }) => ref).filter((ref) =>
            ref.app === app && (user === undefined || ref.user === user)
          )
        )
    }
  })

/**
 * Keeps sessions in memory, for tests and for programs that need no more.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<SessionStore> = layerMemoryWith([])
