/**
 * Keeps sessions in a `KeyValueStore` of effect, which has only get and set: files, a browser's storage, memory.
 *
 * One process at a time holds such a store. Many processes share a database (`tenon/sql`).
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Array as Arr, Duration, Effect, Layer, Option, Result, Schema, Semaphore } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { KeyValueStore } from "effect/persistence"
import { EventUnreadable, LeaseLost, SessionBusy, StaleSession, StoreFailed, type StoreHeld } from "./AgentError.ts"
import * as Event from "./Event.ts"
import { deepFreeze } from "./internal/freeze.ts"
import { hold } from "./internal/holder.ts"
import * as Journal from "./internal/journal.ts"
import { pageOf, placeOf } from "./internal/pages.ts"
import { bytesOf } from "./internal/text.ts"
import { makeWatchers } from "./internal/watchers.ts"
import { namesIn, outcomeOf, takenBy, unwritten } from "./internal/writes.ts"
import {
  type Append,
  type Lease,
  type Listing,
  type Newest,
  type Part,
  type Ref,
  type Rewrite,
  type Row,
  SessionStore,
  type SharedScope,
  type Snapshot,
  Waiting
} from "./SessionStore.ts"

// ===== models ================================================================

/**
 * How a store of keys and values behaves.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /**
   * How long a killed process is taken for one that lives; 10 seconds where it is not given. The one that holds the store
   * counts on three times in that time, and a new one starts a fiftieth of it later.
   */
  readonly term?: Duration.Input
}

// ===== records ===============================================================

/** What is known of a session without its events. */
const Head = Schema.Struct({
  app: Schema.String,
  user: Schema.optionalKey(Schema.String),
  session: Schema.String,
  /** The number of its events. */
  revision: Schema.Int,
  /** Rises from session to session; -1 where it has no event yet. */
  number: Schema.Int,
  created: Schema.Finite,
  updated: Schema.Finite,
  /** How many were ever posted. */
  posted: Schema.Int,
  /** What waits, in order, by the number of its post. */
  waiting: Schema.Array(Schema.Struct({
    number: Schema.Int,
    kind: Schema.Literals(["message", "answer", "cancellation"]),
    key: Schema.String
  }))
})
type Head = typeof Head.Type

const StoredRow = Schema.Struct({
  value: Schema.optionalKey(Schema.Json),
  version: Schema.Int,
  section: Schema.Int
})
const StoredSnapshot = Schema.Struct({ revision: Schema.Int, data: Schema.Json })
const StoredWaiting = Schema.toCodecJson(Waiting)
const encodeWaiting = Schema.encodeSync(StoredWaiting)

/** How many records are read at the same time. */
const atOnce = { concurrency: 16 }

const refOf = ({ app, session, user }: Head): Ref => ({ app, session, ...(user !== undefined && { user }) })

/** A session, and where its records are. */
interface Place {
  readonly path: string
  readonly head: Head
}

const newHead = ({ app, session, user }: Ref): Head => ({
  app,
  session,
  ...(user !== undefined && { user }),
  revision: 0,
  number: -1,
  created: 0,
  updated: 0,
  posted: 0,
  waiting: []
})

// ===== store =================================================================

