import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { SessionStore } from "tenon"
import { SqlStore } from "tenon/sql"
import { SessionStoreTest } from "tenon/testing"
import { type Database, durables } from "./durable.ts"
import { freshFile } from "./file.ts"

const databaseOf = (filename: string): Database => ({
  name: filename,
  open: (options) => SqlStore.layerSqlite({ ...options, filename }),
  query: (sql) =>
    Effect.acquireUseRelease(
      Effect.sync(() => new DatabaseSync(filename, { timeout: 1_000 })),
      (database) => Effect.sync(() => database.prepare(sql).all().map((row) => ({ ...row }))),
      (database) => Effect.sync(() => database.close())
    )
})

describe("SqlStore.layer", () => {
  it("refuses times in which nothing could happen, or that never end", () => {
    for (const option of ["lease", "poll"] as const) {
      for (const time of [0, "0 seconds", "-1 second", "100 micros", Infinity, Number.NaN] as const) {
        assert.throws(() => SqlStore.layer({ [option]: time }), `'${option}' must last a millisecond at least, and end`)
      }
    }
    assert.isDefined(SqlStore.layer({ lease: 1, poll: 1 }))
  })
})

describe("SqlStore.layerSqlite", () => {
  describe("in memory", () => {
    for (const { name, run } of SessionStoreTest.cases) {
      it.effect(name, () => Effect.provide(run, SqlStore.layerSqlite({ filename: ":memory:" })))
    }
  })

  describe("in a file", () => {
    for (const { name, run } of SessionStoreTest.cases) {
      it.effect(
        name,
        () => Effect.flatMap(freshFile, (filename) => Effect.provide(run, SqlStore.layerSqlite({ filename })))
      )
    }
    for (const { name, run } of durables) {
      it.effect(name, () => Effect.flatMap(freshFile, (filename) => run(databaseOf(filename))), 180_000)
    }

    it.effect("fails where the file cannot be opened, or is none of a database", () =>
      Effect.gen(function*() {
        const filename = yield* freshFile
        const opened = (file: string) =>
          Effect.flip(Effect.provide(SessionStore.SessionStore, SqlStore.layerSqlite({ filename: file })))
        assert.strictEqual(
          (yield* opened(join(filename, "none"))).message,
          "the session store failed: unable to open database file"
        )
        yield* Effect.promise(() => writeFile(filename, "This is a letter, and no database.".repeat(40)))
        assert.strictEqual((yield* opened(filename)).message, "the session store failed: file is not a database")
      }))
  })
})
