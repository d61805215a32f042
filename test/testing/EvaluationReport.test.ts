import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EvaluationReport } from "tenon/testing"

const usage = { steps: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1 }
const run = (name: string, number: number, value: number): EvaluationReport.Run => ({
  case: name,
  run: number,
  status: value === 1 ? "passed" : "failed",
  scores: [{ scorer: "answer", value, threshold: 1, ...(value < 1 && { detail: "said <no>\u0000\n" }) }],
  milliseconds: 1500,
  usage
})
const report = EvaluationReport.make("shop & co", [run("a", 1, 1), run("a", 2, 0), run("long \"name\"", 1, 1), {
  case: "x",
  run: 1,
  status: "error",
  scores: [],
  error: { tag: "TimedOut", message: "too long \uD800" },
  milliseconds: 0,
  usage
}])

describe("EvaluationReport", () => {
  it("is an aligned table, with what went wrong below it", () => {
    assert.deepStrictEqual(EvaluationReport.table(report).split("\n"), [
      "shop & co    passed  answer    ms",
      "a               1/2    0.50  1500",
      "long \"name\"     1/1    1.00  1500",
      "x               0/1       –     0",
      "all             2/4    0.67  1125",
      "",
      "✗ a, run 2: answer is 0.00, at least 1.00 (said <no> )",
      "✗ x, run 1: TimedOut: too long \uD800"
    ])
  })

  it("is JUnit XML without a character that XML cannot hold", () => {
    const xml = EvaluationReport.toJUnit(report)
    assert.include(xml, "<testsuite name=\"shop &amp; co\" tests=\"4\" failures=\"1\" errors=\"1\" time=\"4.500\">")
    assert.include(xml, "<testcase name=\"a (run 2)\" classname=\"shop &amp; co\" time=\"1.500\">")
    assert.include(
      xml,
      "<failure message=\"answer is 0.00, at least 1.00 (said &lt;no&gt;\\u0000&#10;)\" type=\"BelowThreshold\">"
    )
    assert.include(xml, "<error message=\"TimedOut: too long \\ud800\" type=\"TimedOut\">")
    assert.include(xml, "name=\"long &quot;name&quot;\"")
    assert.notInclude(xml, "\u0000")
  })

  it.effect("comes back from its JSON, and refuses another", () =>
    Effect.gen(function*() {
      const small = EvaluationReport.make("shop", [run("a", 1, 0)])
      assert.deepStrictEqual(yield* EvaluationReport.fromJson(EvaluationReport.toJson(small)), small)
      const whole = JSON.parse(EvaluationReport.toJson(small))
      const wrong = [
        "",
        "{",
        "null",
        "[]",
        JSON.stringify({ ...whole, version: 2 }),
        JSON.stringify({ ...whole, format: "other" }),
        JSON.stringify({ ...whole, runs: [{}] }),
        JSON.stringify({ ...whole, runs: [{ ...whole.runs[0], status: "great" }] })
      ]
      for (const text of wrong) {
        assert.strictEqual((yield* Effect.flip(EvaluationReport.fromJson(text)))._tag, "SchemaError")
      }
    }))

  it("knows how likely any of some runs passes, and all of them", () => {
    const three = EvaluationReport.make("shop", [run("a", 1, 1), run("a", 2, 0), run("a", 3, 1)])
    assert.approximately(EvaluationReport.passAny(three, 1), 2 / 3, 1e-9)
    assert.strictEqual(EvaluationReport.passAny(three, 2), 1)
    assert.approximately(EvaluationReport.passAll(three, 2), 1 / 3, 1e-9)
    assert.throws(() => EvaluationReport.passAll(three, 4), RangeError)
  })

  it.effect("fails a check with what misses its threshold", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        EvaluationReport.check(report, { passRate: 0.75, scores: { answer: 0.5, other: 1 } })
      )
      assert.strictEqual(
        error.message,
        "the evaluation 'shop & co' misses its thresholds: pass rate is 0.5, at least 0.75; other is nowhere, at least 1"
      )
      // three runs were measured, with 0.67 on the whole, and one ended in an error
      yield* EvaluationReport.check(report, { scores: { answer: 0.5 } })
      const below = yield* Effect.flip(EvaluationReport.check(report, { scores: { answer: 0.51 } }))
      assert.deepStrictEqual(below.missed, [{ what: "answer", least: 0.51, actual: 0.5 }])
      for (const none of [undefined, {}, { scores: {} }]) {
        assert.strictEqual((yield* Effect.flip(EvaluationReport.check(report, none))).missed[0].what, "pass rate")
      }
      const { missed } = yield* Effect.flip(EvaluationReport.check(report, { passRate: Number.NaN }))
      assert.deepStrictEqual(missed, [{ what: "pass rate", least: Number.NaN, actual: 0.5 }])
    }))
})
