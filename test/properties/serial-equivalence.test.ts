/**
 * S3: however the calls of a step overlap in time, the outcome is as if they had run one by one in the order in which
 * the model asked for them.
 *
 * Each case is an agent with random contracts, hooks and sub-agents, and a plan of calls. It runs twice: with all calls
 * of a step at once, and with one call a step. What came out must be the same: each call's result, the state, the rows
 * of `user` and `app` fields, and what exclusive calls did to the world.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answersInOrder, caseOf, describeCase, execute } from "./agents.ts"
import * as Random from "./random.ts"

const cases = Number(process.env["TENON_CASES"] ?? 1_000)

describe("AgentRunner", () => {
  it.effect(
    `gives what calls one by one give, however they overlap (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        let overlapped = 0
        let paused = 0
        let failed = 0
        const numbers = Random.onlyCase === undefined
          ? Array.from({ length: cases }, (_, index) => index)
          : [Random.onlyCase]
        for (const number of numbers) {
          const made = caseOf(number)
          const at = `TENON_SEED=${Random.seed} TENON_CASE=${number}`
          const explain = (problem: string) => `${problem}\n${at}\n${describeCase(made)}`
          const run = (oneByOne: boolean) =>
            Effect.catchCause(
              execute(made, oneByOne, Random.make(Random.mix(Random.seed, `answers ${number}`))),
              (cause) => Effect.die(new Error(explain(`${oneByOne ? "one by one" : "all at once"}: ${String(cause)}`)))
            )
          const atOnce = yield* run(false)
          const oneByOne = yield* run(true)
          assert.deepStrictEqual(atOnce.visible, oneByOne.visible, explain("the outcomes differ"))
          for (const outcome of [atOnce, oneByOne]) {
            assert.deepStrictEqual(
              outcome.folded,
              outcome.live,
              explain("the fold of the log differs from the live state")
            )
            assert.isUndefined(outcome.world.broken, explain("calls overlapped that must not"))
            assert.isTrue(answersInOrder(outcome.events), explain("the model got results out of order"))
          }
          if (atOnce.world.overlap > 1) overlapped++
          if (atOnce.pauses > 0) paused++
          if (atOnce.visible.results.some((each) => JSON.stringify(each).includes("\"isFailure\":true"))) failed++
        }
        console.log({ seed: Random.seed, cases: numbers.length, overlapped, paused, failed })
        if (Random.onlyCase !== undefined) return
        assert.isAbove(overlapped, numbers.length / 4)
        assert.isAbove(paused, numbers.length / 20)
        assert.isAbove(failed, numbers.length / 4)
      }),
    Math.max(120_000, cases * 500)
  )
})
