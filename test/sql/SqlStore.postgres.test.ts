import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlStore } from "tenon/sql"
import { SessionStoreTest } from "tenon/testing"
import { type Database, durables } from "./durable.ts"
import { freshDatabase, Postgres } from "./postgres.ts"

const fresh = Effect.map(freshDatabase, ({ address, client, query }): Database => ({
  name: address,
  open: (options) => Layer.provide(SqlStore.layer(options), client),
  query
}))

layer(Postgres.layer, { timeout: "60 seconds" })("SqlStore.layer on PostgreSQL", (it) => {
  it.layer(Layer.unwrap(Effect.map(fresh, ({ open }) => open())))("in one database", (it) => {
    for (const { name, run } of SessionStoreTest.cases) it.effect(name, () => run)
  })

  for (const { name, run } of durables) it.effect(name, () => Effect.flatMap(fresh, run), 180_000)
})
