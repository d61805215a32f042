/** A `SqlClient` with something around each statement that another one runs. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"

/** What happens around a statement; it runs when the Effect does. */
export type Around = <A>(
  sql: string,
  statement: Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, SqlError.SqlError>

const dialects = {
  sqlite: { compiler: () => Statement.makeCompilerSqlite(), beginTransaction: "BEGIN IMMEDIATE" },
  pg: { compiler: () => PgClient.makeCompiler(), beginTransaction: "BEGIN" }
} as const

/** Is a transaction open on a connection, as far as its statements tell? */
const open = new WeakSet<object>()

const wrap = (inner: SqlConnection.Connection, around: Around): SqlConnection.Connection => {
  const tracked = <A>(sql: string, statement: Effect.Effect<A, SqlError.SqlError>) =>
    around(
      sql.replaceAll(/\s+/g, " ").trim(),
      Effect.tap(statement, () =>
        Effect.sync(() => {
          if (sql.startsWith("BEGIN")) open.add(connection)
          if (sql === "COMMIT" || sql === "ROLLBACK") open.delete(connection)
        }))
    )
  const connection: SqlConnection.Connection = {
    execute: (sql, params, transform) => tracked(sql, inner.execute(sql, params, transform)),
    executeUnprepared: (sql, params, transform) => tracked(sql, inner.executeUnprepared(sql, params, transform)),
    executeRaw: (sql, params) => tracked(sql, inner.executeRaw(sql, params)),
    executeValues: (sql, params) => tracked(sql, inner.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => tracked(sql, inner.executeValuesUnprepared(sql, params)),
    executeStream: inner.executeStream
  }
  return connection
}

/** The client of a layer, with something around each of its statements. */
export const instrumented = <E>(
  layer: Layer.Layer<SqlClient.SqlClient, E>,
  dialect: keyof typeof dialects,
  around: Around
): Layer.Layer<SqlClient.SqlClient, E> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function*() {
      const inner = yield* SqlClient.SqlClient
      const acquirer = Effect.map(inner.reserve, (connection) => wrap(connection, around))
      const { beginTransaction, compiler } = dialects[dialect]
      const isTransaction = (connection: SqlConnection.Connection) => open.has(connection)
      return yield* SqlClient.make({
        acquirer,
        compiler: compiler(),
        beginTransaction,
        isTransaction,
        onCommitFailure: (connection) =>
          isTransaction(connection)
            ? Effect.asVoid(connection.executeUnprepared("ROLLBACK", [], undefined))
            : Effect.void,
        driver: "instrumented",
        spanAttributes: []
      })
    })
  ).pipe(Layer.provide([layer, Reactivity.layer]))
