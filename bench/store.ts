/**
 * What a store in a database costs, beside the same bytes through the same driver and nothing else:
 * `npm run bench:store [-- --events 1000000 --sessions 10000 --database sqlite|postgres|both --singles 5000]`.
 *
 * The log of a real run is put into the store again and again, under new numbers. One session has 10,000 events; the
 * others share the rest. Everything is done twice: through `SessionStore`, and as plain rows of the same texts in a
 * database of its own with the same settings. Only ratios within one run mean something.
 */
import { PgClient } from "@effect/sql-pg"
import { Array as Arr, Context, Effect, Layer, Option, Redacted, Result, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Agent, AgentRunner, Event, Reducer, Session, SessionStore, State, Tool, Toolkit } from "tenon"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import * as Sqlite from "../src/sql/internal/sqlite.ts"
import { Postgres } from "../test/sql/postgres.ts"
import { spread } from "./harness/spread.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    sessions: { type: "string", default: "10000" },
    database: { type: "string", default: "both" },
    singles: { type: "string", default: "5000" }
  }
})
const [events, sessions, singles] = [Number(values.events), Number(values.sessions), Number(values.singles)]
const long = 10_000
// ===== what is stored ========================================================

const Notes = State.make("notes", {
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  latest: State.optional(Schema.String),
  all: State.record(Schema.String, Schema.String)
})
const Note = Tool.make("note", {
  parameters: Schema.Struct({ name: Schema.String, text: Schema.String }),
  success: Schema.String,
  writes: [Notes.latest, Notes.all],
  combines: [Notes.count]
})
const kit = Toolkit.make(Note)
const agent = Agent.make("agent", { instructions: "Take notes.", toolkit: kit })
const live = Toolkit.layer(kit, {
  note: Effect.fnUntraced(function*({ name, text }) {
    yield* Notes.count.combine(1)
    yield* Notes.latest.set(name)
    yield* Notes.all.put(name, text)
    return `noted '${name}'`
  })
})

/** A run: a message, six steps with a call each, and an answer. */
const script = [
  ...Array.from({ length: 6 }, (_, step) =>
    ScriptedModel.call("note", {
      name: `note ${step}`,
      text: "What was said about the matter, in two lines or so: that it was put off, and until when."
    })),
  ScriptedModel.text("All of it is noted: six notes, of which the last one is the newest.")
]
const run = (session: string) =>
  AgentRunner.run(agent, { app: "bench", user: "u-1", session, input: "Please take notes of what I said." }).pipe(
    Effect.provide([ScriptedModel.layer(script), live])
  )

/** The first event of a session, and those of a run, as JSON. */
interface Sample {
  readonly first: string
  readonly rest: ReadonlyArray<string>
}

const sample: Effect.Effect<Sample, unknown> = run("s").pipe(
  Effect.map(({ session }): Sample => {
    const [first = "", ...rest] = session.events.map((event) => JSON.stringify(Event.encode(event)))
    return { first, rest }
  }),
  Effect.provide(SessionStore.layerMemory)
)

// ===== databases =============================================================

/** A database: a client each for two of its kind, and how many bytes one of them takes. */
interface Database {
  readonly name: string
  readonly client: (name: string) => Layer.Layer<SqlClient.SqlClient, unknown>
  readonly bytes: (name: string) => Effect.Effect<number, unknown>
}

const sqlite = Effect.gen(function*(): Effect.fn.Return<Database, never, Scope.Scope> {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "tenon-bench-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const file = (name: string) => join(folder, `${name}.sqlite`)
  return {
    name: "SQLite",
    client: (name) => Sqlite.layer(file(name)),
    bytes: (name) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
        return (yield* Effect.promise(() => stat(file(name)))).size
      }).pipe(Effect.provide(Sqlite.layer(file(name))))
  }
})

const postgres = Effect.gen(function*(): Effect.fn.Return<Database, unknown, Scope.Scope> {
  const server = Context.get(yield* Layer.build(Postgres.layer), Postgres)
  const client = (name: string) => PgClient.layer({ url: Redacted.make(`${Redacted.value(server)}/${name}`) })
  for (const name of ["store", "rows"]) {
    yield* SqlClient.SqlClient.pipe(
      Effect.flatMap((sql) => sql`CREATE DATABASE ${sql(name)}`),
      Effect.provide(client("postgres"))
    )
  }
  return {
    name: "PostgreSQL",
    client,
    bytes: (name) =>
      SqlClient.SqlClient.pipe(
        Effect.flatMap((sql) => sql<{ readonly size: string }>`SELECT pg_database_size(${name}) AS size`),
        Effect.map(([row]) => Number(row?.size)),
        Effect.provide(client(name))
      )
  }
})

