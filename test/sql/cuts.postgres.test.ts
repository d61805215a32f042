/** Connections to PostgreSQL that the server really ends, before, after or while a statement runs. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SessionStore } from "tenon"
import { SqlStore } from "tenon/sql"
import { chapterNames } from "../crash/life.ts"
import { survive } from "../properties/faults.ts"
import * as Random from "../properties/random.ts"
import { instrumented } from "./instrumented.ts"
import { Postgres } from "./postgres.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 40)

/** The statement, counted from 0, and when all connections are cut. */
interface Cut {
  readonly at: number
  readonly when: "before" | "after" | "while"
}

const clientOf = (server: Redacted.Redacted, database: string, applicationName: string) =>
  PgClient.layer({ url: Redacted.make(`${Redacted.value(server)}/${database}`), applicationName, maxConnections: 3 })

const storeOf = Effect.fnUntraced(function*(database: string) {
  const server = yield* Postgres
  const admin = Context.get(yield* Layer.build(clientOf(server, "postgres", "admin")), SqlClient.SqlClient)
  yield* admin.unsafe(`CREATE DATABASE ${database}`)
  const cutAll = Effect.orDie(
    admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = ${database} AND application_name = 'cut'`
  )
  let number = 0
  let cut: Cut | undefined
  const client = instrumented(clientOf(server, database, "cut"), "pg", (_sql, statement) =>
    Effect.suspend(() => {
      if (cut === undefined || number++ !== cut.at) return statement
      switch (cut.when) {
        case "before":
          return Effect.andThen(cutAll, statement)
        case "after":
          return Effect.tap(statement, () => cutAll)
        case "while":
          return Effect.map(Effect.all([statement, cutAll], { concurrency: 2 }), ([result]) => result)
      }
    }))
  const options = { lease: "40 millis" } as const
  const store = SqlStore.layer(options).pipe(Layer.provide(client))
  const plain = SqlStore.layer(options).pipe(Layer.provide(clientOf(server, database, "plain")))
  return {
    store: Context.get(yield* Layer.build(store), SessionStore.SessionStore),
    plain: Context.get(yield* Layer.build(plain), SessionStore.SessionStore),
    begin: (plan: Cut | undefined) =>
      Effect.sync(() => {
        number = 0
        cut = plan
      })
  }
})

describe("SqlStore.layer on a PostgreSQL that cuts connections", () => {
  it.live(
    `loses nothing that was acknowledged, and does nothing twice (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        let failed = 0
        for (let number = 0; number < cases; number++) {
          const random = Random.make(Random.mix(Random.seed, `cuts ${number}`))
          const lives = Array.from({ length: 1 + random.int(2) }, (): Cut => ({
            at: random.int(200),
            when: random.pick(["before", "after", "while"] as const)
          }))
          const chapter = random.pick(chapterNames)
          failed += yield* storeOf(`cuts_${number}`).pipe(
            Effect.flatMap((stores) => survive(stores, chapter, lives)),
            Effect.scoped,
            Effect.catchCause((cause) =>
              Effect.die(new Error(`TENON_SEED=${Random.seed}, ${chapter}, ${JSON.stringify(lives)}`, { cause }))
            )
          )
        }
        console.log({ seed: Random.seed, cases, failed })
        assert.isAbove(failed, cases / 10)
      }).pipe(Effect.provide(Postgres.layer)),
    Math.max(120_000, cases * 4_000)
  )
})
