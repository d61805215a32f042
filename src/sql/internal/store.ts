/**
 * A store on a `SqlClient`. Layer 6, edge `sql`.
 *
 * The statements are those of all dialects. An upsert that changes nothing makes a row where there is none, locks it and
 * reads it, all at once. A transaction locks its session first and then rows of shared fields in one order, so that
 * transactions wait for each other, and never in a circle.
 */
import { Array as Arr, Duration, Effect, Option, Result, Schedule, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { randomInt } from "node:crypto"
import { LeaseLost, SessionBusy, StaleSession, StoreFailed } from "../../AgentError.ts"
import type * as Event from "../../Event.ts"
import { lengthOf, pageOf, placeOf, placesOf, wholeOf } from "../../internal/pages.ts"
import { makeWatchers } from "../../internal/watchers.ts"
import { type Name, namesIn, outcomeOf, takenBy, unwritten } from "../../internal/writes.ts"
import type {
  Append,
  Lease,
  Newest,
  Part,
  Ref,
  Rewrite,
  Row,
  SessionStore,
  SharedScope,
  Snapshot,
  Waiting
} from "../../SessionStore.ts"
import { failingAs, intact, opened, rowsAtOnce, type Whole } from "./client.ts"
import {
  columnsOf,
  type EventRecord,
  eventsOf,
  nameOf,
  ownerOf,
  recordOf,
  refOf,
  rowOf,
  type RowRecord,
  rowRecordOf,
  snapshotOf,
  type SnapshotRecord,
  snapshotRecord,
  storedOf,
  waitingOf,
  type WaitingRecord,
  waitingRecordOf
} from "./records.ts"
import { dialectOf } from "./schema.ts"

interface SessionRecord {
  readonly id: Whole
  readonly revision: number
  readonly waiting: number
  readonly fence: Whole
  readonly leased_until: Whole
}

interface ListedRecord {
  readonly id: Whole
  readonly owner: string
  readonly session: string
  readonly revision: number
  readonly created: Whole
  readonly updated: Whole
}

/** The row of another table, or none. */
type Joined<A> = A | { readonly [K in keyof A]: null }

const isThere = <A extends { readonly data: string | null }>(
  record: A
): record is Exclude<A, { readonly data: null }> => record.data !== null

/** Where the fences of a new session begin: at random, so that none of one of that name that was removed comes again. */
const firstFence = () => randomInt(2 ** 47)

/** What goes wrong in the database is the store's failure. */
const inStore = failingAs((problem) => new StoreFailed({ problem }))

/** Numbers that a damaged database gives as something else. */
const counted = <A extends { readonly revision: number; readonly waiting?: number }>(record: A) =>
  Number.isInteger(record.revision) && Number.isInteger(record.waiting ?? 0)
    ? Effect.succeed(record)
    : Effect.fail(new StoreFailed({ problem: "a session's row has no number of its events" }))

const decoded = <A, B, E>(records: ReadonlyArray<A>, decode: (record: A) => Result.Result<B, E>) =>
  Effect.fromResult(Result.all(records.map(decode)))

export const make = Effect.fnUntraced(function*(
  duration: Duration.Duration,
  poll: Duration.Duration
): Effect.fn.Return<SessionStore["Service"], StoreFailed, SqlClient.SqlClient> {
  const sql = yield* inStore(opened)
  yield* inStore(intact(sql, ["tenon_sessions", "tenon_shared"], (problem) => new StoreFailed({ problem })))
  const { now } = dialectOf(sql)
  const term = Math.ceil(Duration.toMillis(duration))
  const watchers = makeWatchers()

  const named = (ref: Ref) => {
    const { app, owner, session } = columnsOf(ref)
    return sql`app = ${app} AND owner = ${owner} AND session = ${session}`
  }

  /** A session's row, which is this transaction's from here on. */
  const lock = (ref: Ref) =>
    Effect.flatMap(
      sql<SessionRecord>`INSERT INTO tenon_sessions ${sql.insert({ ...columnsOf(ref), fence: firstFence() })}
        ON CONFLICT (app, owner, session) DO UPDATE SET session = excluded.session
        RETURNING id, revision, waiting, fence, leased_until`,
      ([record]) => counted(record as SessionRecord)
    )

  /** The same, where the lease is not over. */
  const lockUnder = (ref: Ref, lease: Lease | undefined) =>
    Effect.filterOrFail(
      lock(ref),
      ({ fence, leased_until }) => lease === undefined || (Number(fence) === lease.fence && Number(leased_until) !== 0),
      () => new LeaseLost({ session: ref.session })
    )

  // ===== shared rows =========================================================

  /** The rows of shared fields, which are this transaction's from here on, those that nobody wrote included. */
  const lockRows = Effect.fnUntraced(function*(ref: Ref, names: ReadonlyArray<Name>) {
    const keys = Arr.dedupeWith(
      names.map(({ field, scope }) => ({ app: storedOf(ref.app), owner: ownerOf(ref, scope), field: storedOf(field) })),
      (a, b) => a.owner === b.owner && a.field === b.field
    )
    const inOrder = keys.toSorted((a, b) => a.owner < b.owner || (a.owner === b.owner && a.field < b.field) ? -1 : 1)
    const rows = new Map<string, Row>()
    for (const some of Arr.chunksOf(inOrder, rowsAtOnce)) {
      const records = yield* sql<RowRecord>`INSERT INTO tenon_shared ${sql.insert(some)}
        ON CONFLICT (app, owner, field) DO UPDATE SET field = excluded.field
        RETURNING owner, field, value, version, section, checksum`
      for (const record of records) {
        rows.set(`${record.owner} ${record.field}`, yield* Effect.fromResult(rowOf(ref.app, record)))
      }
    }
    return (scope: SharedScope, field: string) => rows.get(`${ownerOf(ref, scope)} ${storedOf(field)}`) ?? unwritten
  })

  const writeRows = Effect.fnUntraced(function*(ref: Ref, options: Append) {
    const { unchanged, writes = [] } = options
    if (writes.length === 0) return {}
    const names = namesIn(options)
    const { rows, versions } = yield* Effect.fromResult(outcomeOf(writes, unchanged, yield* lockRows(ref, names)))
    const records = rows.map(({ field, row, scope }) => rowRecordOf(ref, scope, field, row))
    for (const some of Arr.chunksOf(records, rowsAtOnce)) {
      yield* sql`INSERT INTO tenon_shared ${sql.insert(some)} ON CONFLICT (app, owner, field)
        DO UPDATE SET value = excluded.value, version = excluded.version, section = excluded.section,
          checksum = excluded.checksum`
    }
    return versions
  })

  // ===== inbox ===============================================================

  const isWaiting = (id: Whole, kinds: ReadonlyArray<Waiting["kind"]>) =>
    kinds.length === 0 ? Effect.succeed(false) : Effect.map(
      sql`SELECT id FROM tenon_inbox
        WHERE session_id = ${id} AND content IS NOT NULL AND ${sql.in("kind", kinds)} LIMIT 1`,
      ({ length }) => length > 0
    )

  // a number that was read under the lock is written, not counted on: a driver may send a statement again
  const setWaiting = (id: Whole, waiting: number) =>
    sql`UPDATE tenon_sessions SET waiting = ${waiting} WHERE id = ${id}`

  /** Of what the log tells of only the key is kept, so that no second copy of it comes in. */
  const taken = Effect.fnUntraced(function*({ id, waiting }: SessionRecord, keys: ReadonlySet<string>) {
    const stored = [...keys].map(storedOf)
    let left = waiting
    for (const some of Arr.chunksOf(stored, rowsAtOnce)) {
      const found = yield* sql`SELECT id FROM tenon_inbox
        WHERE session_id = ${id} AND content IS NOT NULL AND ${sql.in("key", some)}`
      const records = Arr.map(some, (key) => ({ session_id: id, key, content: null, checksum: null }))
      yield* sql`INSERT INTO tenon_inbox ${sql.insert(records)}
        ON CONFLICT (session_id, key) DO UPDATE SET content = NULL, checksum = NULL`
      left -= found.length
    }
    if (left !== waiting) yield* setWaiting(id, left)
  })

  // ===== log =================================================================

  const writeLog = Effect.fnUntraced(function*(
    ref: Ref,
    { id, revision }: SessionRecord,
    events: ReadonlyArray<Event.Event>
  ) {
    const last = events.at(-1)
    if (last === undefined) return
    for (const [chunk, some] of Arr.chunksOf(events, rowsAtOnce).entries()) {
      const first = revision + chunk * rowsAtOnce
      const records = Arr.map(some, (event, index) => ({ session_id: id, ...recordOf(ref, first + index, event) }))
      yield* sql`INSERT INTO tenon_events ${sql.insert(records)}`
    }
    const times = [events[0] ?? last, last].map(({ time }) => Math.floor(time))
    yield* sql`UPDATE tenon_sessions SET revision = ${revision + events.length}, updated = ${times[1]},
      created = CASE WHEN revision = 0 THEN ${times[0]} ELSE created END WHERE id = ${id}`
  })

  const append = Effect.fnUntraced(function*(ref: Ref, options: Append) {
    const { events, expected, lease, unlessWaiting = [] } = options
    const record = yield* lockUnder(ref, lease)
    if (record.revision !== expected) {
      return yield* new StaleSession({ session: ref.session, expected, actual: record.revision })
    }
    if (yield* isWaiting(record.id, unlessWaiting)) return []
    const stored = events(yield* writeRows(ref, options))
    yield* writeLog(ref, record, stored)
    yield* taken(record, takenBy(options, stored))
    return stored
  })

  // ===== leases ==============================================================

  const acquire = Effect.fnUntraced(function*(ref: Ref) {
    const { app, owner, session } = columnsOf(ref)
    const [held] = yield* sql<{ readonly id: Whole; readonly fence: Whole }>`INSERT INTO tenon_sessions
      (app, owner, session, fence, leased_until)
      VALUES (${app}, ${owner}, ${session}, ${firstFence()}, ${now} + ${term})
      ON CONFLICT (app, owner, session) DO UPDATE
      SET fence = tenon_sessions.fence + 1, leased_until = excluded.leased_until
      WHERE tenon_sessions.leased_until < ${now}
      RETURNING id, fence`
    if (held === undefined) return yield* new SessionBusy({ session: ref.session })
    return { id: held.id, fence: Number(held.fence) }
  })

  interface Held extends Lease {
    readonly id: Whole
  }

  /** One that was taken over stays so; who held it learns that at its next append. */
  const renew = ({ fence, id }: Held) =>
    sql`UPDATE tenon_sessions SET leased_until = ${now} + ${term}
      WHERE id = ${id} AND fence = ${fence} AND leased_until > 0`

  const release = ({ fence, id }: Held) =>
    sql`UPDATE tenon_sessions SET leased_until = 0 WHERE id = ${id} AND fence = ${fence}`

  const rewrite = Effect.fnUntraced(function*(ref: Ref, { events, expected, lease }: Rewrite) {
    const { id, revision } = yield* lockUnder(ref, lease)
    if (revision !== expected) return yield* new StaleSession({ session: ref.session, expected, actual: revision })
    for (const event of events) {
      const { checksum, data, sequence } = recordOf(ref, event.sequence, event)
      yield* sql`UPDATE tenon_events SET data = ${data}, checksum = ${checksum}
        WHERE session_id = ${id} AND sequence = ${sequence}`
    }
    yield* sql`DELETE FROM tenon_snapshots WHERE session_id = ${id}`
  })

  // ===== reading =============================================================

  const load = Effect.fnUntraced(function*(ref: Ref, part: Part = {}) {
    const { from, to } = placesOf(part)
    const records = yield* sql<{ readonly revision: number } & Joined<EventRecord>>`
      SELECT revision, sequence, data, checksum FROM tenon_sessions
      LEFT JOIN tenon_events ON session_id = tenon_sessions.id AND sequence >= ${from}
        AND sequence < ${to} WHERE ${named(ref)} ORDER BY sequence`
    if (records[0] === undefined) return Option.none()
    const { revision } = yield* counted(records[0])
    if (revision === 0 && !isThere(records[0])) return Option.none()
    const places = { from, to: Math.min(revision, to) }
    return Option.some(yield* Effect.fromResult(eventsOf(ref, places, records.filter(isThere))))
  })

  const newest = Effect.fnUntraced(function*(ref: Ref) {
    const [found] = yield* sql<{ readonly id: Whole; readonly revision: number } & Joined<SnapshotRecord>>`
      SELECT id, revision, taken, data, checksum FROM tenon_sessions
      LEFT JOIN tenon_snapshots ON session_id = id WHERE ${named(ref)}`
    if (found === undefined || found.revision === 0) return Option.none()
    const { id, revision } = yield* counted(found)
    const snapshot = isThere(found) ? snapshotOf(ref, revision, found) : undefined
    if (isThere(found) && snapshot === undefined) {
      yield* Effect.logWarning(`the snapshot of session '${ref.session}' is damaged: all of its events are read`)
    }
    const from = snapshot?.revision ?? 0
    const records = yield* sql<EventRecord>`SELECT sequence, data, checksum FROM tenon_events
      WHERE session_id = ${id} AND sequence >= ${from} AND sequence < ${revision} ORDER BY sequence`
    const events = eventsOf(ref, { from, to: revision }, records)
    // between the two statements the session may have been removed
    return Result.isSuccess(events)
      ? Option.some<Newest>({ snapshot, events: events.success })
      : Option.map(yield* load(ref), (all): Newest => ({ events: all }))
  })

  const saveSnapshot = Effect.fnUntraced(function*(ref: Ref, snapshot: Snapshot, lease: Lease) {
    const { id } = yield* lockUnder(ref, lease)
    yield* sql`INSERT INTO tenon_snapshots ${sql.insert({ session_id: id, ...snapshotRecord(ref, snapshot) })}
      ON CONFLICT (session_id) DO UPDATE
      SET taken = excluded.taken, data = excluded.data, checksum = excluded.checksum`
  })

  return {
    load: (ref, part) => inStore(load(ref, part)),
    newest: (ref) => inStore(newest(ref)),
    saveSnapshot: (ref, snapshot, lease) => inStore(sql.withTransaction(saveSnapshot(ref, snapshot, lease))),
    append: (ref, options) => inStore(sql.withTransaction(append(ref, options))),
    rewrite: (ref, events) => inStore(sql.withTransaction(rewrite(ref, events))),
    shared: Effect.fnUntraced(function*(ref, fields) {
      const rows = new Map<string, Row>(fields.map(({ field }) => [field, unwritten]))
      for (const some of Arr.chunksOf(fields, rowsAtOnce)) {
        // a list for each scope, not a condition for each field: SQLite nests them, and not deeper than 1,000
        const keys = (["user", "app"] as const).map((scope) => {
          const names = some.filter((each) => each.scope === scope).map(({ field }) => storedOf(field))
          return sql`(owner = ${ownerOf(ref, scope)} AND ${sql.in("field", names)})`
        })
        const records = yield* sql<RowRecord>`SELECT owner, field, value, version, section, checksum FROM tenon_shared
          WHERE app = ${storedOf(ref.app)} AND ${sql.or(keys)}`
        for (const record of records) {
          const row = yield* Effect.fromResult(rowOf(ref.app, record))
          rows.set(nameOf(record.field), row)
        }
      }
      return rows
    }, inStore),
    post: Effect.fnUntraced(
      function*(ref, waiting) {
        const { id, waiting: before } = yield* lock(ref)
        const record = waitingRecordOf(ref, waiting)
        const known = yield* sql`SELECT id FROM tenon_inbox WHERE session_id = ${id} AND key = ${record.key}`
        if (known.length > 0) return
        yield* sql`INSERT INTO tenon_inbox ${sql.insert({ session_id: id, ...record })}
          ON CONFLICT (session_id, key) DO NOTHING`
        yield* setWaiting(id, before + 1)
      },
      sql.withTransaction,
      inStore,
      (posted, ref) => Effect.tap(posted, () => Effect.sync(() => watchers.tell(ref)))
    ),
    inbox: Effect.fnUntraced(function*(ref) {
      const records = yield* sql<{ readonly revision: number; readonly waiting: number } & WaitingRecord>`
        SELECT revision, waiting, key, kind, content, checksum FROM tenon_sessions
        LEFT JOIN tenon_inbox ON session_id = tenon_sessions.id AND content IS NOT NULL
        WHERE ${named(ref)} ORDER BY tenon_inbox.id`
      if (records[0] === undefined) return []
      const { waiting } = yield* counted(records[0])
      const found = records.filter(({ content }) => content !== null)
      if (found.length === waiting) return yield* decoded(found, (record) => waitingOf(ref, record))
      return yield* new StoreFailed({
        problem: `of what waits for '${ref.session}' ${found.length} are there, and ${waiting} were posted`
      })
    }, inStore),
    // nobody tells of what other processes post
    watch: (ref) => Stream.merge(watchers.watch(ref), Stream.tick(poll)),
    lease: Effect.fnUntraced(function*(ref) {
      const held = yield* Effect.acquireRelease(acquire(ref), (lease) => Effect.ignore(release(lease)))
      yield* Effect.forkScoped(Effect.schedule(Effect.ignore(renew(held)), Schedule.spaced(term / 3)))
      return { fence: held.fence }
    }, inStore),
    list: Effect.fnUntraced(function*({ after, app, limit, since, until, user }) {
      const place = after === undefined ? undefined : placeOf(after)
      const conditions = [
        sql`app = ${storedOf(app)} AND revision > 0`,
        ...(user === undefined ? [] : [sql`owner = ${ownerOf({ user })}`]),
        ...(since === undefined ? [] : [sql`updated >= ${wholeOf(since)}`]),
        ...(until === undefined ? [] : [sql`updated < ${wholeOf(until)}`]),
        ...(place === undefined
          ? []
          : [sql`(updated < ${place.updated} OR (updated = ${place.updated} AND id < ${place.number}))`])
      ]
      const records = yield* sql<ListedRecord>`SELECT id, owner, session, revision, created, updated
        FROM tenon_sessions WHERE ${sql.and(conditions)} ORDER BY updated DESC, id DESC LIMIT ${lengthOf(limit) + 1}`
      return pageOf(
        records.map(({ created, id, owner, revision, session, updated }) => ({
          number: Number(id),
          summary: { ref: refOf(app, owner, session), revision, created: Number(created), updated: Number(updated) }
        })),
        limit
      )
    }, inStore),
    remove: Effect.fnUntraced(
      function*(ref) {
        // locks the row: between two statements a run could begin, or end, and the session be gone or stay unnoticed
        const [found] = yield* sql<{ readonly id: Whole; readonly free: number }>`UPDATE tenon_sessions
          SET session = session WHERE ${named(ref)}
          RETURNING id, CASE WHEN leased_until < ${now} THEN 1 ELSE 0 END AS free`
        if (found === undefined) return
        if (found.free === 0) return yield* new SessionBusy({ session: ref.session })
        yield* sql`DELETE FROM tenon_sessions WHERE id = ${found.id}`
      },
      sql.withTransaction,
      inStore
    )
  }
})