// ===== the two ways ==========================================================

/** An event, and its text as the store will write it. */
interface Written {
  readonly event: Event.Event
  readonly text: string
}

/** One of the two ways that everything is done. */
interface Way {
  readonly append: (
    session: number,
    from: number,
    all: Arr.NonEmptyReadonlyArray<Written>
  ) => Effect.Effect<unknown, unknown>
  /** Gives the number of events. */
  readonly load: (session: number) => Effect.Effect<number, unknown>
}

const nameOf = (session: number): string => `s-${session}`
const refOf = (session: number): SessionStore.Ref => ({ app: "bench", user: "u-1", session: nameOf(session) })

const throughStore = (store: SessionStore.SessionStore["Service"]): Way => ({
  append: (session, expected, all) =>
    store.append(refOf(session), { expected, events: () => all.map(({ event }) => event) }),
  load: (session) =>
    Effect.map(store.load(refOf(session)), Option.match({ onNone: () => 0, onSome: ({ length }) => length }))
})

/** A text, and something as long as a checksum, under a key of the same kind. */
const asRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE events (session_id BIGINT NOT NULL, sequence INTEGER NOT NULL, data TEXT NOT NULL,
    checksum TEXT NOT NULL, PRIMARY KEY (session_id, sequence))`
  const way: Way = {
    append: (session_id, from, all) => {
      const records = Arr.map(all, ({ text }, index) => ({
        session_id,
        sequence: from + index,
        data: text,
        checksum: "-".repeat(43)
      }))
      return sql.withTransaction(sql`INSERT INTO events ${sql.insert(records)}`)
    },
    load: (session) =>
      Effect.map(
        sql`SELECT sequence, data, checksum FROM events WHERE session_id = ${session} ORDER BY sequence`,
        ({ length }) => length
      )
  }
  return way
})

// ===== measuring =============================================================

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(effect, () => performance.now() - start)
  })

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, each) => all + each, 0)
const median = (numbers: ReadonlyArray<number>): number => spread(numbers).median

/** The milliseconds that things took, through the store and as rows. */
type Times = readonly [store: ReadonlyArray<number>, rows: ReadonlyArray<number>]

/** Does each of some things both ways, one after the other, so that what else the machine does meets both. */
const both = Effect.fnUntraced(function*<A>(
  [store, rows]: readonly [Way, Way],
  things: Iterable<A>,
  each: (way: Way, thing: A) => Effect.Effect<unknown, unknown>
) {
  const times = [[], []] as readonly [Array<number>, Array<number>]
  for (const thing of things) {
    times[0].push(yield* timed(each(store, thing)))
    times[1].push(yield* timed(each(rows, thing)))
  }
  return times
})

/** What one append brings. */
interface Batch {
  readonly session: number
  readonly from: number
  readonly all: Arr.NonEmptyReadonlyArray<Written>
}

const append = (way: Way, { all, from, session }: Batch) => way.append(session, from, all)

const count = (number: number): string => Math.round(number).toLocaleString("en-US")
const milliseconds = (number: number): string => number.toFixed(number < 10 ? 2 : 0)

const report = (what: string, store: string, rows: string, ratio: number) =>
  console.log(`| ${what} | ${store} | ${rows} | ${ratio.toFixed(1)} |`)
const reportRates = (what: string, amount: number, [store, rows]: Times) =>
  report(
    `${what}, events a second`,
    count(amount * 1000 / sum(store)),
    count(amount * 1000 / sum(rows)),
    sum(store) / sum(rows)
  )
const reportReads = (what: string, store: ReadonlyArray<number>, rows: ReadonlyArray<number>) =>
  report(`${what}, ms`, milliseconds(median(store)), milliseconds(median(rows)), median(store) / median(rows))

const measure = Effect.fnUntraced(function*({ bytes, client, name }: Database) {
  const { first, rest } = yield* sample
  const text = (session: number, sequence: number): Written => {
    const invocation = `"i${Math.floor(Math.max(0, sequence - 1) / rest.length) + 1}`
    const json = sequence === 0 ? first : rest[(sequence - 1) % rest.length] ?? ""
    const event = Result.getOrThrow(Event.decode(JSON.parse(json.replaceAll("\"i1", invocation))))
    const placed = { ...event, id: `${nameOf(session)}/${sequence}`, sequence }
    return { event: placed, text: JSON.stringify(Event.encode(placed)) }
  }
  /** The events of a session from one place up to another, some at a time. */
  function* batches(session: number, from: number, to: number, size: number): Generator<Batch> {
    for (let at = from; at < to; at += size) {
      yield { session, from: at, all: Arr.makeBy(Math.min(size, to - at), (index) => text(session, at + index)) }
    }
  }

  const database = yield* Layer.build(client("store"))
  const kept = yield* Layer.build(Layer.provide(SqlStore.layer(), Layer.succeedContext(database)))
  const store = Context.get(kept, SessionStore.SessionStore)
  const ways = [throughStore(store), yield* Effect.provideContext(asRows, yield* Layer.build(client("rows")))] as const
  const inBatches = (all: Iterable<Batch>) => both(ways, all, append)

  // the compiler's share is the same for a million events as for a few
  const warm = 0
  yield* inBatches(batches(warm, 0, 200, 1))
  yield* inBatches(batches(warm, 200, 2000, 100))
  yield* both(ways, Arr.range(1, 20), (way) => way.load(warm))

  const single = 1
  const one = yield* inBatches(batches(single, 0, singles, 1))

  // its last snapshot lies as far back as runs let it be
  const large = 2
  const upTo = 1 + rest.length * Math.floor(9_720 / rest.length)
  const before = yield* inBatches(batches(large, 0, upTo, 100))
  const { session } = yield* Effect.provideContext(run(nameOf(large)), kept)
  const since = session.events.slice(upTo).map((event) => ({ event, text: JSON.stringify(Event.encode(event)) }))
  if (Arr.isReadonlyArrayNonEmpty(since)) yield* ways[1].append(large, upTo, since)
  const after = yield* inBatches(batches(large, session.revision, long, 100))

  const others = Math.max(0, sessions - 3)
  const share = Math.max(1, Math.round((events - 2_000 - singles - long) / Math.max(1, others)))
  let peak = 0
  function* rests(): Generator<Batch> {
    for (let index = 0; index < others; index++) {
      if (index % 100 === 0) process.stderr.write(`\r${name}: ${index} of ${others} sessions `)
      peak = Math.max(peak, process.memoryUsage().rss)
      yield* batches(3 + index, 0, share, 100)
    }
    process.stderr.write("\r")
  }
  const bulk = yield* inBatches(rests())

  const stride = Math.max(1, Math.floor(others / 500))
  const read = Arr.makeBy(Math.min(500, others), (index) => 3 + index * stride)
  const loads = yield* both(ways, read, (way, each) => way.load(each))
  const wholes = yield* both(ways, Arr.range(1, 15), (way) => way.load(large))
  const ref = refOf(large)
  const repeated = (effect: Effect.Effect<unknown, unknown, SessionStore.SessionStore>) =>
    Effect.forEach(Arr.range(1, 15), () => Effect.provideContext(timed(effect), kept))
  const folds = yield* repeated(Session.load(ref, agent))
  const newest = yield* repeated(Session.newest(ref, agent))
  const few = yield* repeated(Session.newest(refOf(3), agent))

  const all = 2_000 + singles + long + others * share
  const size = [yield* bytes("store"), yield* bytes("rows")].map((each) => each / all) as [number, number]
  console.log(`\n| ${name}: ${count(all)} events, ${count(sessions)} sessions | store | rows | ratio |`)
  console.log("|---|---|---|---|")
  reportRates("append, one event at a time", singles, one)
  reportRates(
    "append, 100 events at a time",
    all - singles - 2_000,
    [[...before[0], ...after[0], ...bulk[0]], [...before[1], ...after[1], ...bulk[1]]]
  )
  reportReads(`load a session of ${share} events`, ...loads)
  reportReads("load the session of 10,000 events", ...wholes)
  reportReads("`Session.load` of it, with its folds", folds, wholes[1])
  reportReads(`\`Session.newest\` of it, ${long - session.revision} events after its snapshot`, newest, wholes[1])
  reportReads(`\`Session.newest\` of a session of ${share} events`, few, loads[1])
  report("bytes an event", count(size[0]), count(size[1]), size[0] / size[1])
  console.log(`\nResident memory at most: ${count(peak / 2 ** 20)} MB.`)
})

const databases = { sqlite, postgres }
for (const [name, database] of Object.entries(databases)) {
  if (values.database !== "both" && values.database !== name) continue
  await Effect.runPromise(Effect.scoped(Effect.flatMap(database, measure)))
}
