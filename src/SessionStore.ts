/**
 * Where sessions are kept: logs of events with a revision, and rows for what users and apps share.
 *
 * A store is a few primitives. An append checks the revision, and applies what it writes to shared fields in the same
 * transaction. One run holds a session's lease at a time, and an append under a lease that is over is refused.
 * `layerMemory` is for tests and small programs; `tenon/sql` keeps sessions over the end of a process.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option, Result, Schema, type Scope, type Stream } from "effect"
import { Prompt } from "effect/ai"
import {
  type EventUnreadable,
  LeaseLost,
  SessionBusy,
  StaleSession,
  type StateConflict,
  type StoreFailed
} from "./AgentError.ts"
import type * as Event from "./Event.ts"
import { pageOf, placeOf, placesOf } from "./internal/pages.ts"
import { makeWatchers } from "./internal/watchers.ts"
import { outcomeOf, takenBy, unwritten } from "./internal/writes.ts"
import type * as StateDelta from "./StateDelta.ts"

// ===== models ================================================================

/**
 * The name of a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ref {
  /** The name of the agent that was run, unless the run named another application. */
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

/** Tells what waits from a second copy of it, for ever, among all that is posted to the session. */
const key = Schema.String

/**
 * What waits for a run to take it: a message, an answer to an open question, or the wish that the run ends.
 *
 * @category models
 * @since 0.1.0
 */
export const Waiting = Schema.Union([
  Schema.Struct({ kind: Schema.tag("message"), key, message: Prompt.UserMessage }),
  Schema.Struct({
    kind: Schema.tag("answer"),
    key,
    /** The question's id. */
    question: Schema.String,
    json: Schema.Json,
    /** More answers will come. */
    progress: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.Struct({ kind: Schema.tag("cancellation"), key })
])

/** @since 0.1.0 */
export type Waiting = typeof Waiting.Type

/**
 * The right to write a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface Lease {
  /** Rises with every lease of the session: what an earlier one appends is refused. */
  readonly fence: number
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
  /** The lease that the append stands on. Without one, the revision alone decides. */
  readonly lease?: Lease
  readonly events: (versions: Readonly<Record<string, number>>) => ReadonlyArray<Event.Event>
  readonly writes?: ReadonlyArray<SharedWrite>
  /** The versions that shared fields must still have. */
  readonly unchanged?: ReadonlyMap<string, { readonly scope: SharedScope; readonly version: number }>
  /** The keys of what waits no more, besides those that the events have. */
  readonly takes?: ReadonlyArray<string>
  /** Appends nothing, and gives no events, where something of these kinds waits. */
  readonly unlessWaiting?: ReadonlyArray<Waiting["kind"]>
}

/**
 * Which sessions to list: those of an app, or of one of its users, by the time of their last event.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listing {
  readonly app: string
  readonly user?: string | undefined
  /** Their last event is not earlier; milliseconds since 1970. */
  readonly since?: number | undefined
  /** Their last event is earlier; milliseconds since 1970. */
  readonly until?: number | undefined
  /** How many at most; 100 where it is not given. */
  readonly limit?: number | undefined
  /** Those that follow the page which gave this as `next`. */
  readonly after?: string | undefined
}

/**
 * A session in a list.
 *
 * @category models
 * @since 0.1.0
 */
export interface Summary {
  readonly ref: Ref
  /** The number of its events. */
  readonly revision: number
  /** The time of its first event; milliseconds since 1970. */
  readonly created: number
  /** The time of its last event; milliseconds since 1970. */
  readonly updated: number
}

/**
 * Some of the sessions that were asked for, the one that was written last first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page {
  readonly sessions: ReadonlyArray<Summary>
  /** Where the list goes on; absent at its end. */
  readonly next?: string
}

/**
 * Some of a session's events.
 *
 * @category models
 * @since 0.1.0
 */
export interface Part {
  /** The sequence of the first; 0 where it is not given. */
  readonly from?: number | undefined
  /** How many at most; all where it is not given. */
  readonly limit?: number | undefined
}

/**
 * What the events of a session came to up to a revision: a shortcut for readers, which a store may lose.
 *
 * @category models
 * @since 0.1.0
 */
export interface Snapshot {
  /** The number of the events that it tells of. */
  readonly revision: number
  readonly data: Schema.Json
}

/**
 * The newest snapshot of a session, where there is one, and the events since; else all events.
 *
 * @category models
 * @since 0.1.0
 */
export interface Newest {
  readonly snapshot?: Snapshot | undefined
  readonly events: ReadonlyArray<Event.Event>
}

