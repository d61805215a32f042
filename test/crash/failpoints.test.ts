/** One kill at each failpoint, on SQLite; `npm run test:crash` does more, and on PostgreSQL too. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Random from "../properties/random.ts"
import { prove } from "./prove.ts"
import { sqlite } from "./sqlite.ts"

describe("a process that is killed at any failpoint", () => {
  it.live(
    `loses nothing that was acknowledged, and does nothing twice (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        const { broken, doubled, fired, kills, lost, silent } = yield* prove(sqlite, 0, Random.seed)
        assert.deepStrictEqual({ broken, doubled, lost, silent }, { broken: [], doubled: [], lost: [], silent: [] })
        assert.isAtLeast(kills, fired.size)
      }),
    300_000
  )
})
