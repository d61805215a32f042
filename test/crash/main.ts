/**
 * The crash tests: `npm run test:crash`. Kills at every failpoint, on SQLite and on PostgreSQL, and at random ones for
 * about two minutes in all; the last line sums them up. `TENON_SEED` repeats the choices, `TENON_CRASH_SECONDS` scales.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Random from "../properties/random.ts"
import { Postgres } from "../sql/postgres.ts"
import { prove, type Report, type Target } from "./prove.ts"
import { sqlite } from "./sqlite.ts"

const seconds = Number(process.env["TENON_CRASH_SECONDS"] ?? 120)

let made = 0

const postgres = Effect.map(Postgres, (server): Target => ({
  dialect: "pg",
  empty: () => {
    const name = `crash_${++made}`
    const address = (database: string) => `${Redacted.value(server)}/${database}`
    return SqlClient.SqlClient.pipe(
      Effect.flatMap((client) => client.unsafe(`CREATE DATABASE ${name}`)),
      Effect.provide(PgClient.layer({ url: Redacted.make(address("postgres")) })),
      Effect.orDie,
      Effect.as(address(name))
    )
  }
}))

const told = (target: Target, { broken, doubled, fired, kills, lost, silent }: Report) => {
  for (const [what, problems] of Object.entries({ lost, doubled, broken, "no process ended at": silent })) {
    for (const each of problems) console.error(`${target.dialect}: ${what}: ${each}`)
  }
  console.log(`${target.dialect}: ${fired.size} failpoints, ${kills} kills`)
}

const main = Effect.gen(function*() {
  console.log(`seed ${Random.seed}`)
  const reports: Array<Report> = []
  for (const target of [sqlite, yield* postgres]) {
    const report = yield* prove(target, seconds / 2, Random.seed)
    told(target, report)
    reports.push(report)
  }
  const sum = (of: (report: Report) => number) => reports.reduce((all, report) => all + of(report), 0)
  console.log(
    `${sum(({ fired }) => fired.size)} failpoints, ${sum(({ kills }) => kills)} kills, ${
      sum(({ lost }) => lost.length)
    } lost, ${sum(({ doubled }) => doubled.length)} doubled`
  )
  return sum(({ broken, doubled, lost, silent }) => broken.length + doubled.length + lost.length + silent.length) === 0
})

process.exitCode = await Effect.runPromise(Effect.provide(main, Layer.orDie(Postgres.layer))) ? 0 : 1