/**
 * Events in place of those of the same sequences, all or nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rewrite {
  /** The revision that the session must have. */
  readonly expected: number
  readonly lease: Lease
  readonly events: ReadonlyArray<Event.Event>
}

/** Everything that an append can be refused for. @since 0.1.0 */
export type StoreError = LeaseLost | StaleSession | StateConflict | StoreFailed

/** What a store of sessions does. @category models @since 0.1.0 */
export interface Shape {
  /** The events of a session, or a part of them; none where there is no such session. */
  readonly load: (
    ref: Ref,
    part?: Part
  ) => Effect.Effect<Option.Option<ReadonlyArray<Event.Event>>, EventUnreadable | StoreFailed>
  /** The newest snapshot and the events since, of one moment. A snapshot that is damaged counts as none. */
  readonly newest: (ref: Ref) => Effect.Effect<Option.Option<Newest>, EventUnreadable | StoreFailed>
  /** Keeps a snapshot in place of an earlier one. */
  readonly saveSnapshot: (ref: Ref, snapshot: Snapshot, lease: Lease) => Effect.Effect<void, LeaseLost | StoreFailed>
  /** Appends under the expected revision, and the lease where one is given; gives the events as they are stored. */
  readonly append: (ref: Ref, append: Append) => Effect.Effect<ReadonlyArray<Event.Event>, StoreError>
  /** Puts events in place of stored ones, so that nothing of those is left; the snapshot, which told of them, goes too. */
  readonly rewrite: (ref: Ref, rewrite: Rewrite) => Effect.Effect<void, LeaseLost | StaleSession | StoreFailed>
  /** The rows of shared fields, by the field's full name: one for each, of section 0 where nobody wrote it. */
  readonly shared: (
    ref: Ref,
    fields: ReadonlyArray<{ readonly scope: SharedScope; readonly field: string }>
  ) => Effect.Effect<ReadonlyMap<string, Row>, StoreFailed>
  /** Leaves something for a run of the session to take. Needs no lease; a second copy changes nothing. */
  readonly post: (ref: Ref, waiting: Waiting) => Effect.Effect<void, StoreFailed>
  /** What waits, in the order in which it came. */
  readonly inbox: (ref: Ref) => Effect.Effect<ReadonlyArray<Waiting>, StoreFailed>
  /**
   * Tells when to look into the inbox: at once, and soon after each post; more often does no harm, so that a store which
   * nobody tells of posts may do so every now and then. It does not end.
   */
  readonly watch: (ref: Ref) => Stream.Stream<void, StoreFailed>
  /** The right to write a session, until the scope closes. */
  readonly lease: (ref: Ref) => Effect.Effect<Lease, SessionBusy | StoreFailed, Scope.Scope>
  /** The sessions of an app, or of one of its users, page by page. */
  readonly list: (of: Listing) => Effect.Effect<Page, StoreFailed>
  /** Takes a session away, with what waits for it; not while it has a run. Rows of users and apps stay. */
  readonly remove: (ref: Ref) => Effect.Effect<void, SessionBusy | StoreFailed>
}

/**
 * Keeps sessions.
 *
 * @category services
 * @since 0.1.0
 */
export class SessionStore extends Context.Service<SessionStore, Shape>()("tenon/SessionStore") {}

// ===== memory ================================================================

const keyOf = (ref: Ref): string => JSON.stringify([ref.app, ref.user ?? null, ref.session])
const rowKey = (ref: Ref, scope: SharedScope, field: string): string =>
  JSON.stringify(scope === "app" ? [ref.app, field] : [ref.app, ref.user ?? null, field])

