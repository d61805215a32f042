import { PgClient } from "@effect/sql-pg"
import { layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SqlArtifacts, SqlCredentials, SqlMemories } from "tenon/sql"
import { ArtifactStoreTest, CredentialStoreTest, MemoryStoreTest } from "tenon/testing"
import { Postgres } from "./postgres.ts"
import { checks, first, type Stores } from "./stores.ts"

/** Each database of the tests has a name of its own. */
let made = 0

const freshStores = Effect.gen(function*() {
  const server = yield* Postgres
  const name = `stores_${++made}`
  const client = (database: string) =>
    Layer.orDie(PgClient.layer({ url: Redacted.make(`${Redacted.value(server)}/${database}`) }))
  const query = (database: string) => (sql: string) =>
    SqlClient.SqlClient.pipe(
      Effect.flatMap((client) => client.unsafe<object>(sql)),
      Effect.orDie,
      Effect.provide(client(database))
    )
  yield* query("postgres")(`CREATE DATABASE ${name}`)
  const stores: Stores = {
    artifacts: Layer.provide(SqlArtifacts.layer, client(name)),
    credentials: (options) => Layer.provide(SqlCredentials.layer(options), client(name)),
    memories: Layer.provide(SqlMemories.layer, client(name)),
    query: query(name)
  }
  return stores
})

layer(Postgres.layer, { timeout: "60 seconds" })("stores beside sessions, in PostgreSQL", (it) => {
  const all = Layer.unwrap(Effect.map(
    freshStores,
    ({ artifacts, credentials, memories }) => Layer.mergeAll(artifacts, credentials({ keys: [first] }), memories)
  ))
  it.layer(all)("in one database", (it) => {
    for (const { name, run } of ArtifactStoreTest.cases) it.effect(`artifacts: ${name}`, () => run)
    for (const { name, run } of CredentialStoreTest.cases) it.effect(`credentials: ${name}`, () => run)
    for (const { name, run } of MemoryStoreTest.cases) it.effect(`memories: ${name}`, () => run)
  })

  for (const { name, run } of checks) it.effect(name, () => Effect.flatMap(freshStores, run))
})
