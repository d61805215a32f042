/**
 * A process may end at any append, before the store has it or after. Another that goes on from the log comes to what a
 * run comes to that was never cut: no call is lost, no delta is applied twice, no sub-agent is started twice. All tools
 * are idempotent here; for what becomes of others see `test/regressions/log.test.ts`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answersInOrder, caseOf, type Cut, describeCase, execute } from "./agents.ts"
import * as Random from "./random.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 4)

describe("AgentRunner", () => {
  it.effect(
    `comes to the same end wherever a run is cut (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        let revived = 0
        const numbers = Random.onlyCase === undefined
          ? Array.from({ length: cases }, (_, index) => index)
          : [Random.onlyCase]
        for (const number of numbers) {
          const made = caseOf(number, true)
          const random = Random.make(Random.mix(Random.seed, `cuts ${number}`))
          const cuts = Array.from({ length: 1 + random.int(3) }, (): Cut => ({
            append: random.int(25),
            stored: random.once(2)
          }))
          const explain = (problem: string) =>
            `${problem}\nTENON_SEED=${Random.seed} TENON_CASE=${number}\n${JSON.stringify(cuts)}\n${describeCase(made)}`
          const run = (given: ReadonlyArray<Cut>) =>
            Effect.catchCause(
              execute(made, given.length === 0, Random.make(Random.mix(Random.seed, `answers ${number}`)), given),
              (cause) => Effect.die(new Error(explain(`${given.length} cuts: ${String(cause)}`)))
            )
          const whole = yield* run([])
          const cut = yield* run(cuts)
          const { journal: _, ...visible } = cut.visible
          const { journal: __, ...expected } = whole.visible
          assert.deepStrictEqual(visible, expected, explain("the outcomes differ"))
          assert.deepStrictEqual(cut.folded, cut.live, explain("the fold of the log differs from the live state"))
          assert.isTrue(answersInOrder(cut.events), explain("the model got results out of order"))
          const ends = cut.events.flatMap((event) => event.kind === "call" ? [event.call] : [])
          assert.strictEqual(new Set(ends).size, ends.length, explain("a call ended twice"))
          revived += cut.revived
        }
        console.log({ seed: Random.seed, cases: numbers.length, revived })
        if (Random.onlyCase === undefined) assert.isAbove(revived, numbers.length / 2)
      }),
    Math.max(120_000, cases * 500)
  )
})
