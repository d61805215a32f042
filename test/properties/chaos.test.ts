/**
 * Whatever goes wrong, and at whichever await of a run: nothing that was committed is lost or doubled, no call is left
 * without a result or an open question, and the session can go on.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { cases, survive, tally } from "./chaos.ts"
import * as Random from "./random.ts"

const runs = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 2)

describe("AgentRunner", () => {
  it.effect.prop(
    `survives what goes wrong (seed ${Random.seed})`,
    { made: cases },
    ({ made }) => Effect.as(survive(made), true),
    {
      timeout: Math.max(120_000, runs * 500),
      arbitrary: { runs, seed: Random.seed, maxShrinks: 400 }
    }
  )

  afterAll(() => {
    console.log({ seed: Random.seed, cases: runs, ...Object.fromEntries(tally) })
    assert.isAbove(tally.get("crash") ?? 0, 0)
  })
})