/** A log that is only ever appended to, so that a reader's copy is a prefix. */
interface Log {
  readonly ref: Ref
  /** Rises from log to log. */
  readonly number: number
  readonly events: Array<Event.Event>
  snapshot?: Snapshot | undefined
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
    const logs = new Map<string, Log>(
      sessions.map(({ ref, events }, number) => [keyOf(ref), { ref, number, events: [...events] }])
    )
    let number = sessions.length
    const rows = new Map<string, Row>()
    const leases = new Map<string, Lease>()
    let fence = 0
    const inboxes = new Map<string, Map<string, Waiting | undefined>>()
    const waitingIn = (ref: Ref): ReadonlyArray<Waiting> => {
      const inbox = inboxes.size === 0 ? undefined : inboxes.get(keyOf(ref))
      return inbox === undefined ? [] : [...inbox.values()].filter((each) => each !== undefined)
    }
    const wasTaken = (ref: Ref, key: string): boolean =>
      logs.get(keyOf(ref))?.events.some((event) => "key" in event && event.key === key) === true
    const isLost = (ref: Ref, { fence }: Lease): boolean => leases.get(keyOf(ref))?.fence !== fence
    const watchers = makeWatchers()
    return {
      load: (ref, part = {}) =>
        Effect.sync(() => {
          const { from, to } = placesOf(part)
          return Option.map(Option.fromUndefinedOr(logs.get(keyOf(ref))), ({ events }) => events.slice(from, to))
        }),
      newest: (ref) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(logs.get(keyOf(ref))), ({ events, snapshot }) => ({
            snapshot,
            events: events.slice(snapshot?.revision ?? 0)
          }))
        ),
      saveSnapshot: (ref, snapshot, lease) =>
        Effect.suspend(() => {
          if (isLost(ref, lease)) return Effect.fail(new LeaseLost({ session: ref.session }))
          const log = logs.get(keyOf(ref))
          if (log !== undefined) log.snapshot = snapshot
          return Effect.void
        }),
      append: (ref, options) =>
        Effect.suspend((): Effect.Effect<ReadonlyArray<Event.Event>, StoreError> => {
          const { expected, lease, events, writes = [], unchanged, unlessWaiting = [] } = options
          const key = keyOf(ref)
          if (lease !== undefined && leases.get(key)?.fence !== lease.fence) {
            return Effect.fail(new LeaseLost({ session: ref.session }))
          }
          const log = logs.get(key) ?? { ref, number: number++, events: [] }
          if (log.events.length !== expected) {
            return Effect.fail(new StaleSession({ session: ref.session, expected, actual: log.events.length }))
          }
          if (waitingIn(ref).some(({ kind }) => unlessWaiting.includes(kind))) return Effect.succeed([])
          const rowOf = (scope: SharedScope, field: string) => rows.get(rowKey(ref, scope, field)) ?? unwritten
          const written = outcomeOf(writes, unchanged, rowOf)
          if (Result.isFailure(written)) return Effect.fail(written.failure)
          const stored = events(written.success.versions)
          for (const { field, row, scope } of written.success.rows) rows.set(rowKey(ref, scope, field), row)
          const inbox = inboxes.get(key)
          if (inbox !== undefined) { for (const taken of takenBy(options, stored)) inbox.set(taken, undefined) }
          for (const event of stored) log.events.push(event)
          if (expected === 0 && stored.length > 0) logs.set(key, log)
          return Effect.succeed(stored)
        }),
      rewrite: (ref, { events, expected, lease }) =>
        Effect.suspend((): Effect.Effect<void, LeaseLost | StaleSession> => {
          if (isLost(ref, lease)) return Effect.fail(new LeaseLost({ session: ref.session }))
          const log = logs.get(keyOf(ref))
          const actual = log?.events.length ?? 0
          if (log === undefined || actual !== expected) {
            return Effect.fail(new StaleSession({ session: ref.session, expected, actual }))
          }
          for (const event of events) log.events[event.sequence] = event
          log.snapshot = undefined
          return Effect.void
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
          watchers.tell(ref)
        }),
      inbox: (ref) => Effect.sync(() => waitingIn(ref)),
      watch: watchers.watch,
      lease: (ref) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (leases.has(keyOf(ref))) return Effect.fail(new SessionBusy({ session: ref.session }))
            const lease = { fence: ++fence }
            leases.set(keyOf(ref), lease)
            return Effect.succeed(lease)
          }),
          () => Effect.sync(() => leases.delete(keyOf(ref)))
        ),
      list: ({ app, user, since = -Infinity, until = Infinity, limit, after }) =>
        Effect.sync(() => {
          const place = after === undefined ? undefined : placeOf(after)
          const found = [...logs.values()]
            .filter(({ ref }) => ref.app === app && (user === undefined || ref.user === user))
            .map(({ events, number, ref }) => ({
              number,
              summary: {
                ref,
                revision: events.length,
                created: events[0]?.time ?? 0,
                updated: events.at(-1)?.time ?? 0
              }
            }))
            .filter(({ number, summary: { updated } }) =>
              updated >= since && updated < until &&
              (place === undefined || updated < place.updated ||
                (updated === place.updated && number < place.number))
            )
          return pageOf(found.sort((a, b) => b.summary.updated - a.summary.updated || b.number - a.number), limit)
        }),
      remove: (ref) =>
        Effect.suspend(() => {
          if (leases.has(keyOf(ref))) return Effect.fail(new SessionBusy({ session: ref.session }))
          logs.delete(keyOf(ref))
          inboxes.delete(keyOf(ref))
          return Effect.void
        })
    }
  })

/**
 * Keeps sessions in memory, for tests and for programs that need no more.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<SessionStore> = layerMemoryWith([])
