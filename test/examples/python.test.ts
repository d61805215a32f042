import { assert, describe, it } from "@effect/vitest"
import { dumps, float, round2 } from "../../examples/shop/python.ts"

describe("round2", () => {
  it.each([
    [0.125, 0.12],
    [0.375, 0.38],
    [0.625, 0.62],
    [-0.125, -0.12],
    [-0.375, -0.38],
    [1234567.875, 1234567.88],
    // stored a little below, or above
    [2.675, 2.67],
    [1.005, 1],
    [1.015, 1.01],
    [1.025, 1.02],
    [41.91999999999999, 41.92],
    [0.001, 0],
    [4503599627370495.5, 4503599627370495.5],
    [1e300, 1e300]
  ])("%d is %d", (x, rounded) => {
    assert.strictEqual(round2(x), rounded)
  })

  it("keeps the sign of zero, and what is no number", () => {
    assert.isTrue(Object.is(round2(-0), -0))
    assert.isTrue(Object.is(round2(-0.001), -0))
    assert.isTrue(Number.isNaN(round2(Number.NaN)))
    assert.strictEqual(round2(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY)
  })
})

describe("float", () => {
  it.each([
    [5, "5.0"],
    [0, "0.0"],
    [-0, "-0.0"],
    [1126.04, "1126.04"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [9999999999999998, "9999999999999998.0"],
    [1e16, "1e+16"],
    [1.5e20, "1.5e+20"],
    [1e100, "1e+100"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [Number.NaN, "nan"]
  ])("%d is %s", (x, text) => {
    assert.strictEqual(float(x), text)
  })
})

describe("dumps", () => {
  it("puts a space after commas and colons, and no line break", () => {
    assert.strictEqual(dumps({ a: [1, { b: null }], c: {}, d: [] }), `{"a": [1, {"b": null}], "c": {}, "d": []}`)
  })

  it("leaves texts alone, and escapes what is not ASCII", () => {
    assert.strictEqual(dumps("a,\n  \"b\": ü\u007f😀"), String.raw`"a,\n  \"b\": \u00fc\u007f\ud83d\ude00"`)
  })
})
