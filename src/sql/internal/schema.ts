/**
 * The tables, and how they came to be. Layer 6, edge `sql`.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { StoreFailed } from "../../AgentError.ts"

/**
 * What the dialects say differently: a number that a table gives its rows, and the milliseconds since 1970 on the one
 * clock that all processes share, the database's.
 */
export const dialectOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => ({
      number: sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
      now: sql.literal("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
    }),
    orElse: () => ({
      number: sql.literal("INTEGER PRIMARY KEY AUTOINCREMENT"),
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

/** By number, from 1 on. What was released is never changed; a later one is added. */
const migrations = { "1_tables": first, "2_snapshots": snapshots }

const table = "tenon_migrations"

/** Brings the tables up to date, once, however many processes start at the same time. */
export const migrate: Effect.Effect<
  void,
  Migrator.MigrationError | SqlError.SqlError | StoreFailed,
  SqlClient.SqlClient
> = Effect.gen(function*() {
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  const sql = yield* SqlClient.SqlClient
  const [latest] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(table)}`
  if (latest !== undefined && latest.id > Object.keys(migrations).length) {
    return yield* new StoreFailed({ problem: `its tables are of a later version (${latest.id}) than this program` })
  }
})