const make = Effect.fnUntraced(function*(term: Duration.Duration) {
  const store = KeyValueStore.prefix(yield* KeyValueStore.KeyValueStore, "tenon.sessions.")
  const { digestHex } = yield* Digest.Digest
  const held = yield* hold(store, term)
  const records = yield* Journal.make(store, held)
  const turn = yield* Semaphore.make(1)
  const watchers = makeWatchers()
  const leases = new Map<string, Lease>()
  // at random, so that no lease of an earlier process comes again
  let fence = Number.parseInt(SecureRandom.uuidV4Unsafe().slice(0, 8), 16)

  /** One at a time, on a store that is whole and still held. */
  const alone = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StoreFailed> =>
    turn.withPermit(Effect.andThen(Effect.andThen(held.lately, records.settle), effect))

  // ===== names ===============================================================

  /** Names may be of any length and characters, names of files may not. */
  const named = (...parts: ReadonlyArray<string | null>) => digestHex(Digest.sha256, bytesOf(JSON.stringify(parts)))
  const idOf = ({ app, session, user }: Ref) => JSON.stringify([app, user ?? null, session])
  const pathOf = ({ app, session, user }: Ref) =>
    Effect.map(named(app, user ?? null, session), (hash) => `session.${hash}`)
  const rowKey = ({ app, user }: Ref, scope: SharedScope, field: string) =>
    Effect.map(
      scope === "app" ? named(app, field) : named(app, user ?? null, field),
      (hash) => `row.${hash}`
    )
  const markOf = (path: string, key: string) => Effect.map(named(key), (hash) => `${path}.key.${hash}`)

  // ===== reading =============================================================

  const unreadable = (what: string, problem: string) =>
    new StoreFailed({ problem: `${what} cannot be read: ${problem}` })

  /** A record, or none; what it is is said in words where it cannot be read. */
  const read = Effect.fnUntraced(function*<A>(key: string, schema: Schema.Codec<A, Schema.Json>, what: string) {
    const found = Result.flatMap(
      yield* records.read(key),
      Option.match({
        onNone: () => Result.succeed(Option.none<A>()),
        onSome: (json) =>
          Result.mapBoth(Schema.decodeResult(schema)(json), {
            onSuccess: (value) => Option.some(deepFreeze(value)),
            onFailure: ({ message }) => message
          })
      })
    )
    return yield* Effect.mapError(Effect.fromResult(found), (problem) => unreadable(what, problem))
  })

  const placeAt = Effect.fnUntraced(function*(ref: Ref) {
    const path = yield* pathOf(ref)
    const head = yield* read(`${path}.head`, Head, `the session '${ref.session}'`)
    return { path, head: Option.getOrElse(head, () => newHead(ref)) }
  })

  const eventAt = ({ head: { session }, path }: Place, sequence: number) =>
    Effect.flatMap(records.read(`${path}.event.${sequence}`), (found) =>
      Effect.mapError(
        Effect.fromResult(Result.flatMap(
          found,
          Option.match({
            onNone: () => Result.fail("it is missing"),
            onSome: (json) =>
              Result.mapBoth(Event.decode(json), { onSuccess: deepFreeze, onFailure: ({ message }) => message })
          })
        )),
        (problem) => new EventUnreadable({ session, sequence, problem })
      ))

  /** Of a log that is longer than its session knows only a part would be read. */
  const eventsAt = Effect.fnUntraced(function*(place: Place, { from = 0, limit = Infinity }: Part) {
    const { head: { revision, session }, path } = place
    const to = Math.min(revision, from + limit)
    const sequences = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
    const events = yield* Effect.forEach(sequences, (sequence) => eventAt(place, sequence), atOnce)
    const next = yield* records.read(`${path}.event.${revision}`)
    if (Result.isSuccess(next) && Option.isNone(next.success)) return events
    return yield* new EventUnreadable({
      session,
      sequence: revision,
      problem: "the session was never told of it"
    })
  })

  const load = Effect.fnUntraced(function*(ref: Ref, part: Part = {}) {
    const place = yield* placeAt(ref)
    const events = yield* eventsAt(place, part)
    return place.head.revision === 0 ? Option.none() : Option.some(events)
  })

  const newest = Effect.fnUntraced(function*(ref: Ref) {
    const place = yield* placeAt(ref)
    const snapshot = yield* Effect.catchTag(
      read(`${place.path}.snapshot`, StoredSnapshot, `the snapshot of session '${ref.session}'`),
      "StoreFailed",
      ({ problem }) => Effect.as(Effect.logWarning(`${problem}: all of its events are read`), Option.none<Snapshot>())
    )
    const found = Option.getOrUndefined(Option.filter(snapshot, ({ revision }) => revision <= place.head.revision))
    const events = yield* eventsAt(place, { from: found?.revision ?? 0 })
    return place.head.revision === 0 ? Option.none() : Option.some<Newest>({ snapshot: found, events })
  })

  const rowAt = Effect.fnUntraced(function*(ref: Ref, scope: SharedScope, field: string) {
    const found = yield* read(yield* rowKey(ref, scope, field), StoredRow, `the row of '${field}'`)
    return Option.match(found, {
      onNone: () => unwritten,
      onSome: ({ section, value, version }): Row => ({ value, version, section })
    })
  })

  const inbox = Effect.fnUntraced(function*(ref: Ref) {
    const { head: { waiting }, path } = yield* placeAt(ref)
    return yield* Effect.forEach(waiting, ({ key, kind, number }) => {
      const what = `what waits for '${ref.session}' as '${key}'`
      return Effect.flatMap(
        read(`${path}.inbox.${number}`, StoredWaiting, what),
        Option.match({
          onNone: () => Effect.fail(unreadable(what, "it is missing")),
          // under another key it would be taken, and wait on, for ever
          onSome: (found) =>
            found.key === key && found.kind === kind
              ? Effect.succeed(found)
              : Effect.fail(unreadable(what, "it is another"))
        })
      )
    }, atOnce)
  })

  // ===== writing =============================================================

  const isLost = (ref: Ref, lease: Lease) => leases.get(idOf(ref))?.fence !== lease.fence

  const writeRows = Effect.fnUntraced(function*(ref: Ref, options: Append) {
    const { unchanged, writes = [] } = options
    const found = yield* Effect.forEach(
      namesIn(options),
      ({ field, scope }) => Effect.map(rowAt(ref, scope, field), (row) => [`${scope} ${field}`, row] as const),
      atOnce
    )
    const before = new Map(found)
    const { rows, versions } = yield* Effect.fromResult(
      outcomeOf(writes, unchanged, (scope, field) => before.get(`${scope} ${field}`) ?? unwritten)
    )
    const changes = yield* Effect.forEach(
      rows,
      ({ field, row: { section, value, version }, scope }) =>
        Effect.map(rowKey(ref, scope, field), (key): Journal.Change => ({
          key,
          value: { section, version, ...(value !== undefined && { value }) }
        }))
    )
    return { changes, versions }
  })

  /** The number of a session that has its first event, and the change that counts it. */
  const nextNumber = Effect.map(
    read("count", Schema.Int, "the number of sessions"),
    Option.getOrElse(() => 0)
  )

  const append = Effect.fnUntraced(function*(ref: Ref, options: Append) {
    const { events, expected, lease, unlessWaiting = [] } = options
    if (lease !== undefined && isLost(ref, lease)) return yield* new LeaseLost({ session: ref.session })
    const { head, path } = yield* placeAt(ref)
    if (head.revision !== expected) {
      return yield* new StaleSession({ session: ref.session, expected, actual: head.revision })
    }
    if (head.waiting.some(({ kind }) => unlessWaiting.includes(kind))) return []
    const rows = yield* writeRows(ref, options)
    const stored = events(rows.versions)
    const keys = takenBy(options, stored)
    const taken = head.waiting.filter(({ key }) => keys.has(key))
    const isNew = head.number === -1 && stored.length > 0
    const number = isNew ? yield* nextNumber : head.number
    const next: Head = {
      ...head,
      number,
      waiting: head.waiting.filter(({ key }) => !keys.has(key)),
      revision: head.revision + stored.length,
      created: isNew ? stored[0]?.time ?? 0 : head.created,
      updated: stored.at(-1)?.time ?? head.updated
    }
    const changes: ReadonlyArray<Journal.Change> = [
      ...stored.map((event, index) => ({ key: `${path}.event.${head.revision + index}`, value: Event.encode(event) })),
      ...rows.changes,
      ...(yield* Effect.forEach(keys, (key) => Effect.map(markOf(path, key), (mark) => ({ key: mark, value: true })))),
      ...taken.map((each) => ({ key: `${path}.inbox.${each.number}`, value: undefined })),
      ...(isNew ? [{ key: "count", value: number + 1 }] : []),
      ...(stored.length > 0 || keys.size > 0 ? [{ key: `${path}.head`, value: next }] : [])
    ]
    if (changes.length > 0) yield* records.commit(changes)
    return stored
  })

  const rewrite = Effect.fnUntraced(function*(ref: Ref, { events, expected, lease }: Rewrite) {
    if (isLost(ref, lease)) return yield* new LeaseLost({ session: ref.session })
    const { head: { revision }, path } = yield* placeAt(ref)
    if (revision !== expected) return yield* new StaleSession({ session: ref.session, expected, actual: revision })
    yield* records.commit([
      ...events.map((event) => ({ key: `${path}.event.${event.sequence}`, value: Event.encode(event) })),
      { key: `${path}.snapshot`, value: undefined }
    ])
  })

  const post = Effect.fnUntraced(function*(ref: Ref, waiting: Waiting) {
    const { head, path } = yield* placeAt(ref)
    const { key, kind } = waiting
    const mark = yield* markOf(path, key)
    if (Option.isSome(yield* read(mark, Schema.Boolean, `the mark of '${key}'`))) return
    const next: Head = {
      ...head,
      posted: head.posted + 1,
      waiting: [...head.waiting, { number: head.posted, kind, key }]
    }
    yield* records.commit([
      { key: `${path}.inbox.${head.posted}`, value: encodeWaiting(waiting) },
      { key: mark, value: true },
      { key: `${path}.head`, value: next }
    ])
  })

  const saveSnapshot = Effect.fnUntraced(function*(ref: Ref, { data, revision }: Snapshot, lease: Lease) {
    if (isLost(ref, lease)) return yield* new LeaseLost({ session: ref.session })
    const { head, path } = yield* placeAt(ref)
    if (head.revision > 0) yield* records.commit([{ key: `${path}.snapshot`, value: { revision, data } }])
  })

  const remove = Effect.fnUntraced(function*(ref: Ref) {
    if (leases.has(idOf(ref))) return yield* new SessionBusy({ session: ref.session })
    yield* records.commit([{ prefix: `${yield* pathOf(ref)}.` }])
  })

  const list = Effect.fnUntraced(function*({ after, app, limit, since = -Infinity, until = Infinity, user }: Listing) {
    const place = after === undefined ? undefined : placeOf(after)
    const keys = (yield* records.keys).filter((key) => key.startsWith("session.") && key.endsWith(".head"))
    const heads = yield* Effect.forEach(keys, (key) => read(key, Head, `the session at '${key}'`), atOnce)
    const found = Arr.getSomes(heads).filter((head) =>
      head.revision > 0 && head.app === app && (user === undefined || head.user === user) &&
      head.updated >= since && head.updated < until &&
      (place === undefined || head.updated < place.updated ||
        (head.updated === place.updated && head.number < place.number))
    ).map((head) => ({
      number: head.number,
      summary: { ref: refOf(head), revision: head.revision, created: head.created, updated: head.updated }
    }))
    return pageOf(found.sort((a, b) => b.summary.updated - a.summary.updated || b.number - a.number), limit)
  })

  return SessionStore.of({
    load: (ref, part) => alone(load(ref, part)),
    newest: (ref) => alone(newest(ref)),
    saveSnapshot: (ref, snapshot, lease) => alone(saveSnapshot(ref, snapshot, lease)),
    append: (ref, options) => alone(append(ref, options)),
    rewrite: (ref, options) => alone(rewrite(ref, options)),
    shared: (ref, fields) =>
      alone(Effect.map(
        Effect.forEach(fields, ({ field, scope }) =>
          Effect.map(rowAt(ref, scope, field), (row) => [field, row] as const), atOnce),
        (rows) =>
          new Map(rows)
      )),
    post: (ref, waiting) => Effect.tap(alone(post(ref, waiting)), () => Effect.sync(() => watchers.tell(ref))),
    inbox: (ref) => alone(inbox(ref)),
    watch: watchers.watch,
    lease: (ref) =>
      Effect.acquireRelease(
        alone(Effect.suspend(() => {
          if (leases.has(idOf(ref))) return Effect.fail(new SessionBusy({ session: ref.session }))
          const lease = { fence: ++fence }
          leases.set(idOf(ref), lease)
          return Effect.succeed(lease)
        })),
        () => Effect.sync(() => leases.delete(idOf(ref)))
      ),
    list: (of) => alone(list(of)),
    remove: (ref) => alone(remove(ref))
  })
})

