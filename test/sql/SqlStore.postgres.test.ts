import { PgClient } from "@effect/sql-pg"
import { layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SqlStore } from "tenon/sql"
import { SessionStoreTest } from "tenon/testing"
import { type Database, durables } from "./durable.ts"
import { Postgres } from "./postgres.ts"

/** Each database of the tests has a name of its own. */
let made = 0

const freshDatabase = Effect.gen(function*() {
  const server = yield* Postgres
  const name = `test_${++made}`
  const address = (database: string) => `${Redacted.value(server)}/${database}`
  const client = (database: string) => PgClient.layer({ url: Redacted.make(address(database)) })
  const query = (database: string) => (sql: string) =>
    SqlClient.SqlClient.pipe(
      Effect.flatMap((client) => client.unsafe<object>(sql)),
      Effect.orDie,
      Effect.provide(Layer.orDie(client(database)))
    )
  yield* query("postgres")(`CREATE DATABASE ${name}`)
  const database: Database = {
    name: address(name),
    open: (options) => SqlStore.layer(options).pipe(Layer.provide(Layer.orDie(client(name)))),
    query: query(name)
  }
  return database
})

layer(Postgres.layer, { timeout: "60 seconds" })("SqlStore.layer on PostgreSQL", (it) => {
  it.layer(Layer.unwrap(Effect.map(freshDatabase, ({ open }) => open())))("in one database", (it) => {
    for (const { name, run } of SessionStoreTest.cases) it.effect(name, () => run)
  })

  for (const { name, run } of durables) it.effect(name, () => Effect.flatMap(freshDatabase, run), 180_000)
})
