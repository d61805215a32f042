/**
 * The tables, and how they came to be. Layer 6, edge `sql`.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"

/**
 * What the dialects say differently: a number that a table gives its rows, bytes, and the milliseconds since 1970 on the one
 * clock that all processes share, the database's.
 */
export const dialectOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => ({
      number: sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
      bytes: sql.literal("BYTEA"),
      now: sql.literal("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
    }),
    orElse: () => ({
      number: sql.literal("INTEGER PRIMARY KEY AUTOINCREMENT"),
      bytes: sql.literal("BLOB"),
      now: sql.literal("CAST(unixepoch('subsec') * 1000 AS INTEGER)")
    })
  })

/** Stored text is JSON, never a type of the database: checksums need the very bytes, and `jsonb` refuses some strings. */
const first = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { number } = dialectOf(sql)
  // `created` and `updated` are the times of the first and the last event
  yield* sql`CREATE TABLE tenon_sessions (
    id ${number},
    app TEXT NOT NULL,
    owner TEXT NOT NULL,
    session TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    created BIGINT NOT NULL DEFAULT 0,
    updated BIGINT NOT NULL DEFAULT 0,
    fence BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT NOT NULL DEFAULT 0,
    UNIQUE (app, owner, session)
  )`
  yield* sql`CREATE INDEX tenon_sessions_updated ON tenon_sessions (app, updated, id)`
  yield* sql`CREATE TABLE tenon_events (
    session_id BIGINT NOT NULL REFERENCES tenon_sessions (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    data TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (session_id, sequence)
  )`
  // what was taken leaves its key
  yield* sql`CREATE TABLE tenon_inbox (
    id ${number},
    session_id BIGINT NOT NULL REFERENCES tenon_sessions (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT,
    content TEXT,
    UNIQUE (session_id, key)
  )`
  yield* sql`CREATE TABLE tenon_shared (
    app TEXT NOT NULL,
    owner TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT,
    version INTEGER NOT NULL DEFAULT 0,
    section INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (app, owner, field)
  )`
})

/** What a session's events came to: one of each session, in place of the one before. */
const snapshots = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE tenon_snapshots (
    session_id BIGINT NOT NULL PRIMARY KEY REFERENCES tenon_sessions (id) ON DELETE CASCADE,
    taken INTEGER NOT NULL,
    data TEXT NOT NULL,
    checksum TEXT NOT NULL
  )`
})

/** Rows of before have no checksum, and are taken as they are until they are written again. */
const stores = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { bytes, number } = dialectOf(sql)
  yield* sql`ALTER TABLE tenon_shared ADD COLUMN checksum TEXT`
  yield* sql`ALTER TABLE tenon_inbox ADD COLUMN checksum TEXT`
  // how much waits, so that what was lost of it is missed
  yield* sql`ALTER TABLE tenon_sessions ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0`
  yield* sql`UPDATE tenon_sessions SET waiting =
    (SELECT count(*) FROM tenon_inbox WHERE session_id = tenon_sessions.id AND content IS NOT NULL)`
  yield* sql`CREATE TABLE tenon_artifacts (hash TEXT PRIMARY KEY, bytes ${bytes} NOT NULL)`
  yield* sql`CREATE TABLE tenon_credentials (
    app TEXT NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (app, owner, name)
  )`
  // who refreshes a credential, or grants it
  yield* sql`CREATE TABLE tenon_credential_locks (
    app TEXT NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    holder TEXT NOT NULL,
    held_until BIGINT NOT NULL,
    PRIMARY KEY (app, owner, name)
  )`
  yield* sql`CREATE TABLE tenon_memory_sources (
    id ${number},
    app TEXT NOT NULL,
    owner TEXT NOT NULL,
    source TEXT NOT NULL,
    UNIQUE (app, owner, source)
  )`
  yield* sql`CREATE TABLE tenon_memories (
    source_id BIGINT NOT NULL REFERENCES tenon_memory_sources (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    time DOUBLE PRECISION NOT NULL,
    data TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (source_id, place)
  )`
  yield* sql`CREATE TABLE tenon_memory_words (
    source_id BIGINT NOT NULL,
    place INTEGER NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (source_id, word, place),
    FOREIGN KEY (source_id, place) REFERENCES tenon_memories (source_id, place) ON DELETE CASCADE
  )`
})

/** By number, from 1 on. What was released is never changed; a later one is added. */
const migrations = { "1_tables": first, "2_snapshots": snapshots, "3_checksums_and_stores": stores }

const table = "tenon_migrations"

/** Brings the tables up to date, once, however many processes start at the same time. */
export const migrate: Effect.Effect<
  void,
  Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.gen(function*() {
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  const sql = yield* SqlClient.SqlClient
  const [latest] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(table)}`
  if (latest !== undefined && latest.id > Object.keys(migrations).length) {
    const message = `its tables are of a later version (${latest.id}) than this program`
    return yield* new Migrator.MigrationError({ kind: "BadState", message })
  }
})