// ===== layers ================================================================

/**
 * Keeps sessions in a `KeyValueStore`, for what has only get and set. One process at a time holds it; a second one that
 * starts is refused with `StoreHeld`.
 *
 * **Details**
 *
 * Each event, row and message is a record of its own, with a checksum over its place and bytes. What an append changes is
 * written into a journal by one `set`, and then made; so it is there whole or not at all, wherever a process is killed,
 * also where a `set` is torn. It writes twice what it adds, whatever the length of the log. Where a `set` fails, and the
 * process lives on, the next operation finds out whether the append was stored: its failure alone does not say.
 *
 * A list reads the keys of the store, and something of each session. It passes all of `SessionStoreTest.cases`. Whether
 * it outlives a loss of power too depends on when the store beneath has its writes on the disk: files of effect's
 * `layerFileSystem` are written, and not flushed.
 *
 * **Gotchas**
 *
 * A store that is only get and set cannot be locked for certain. A process that stood still for longer than `term`, and
 * whose place another one took, finds out before its next commit; only one that hangs within a commit for half a term, or
 * for a fiftieth of it while another one starts, can still come through. Keep `term` far above what a `set` may take.
 *
 * **Example** (A session in a `KeyValueStore`)
 *
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { KeyValueStore } from "effect/persistence"
 * import { Agent, AgentRunner, KvsStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Greeter = Agent.make("greeter", { instructions: "Greet." })
 * const Model = ScriptedModel.layer([ScriptedModel.text("Good day.")])
 * // or KeyValueStore.layerFileSystem("sessions")
 * const Store = KvsStore.layer({ term: "1 second" }).pipe(Layer.provide(KeyValueStore.layerMemory))
 *
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Greeter, { session: "s-1", input: "Hello." }).pipe(Effect.provide([Model, Store]))
 * )
 * if (result._tag === "Completed") console.log(result.text) // => "Good day."
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: Options = {}
): Layer.Layer<SessionStore, StoreFailed | StoreHeld, KeyValueStore.KeyValueStore> => {
  const term = Duration.fromInputUnsafe(options.term ?? "10 seconds")
  if (!(Duration.toMillis(term) >= 1 && Duration.isFinite(term))) {
    throw new TypeError(`'term' must last a millisecond at least, and end: ${Duration.format(term)}`)
  }
  return Layer.effect(SessionStore, make(term)).pipe(Layer.provide(Digest.layerWebCrypto))
}
