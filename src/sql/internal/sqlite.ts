/**
 * A `SqlClient` on the SQLite that comes with Node: one connection, which waits without blocking while another process
 * writes. Layer 6, edge `sql`.
 */
import { Clock, Effect, Layer, Schedule, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import type { SQLInputValue } from "node:sqlite"

/** What node:sqlite throws, as effect's classifier wants it. */
const failed = (cause: unknown): SqlError.SqlError => {
  const known = cause instanceof Error
    ? { message: cause.message, errno: "errcode" in cause ? cause.errcode : undefined }
    : { message: String(cause) }
  return new SqlError.SqlError({ reason: SqlError.classifySqliteError(known, { message: known.message }) })
}

/** SQLite's own way to wait would hold up the whole process, the one that it waits for included. */
const untilFree = Schedule.spaced("4 millis").pipe(Schedule.jittered, Schedule.upTo({ duration: "30 seconds" }))

const whileBusy = <A>(effect: Effect.Effect<A, SqlError.SqlError>, clock: Clock.Clock) =>
  Effect.retry(effect, { schedule: untilFree, while: ({ reason }) => reason._tag === "LockTimeoutError" }).pipe(
    // another process lives in real time, whatever clock this one was given
    Effect.provideService(Clock.Clock, clock)
  )

/**
 * Every commit reaches the disk before it is acknowledged (`synchronous`, FULL), readers and the one writer do not wait
 * for each other (`journal_mode`, WAL), and a transaction has the right to write from its start on (`BEGIN IMMEDIATE`):
 * of two that read first, the one that writes later would fail.
 */
const pragmas = ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"]

const make = Effect.fnUntraced(function*(filename: string) {
  // on demand: whoever keeps sessions elsewhere need not have it
  const { DatabaseSync } = yield* Effect.promise(() => import("node:sqlite"))
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => new DatabaseSync(filename), catch: failed }),
    (opened) => Effect.sync(() => opened.close())
  )
  const clock = Clock.Clock.defaultValue()
  const query = <Row>(sql: string, params: ReadonlyArray<unknown>, asArrays: boolean) =>
    whileBusy(
      Effect.try({
        try: () => {
          const statement = database.prepare(sql)
          statement.setReturnArrays(asArrays)
          return statement.all(...params as ReadonlyArray<SQLInputValue>) as unknown as ReadonlyArray<Row>
        },
        catch: failed
      }),
      clock
    )
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    Effect.map(query<object>(sql, params, false), (rows) => transform === undefined ? rows : transform(rows))
  const values: SqlConnection.Connection["executeValues"] = (sql, params) =>
    query<ReadonlyArray<unknown>>(sql, params, true)
  const connection: SqlConnection.Connection = {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => execute(sql, params, undefined),
    executeStream: (sql, params, transform) => Stream.fromIterableEffect(execute(sql, params, transform)),
    executeValues: values,
    executeValuesUnprepared: values
  }
  for (const pragma of pragmas) yield* execute(pragma, [], undefined)
  return yield* SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connection),
      semaphore: Semaphore.makeUnsafe(1),
      isTransaction: () => database.isTransaction
    }),
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    beginTransaction: "BEGIN IMMEDIATE",
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

/** A client for a file, or for `":memory:"`. */
export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(filename)).pipe(Layer.provide(Reactivity.layer))
