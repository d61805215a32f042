import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Trajectory } from "tenon/testing"

const Calls = Schema.Array(
  Schema.Struct({ tool: Schema.Literals(["a", "b"]), parameters: Schema.Struct({ id: Schema.Literals([1, 2]) }) })
)
const measures = ["exact", "inOrder", "anyOrder", "subset", "precision", "recall", "f1"] as const

describe("Trajectory", () => {
  describe("score", () => {
    it.prop("is from 0 to 1", { one: Calls, other: Calls }, ({ one, other }) => {
      for (const measure of measures) {
        const score = Trajectory.score(one, other, measure)
        assert.isTrue(score >= 0 && score <= 1)
      }
    })

    it.prop("is 1 for the expected calls themselves", { calls: Calls }, ({ calls }) => {
      for (const measure of measures) assert.strictEqual(Trajectory.score(calls, calls, measure), 1)
    })

    it.prop("takes no account of the order where it should not", { one: Calls, other: Calls }, ({ one, other }) => {
      for (const measure of ["anyOrder", "subset", "precision", "recall", "f1"] as const) {
        assert.strictEqual(
          Trajectory.score(one, other, measure),
          Trajectory.score(one.toReversed(), other.toReversed(), measure)
        )
        assert.strictEqual(Trajectory.score(one, other, measure), Trajectory.score(one, other.toReversed(), measure))
      }
    })

    it.prop(
      "never falls for a subset when a call is left out, or more are expected",
      { one: Calls, other: Calls },
      ({ one, other }) => {
        const score = Trajectory.score(one, other, "subset")
        assert.isTrue(Trajectory.score(one, other.slice(1), "subset") >= score)
        assert.isTrue(Trajectory.score([...one, ...other], other, "subset") >= score)
      }
    )

    it.prop("agrees with itself: exact is in order, in order is in any order, and that is a full recall", {
      one: Calls,
      other: Calls
    }, ({ one, other }) => {
      const score = (measure: Trajectory.Measure) => Trajectory.score(one, other, measure)
      assert.isTrue(score("exact") <= score("inOrder") && score("inOrder") <= score("anyOrder"))
      assert.strictEqual(score("anyOrder"), Number(score("recall") === 1))
      assert.strictEqual(score("subset"), Number(score("precision") === 1))
    })

    it("gives a call to the expectation that fits no other", () => {
      const actual = [{ tool: "a", parameters: { id: 1 } }, { tool: "a", parameters: { id: 2 } }]
      const expected = [Trajectory.call("a"), Trajectory.call("a", { id: 1 })]
      assert.strictEqual(Trajectory.score(expected, actual, "anyOrder"), 1)
      assert.strictEqual(Trajectory.score([Trajectory.call("a", () => false)], actual, "recall"), 0)
    })
  })
})
