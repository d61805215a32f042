import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlArtifacts, SqlCredentials, SqlMemories } from "tenon/sql"
import { ArtifactStoreTest, CredentialStoreTest, MemoryStoreTest } from "tenon/testing"
import { freshDatabase, Postgres } from "./postgres.ts"
import { checks, first, type Stores } from "./stores.ts"

const freshStores = Effect.map(freshDatabase, ({ client, query }): Stores => ({
  artifacts: Layer.provide(SqlArtifacts.layer, client),
  credentials: (options) => Layer.provide(SqlCredentials.layer(options), client),
  memories: Layer.provide(SqlMemories.layer, client),
  query
}))

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
