/**
 * A client of a database whose tables are up to date, and what becomes of its failures. Layer 6, edge `sql`.
 */
import { Effect } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { migrate } from "./schema.ts"

/** Databases give whole numbers of 64 bits as either. */
export type Whole = number | bigint

/** So that no statement has more parameters than a database takes. */
export const rowsAtOnce = 1_000

type Failure = Migrator.MigrationError | SqlError.SqlError

const isFailure = (error: unknown): error is Failure =>
  SqlError.isSqlError(error) || error instanceof Migrator.MigrationError

const problemOf = (error: Failure): string => {
  if (error._tag === "MigrationError") return error.message
  const { message, reason: { cause } } = error
  return cause instanceof Error && cause.message !== message ? `${message} (${cause.message})` : message
}

/**
 * What goes wrong in the database is the failure of a store, which is made of the problem in words; also where it is a
 * defect, as it is of a transaction that cannot be undone since its connection is gone.
 */
export const failingAs =
  <F>(failed: (problem: string) => F) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<
    A,
    F | Exclude<E, Failure>,
    R
  > =>
    effect.pipe(
      Effect.mapError((error) => isFailure(error) ? failed(problemOf(error)) : error as Exclude<E, Failure>),
      Effect.catchDefect((defect) => isFailure(defect) ? Effect.fail(failed(problemOf(defect))) : Effect.die(defect))
    )

/** The client, once the tables are up to date. */
export const opened: Effect.Effect<SqlClient.SqlClient, Failure, SqlClient.SqlClient> = Effect.andThen(
  migrate,
  Effect.map(SqlClient.SqlClient, (client) => client.withoutTransforms())
)

/**
 * Fails where SQLite finds that a table or an index of it is damaged. Of a row that an index has lost nothing else tells:
 * it would be taken for one that nobody wrote. Reads these tables once, not what hangs on their rows.
 */
export const intact = Effect.fnUntraced(function*<F>(
  sql: SqlClient.SqlClient,
  tables: ReadonlyArray<string>,
  failed: (problem: string) => F
) {
  for (const table of sql.onDialectOrElse({ sqlite: () => tables, orElse: () => [] })) {
    const [first] = yield* sql<{ readonly integrity_check: string }>`PRAGMA integrity_check(${sql.literal(table)})`
    if (first?.integrity_check !== "ok") return yield* Effect.fail(failed(`'${table}': ${first?.integrity_check}`))
  }
})
