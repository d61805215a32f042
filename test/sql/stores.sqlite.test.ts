import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { ArtifactStore, CredentialStore, MemoryStore } from "tenon"
import { SqlArtifacts, SqlCredentials, SqlMemories } from "tenon/sql"
import { ArtifactStoreTest, CredentialStoreTest, MemoryStoreTest } from "tenon/testing"
import { freshFile } from "./file.ts"
import { checks, first, type Stores } from "./stores.ts"

const storesOf = (filename: string): Stores => ({
  artifacts: SqlArtifacts.layerSqlite({ filename }),
  credentials: (options) => SqlCredentials.layerSqlite({ ...options, filename }),
  memories: SqlMemories.layerSqlite({ filename }),
  query: (sql) =>
    Effect.acquireUseRelease(
      Effect.sync(() => new DatabaseSync(filename, { timeout: 1_000 })),
      (database) => Effect.sync(() => database.prepare(sql).all().map((row) => ({ ...row }))),
      (database) => Effect.sync(() => database.close())
    )
})

describe("stores beside sessions, in SQLite", () => {
  for (const { name, run } of ArtifactStoreTest.cases) {
    it.effect(`artifacts: ${name}`, () => Effect.provide(run, storesOf(":memory:").artifacts))
  }
  for (const { name, run } of CredentialStoreTest.cases) {
    it.effect(`credentials: ${name}`, () => Effect.provide(run, storesOf(":memory:").credentials({ keys: [first] })))
  }
  for (const { name, run } of MemoryStoreTest.cases) {
    it.effect(`memories: ${name}`, () => Effect.provide(run, storesOf(":memory:").memories))
  }
  for (const { name, run } of checks) {
    it.effect(name, () => Effect.flatMap(freshFile, (filename) => run(storesOf(filename))))
  }

  it.effect("fail as themselves where the file cannot be opened", () =>
    Effect.gen(function*() {
      const { artifacts, credentials, memories } = storesOf(join(yield* freshFile, "none"))
      const errors = [
        yield* Effect.flip(Effect.provide(ArtifactStore.ArtifactStore, artifacts)),
        yield* Effect.flip(Effect.provide(CredentialStore.CredentialStore, credentials({ keys: [first] }))),
        yield* Effect.flip(Effect.provide(MemoryStore.MemoryStore, memories))
      ]
      for (const { problem } of errors) assert.strictEqual(problem, "unable to open database file")
    }))
})
