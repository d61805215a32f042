import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { differsUnseen, type Misfit, misfitOf, shapeOf, shapeOfJson } from "../../src/internal/shape.ts"

const s = { type: "string" }
const n = { type: "number" }
const i = { type: "integer" }
const obj = (properties: object, required: ReadonlyArray<string> = [], more: object = {}) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
  ...more
})

const told = (fit: Misfit | undefined): string =>
  fit === undefined
    ? "fits"
    : `${fit.path.length === 0 ? "" : `${fit.path.join(".")}: `}${fit.problem}${fit.isCertain ? "" : ", perhaps"}`

type Row = readonly [value: object, wanted: object]
type Misfitting = readonly [told: string, value: object, wanted: object]

const fitting: ReadonlyArray<Row> = [
  [s, s],
  [i, n],
  [s, {}],
  [{ type: "null" }, { type: "null", title: "x" }],
  [{ ...s, title: "a", description: "b" }, {
    ...s,
    $comment: "c",
    default: "",
    examples: ["x"],
    deprecated: true,
    readOnly: true,
    writeOnly: true,
    contentEncoding: "base64",
    contentMediaType: "a/b",
    contentSchema: {}
  }],
  [{ ...n, minimum: 3 }, { ...n, minimum: 2 }],
  [{ ...n, minimum: 3 }, { ...n, minimum: 3, title: "t" }],
  [{ ...n, maximum: 3 }, { ...n, maximum: 4 }],
  [{ ...n, exclusiveMinimum: 3 }, { ...n, exclusiveMinimum: 2 }],
  [{ ...n, exclusiveMaximum: 3 }, { ...n, exclusiveMaximum: 4 }],
  [{ ...s, minLength: 3 }, { ...s, minLength: 2 }],
  [s, { ...s, minLength: 0 }],
  [{ ...s, maxLength: 3 }, { ...s, maxLength: 4 }],
  [{ type: "array", items: s, minItems: 2 }, { type: "array", items: s, minItems: 1 }],
  [{ type: "array", items: s }, { type: "array", items: s, minItems: 0 }],
  [{ type: "array", items: s, maxItems: 2 }, { type: "array", items: s, maxItems: 3 }],
  [{ type: "object", minProperties: 2 }, { type: "object", minProperties: 1 }],
  [{ type: "object" }, { type: "object", minProperties: 0 }],
  [{ type: "object", maxProperties: 2 }, { type: "object", maxProperties: 3 }],
  [{ ...s, pattern: "a" }, { ...s, pattern: "a", title: "" }],
  [{ ...s, pattern: "a" }, s],
  [{ ...s, expected: "a url" }, s],
  [s, { ...s, expected: "JSON value" }],
  [{ ...s, maxLength: 2, expected: "short" }, { ...s, expected: "long" }],
  [{ const: "a" }, s],
  [{ const: "a" }, { enum: ["a", "b"] }],
  [{ enum: ["a"] }, { const: "a" }],
  [{ const: 1 }, i],
  [{ const: 1.5 }, n],
  [{ const: null }, { type: "null" }],
  [{ const: [1] }, { type: "array" }],
  [{ const: { a: 1 } }, { type: "object" }],
  [{ const: true }, { type: "boolean" }],
  [{ type: "string", enum: ["a", "b"] }, s],
  [{ anyOf: [s, n] }, { anyOf: [n, s, { type: "null" }] }],
  [s, { anyOf: [s, n] }],
  [s, { type: ["string", "null"] }],
  [{ anyOf: [s], minLength: 2 }, { ...s, minLength: 1 }],
  [{ anyOf: [{ ...s, minLength: 1 }], minLength: 3 }, { ...s, minLength: 2 }],
  [{ anyOf: [] }, s],
  [{ not: {} }, s],
  [{ not: { type: "null" } }, { type: "object" }],
  [{ type: "object" }, { not: { type: "null" } }],
  [{ $ref: "#/$defs/A", $defs: { A: s } }, s],
  [{ $ref: "#/definitions/A", $defs: { A: s } }, s],
  [{ $ref: "#/$defs/A", minLength: 3, $defs: { A: { ...s, minLength: 1 } } }, { ...s, minLength: 2 }],
  [{ $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: s } }, s],
  [{ $ref: "#/$defs/L", $defs: { L: obj({ next: { $ref: "#/$defs/L" }, v: i }) } }, {
    $ref: "#/$defs/L",
    $defs: { L: obj({ next: { $ref: "#/$defs/L" }, v: n }) }
  }],
  [{ allOf: [s, { minLength: 3 }] }, { ...s, minLength: 2 }],
  [{ allOf: [{ ...s, minLength: 1 }, { minLength: 3 }] }, { ...s, minLength: 2 }],
  [{ ...s, minLength: 5, allOf: [{ minLength: 3 }] }, { ...s, minLength: 4 }],
  [{ ...s, allOf: [{ expected: "x" }, { expected: "y" }] }, { ...s, expected: "x; y" }],
  [{ allOf: [{ ...s, pattern: "a" }, { pattern: "b" }], title: "1" }, {
    allOf: [{ ...s, pattern: "a" }, { pattern: "b" }],
    title: "2"
  }],
  [obj({ a: s }, ["a"]), obj({ a: s }, ["a"], { title: "x" })],
  [obj({ a: s }, ["a"]), obj({ a: s })],
  [obj({}), obj({ a: s })],
  [obj({ a: s }), { type: "object", additionalProperties: s }],
  [{ type: "object", additionalProperties: s }, { type: "object", additionalProperties: s, title: "x" }],
  [{ type: "array", items: i }, { type: "array", items: n }],
  [{ type: "array", prefixItems: [s], maxItems: 1, items: n }, { type: "array", items: s }],
  [{ type: "array", items: false, prefixItems: [s] }, { type: "array", items: s }]
]

const misfitting: ReadonlyArray<Misfitting> = [
  ["string does not fit number", s, n],
  ["number does not fit integer", n, i],
  ["any value does not fit string", {}, s],
  ["'minimum' is now 3, it was 2", { ...n, minimum: 2 }, { ...n, minimum: 3 }],
  ["'maximum' is now 3, it was 4", { ...n, maximum: 4 }, { ...n, maximum: 3 }],
  ["'exclusiveMinimum' is now 3, it was 2", { ...n, exclusiveMinimum: 2 }, { ...n, exclusiveMinimum: 3 }],
  ["'exclusiveMaximum' is now 3, it was 4", { ...n, exclusiveMaximum: 4 }, { ...n, exclusiveMaximum: 3 }],
  ["'minLength' is now 3, it was 2", { ...s, minLength: 2 }, { ...s, minLength: 3 }],
  ["'minLength' is now 1", s, { ...s, minLength: 1 }],
  ["'maxLength' is now 3, it was 4", { ...s, maxLength: 4 }, { ...s, maxLength: 3 }],
  ["'maxLength' is now 3", s, { ...s, maxLength: 3 }],
  ["'minItems' is now 2, it was 1", { type: "array", items: s, minItems: 1 }, { type: "array", items: s, minItems: 2 }],
  ["'maxItems' is now 2, it was 3", { type: "array", items: s, maxItems: 3 }, { type: "array", items: s, maxItems: 2 }],
  ["'minProperties' is now 2, it was 1", { type: "object", minProperties: 1 }, { type: "object", minProperties: 2 }],
  ["'maxProperties' is now 2, it was 3", { type: "object", maxProperties: 3 }, { type: "object", maxProperties: 2 }],
  ["'pattern' changed, perhaps", { ...s, pattern: "a" }, { ...s, pattern: "b" }],
  ["'pattern' changed, perhaps", s, { ...s, pattern: "b" }],
  ["'minLength' is now 3, it was 2, perhaps", { ...s, minLength: "2" }, { ...s, minLength: 3 }],
  ["'multipleOf' changed, perhaps", { ...n, multipleOf: 2 }, { ...n, multipleOf: 3 }],
  ["it must now be a url, perhaps", { ...s, expected: "an email" }, { ...s, expected: "a url" }],
  ["it must now be a url, perhaps", s, { ...s, expected: "a url" }],
  ["'minLength' is now 3, it was 2", { ...s, minLength: 2, expected: "a" }, { ...s, minLength: 3, expected: "b" }],
  ["\"c\" is not taken any more", { const: "c" }, { enum: ["a", "b"] }],
  ["\"b\" is not taken any more", { enum: ["a", "b"] }, { enum: ["a"] }],
  ["only \"a\" is taken", s, { enum: ["a"] }],
  ["only true, false is taken, perhaps", { type: "boolean" }, { enum: [true, false] }],
  ["1.5 does not fit integer", { const: 1.5 }, i],
  ["'minLength' is now 2, perhaps", { const: "abc" }, { ...s, minLength: 2 }],
  ["\"a\" does not fit number", { enum: [1, "a"] }, n],
  ["number does not fit string", { anyOf: [s, n] }, s],
  ["null is not taken any more", { type: "null" }, { anyOf: [s, n] }],
  ["number is not taken any more", { oneOf: [s, n] }, { anyOf: [s] }],
  ["null does not fit string", { type: ["string", "null"] }, s],
  ["it changed, perhaps", { anyOf: [{ ...s, pattern: "a" }], pattern: "b" }, { ...s, pattern: "b" }],
  ["*: string does not fit number", { anyOf: [n, { type: "array", items: s }] }, {
    anyOf: [{ type: "array", items: n }, n]
  }],
  ["a: string does not fit number", obj({ a: s }, ["a"]), { anyOf: [obj({ a: n }, ["a"]), s] }],
  ["object is not taken any more", obj({ a: s }, ["a"]), { anyOf: [obj({ a: n }, ["a"]), obj({ b: n }, ["b"])] }],
  ["object is not taken any more", obj({ a: s }, ["a"]), { anyOf: [n, s] }],
  ["string is not taken any more, perhaps", { ...s, pattern: "a" }, { anyOf: [{ ...s, pattern: "b" }, n] }],
  ["string does not fit object", s, { not: { type: "null" } }],
  ["string does not fit number", s, { $ref: "#/$defs/A", $defs: { A: n } }],
  ["it changed, perhaps", { $ref: "#/$defs/Z", $defs: { A: s } }, s],
  ["it changed, perhaps", { $ref: "#/$defs/toString" }, s],
  ["it changed, perhaps", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } }, s],
  ["next.v: string does not fit number", {
    $ref: "#/$defs/L",
    $defs: { L: obj({ next: { $ref: "#/$defs/L" }, v: s }) }
  }, { $ref: "#/$defs/L", $defs: { L: obj({ next: { $ref: "#/$defs/L" }, v: n }) } }],
  ["it changed, perhaps", { allOf: [{ ...s, pattern: "a" }, { pattern: "b" }] }, { ...s, pattern: "a" }],
  ["it changed, perhaps", { $ref: "#/$defs/A", pattern: "b", $defs: { A: { ...s, pattern: "a" } } }, {
    $ref: "#/$defs/A",
    pattern: "b",
    $defs: { A: { ...s, pattern: "c" } }
  }],
  ["a: it was optional, and is required", obj({ a: s }), obj({ a: s }, ["a"])],
  ["a: it is new, and required", obj({}), obj({ a: s }, ["a"])],
  ["b: it is not taken any more", obj({ a: s, b: s }), obj({ a: s })],
  ["a: string does not fit number", obj({ a: s }), obj({ a: n })],
  ["a.b: string does not fit number", obj({ a: { ...obj({ b: s }) } }), obj({ a: obj({ b: n }) })],
  ["a: string does not fit number", obj({ a: s }), { type: "object", additionalProperties: n }],
  ["*: string does not fit number", { type: "object", additionalProperties: s }, {
    type: "object",
    additionalProperties: n
  }],
  ["a record became something else", { type: "object", additionalProperties: s }, obj({ a: s })],
  ["a record became something else, perhaps", { type: "object", additionalProperties: s }, {
    type: "object",
    properties: { a: s }
  }],
  ["what its entries may be changed, perhaps", { type: "object", additionalProperties: true }, {
    type: "object",
    additionalProperties: n
  }],
  ["*: string does not fit number", { type: "array", items: s }, { type: "array", items: n }],
  ["1: number does not fit string", { type: "array", prefixItems: [s, n], maxItems: 2 }, {
    type: "array",
    prefixItems: [s, s],
    maxItems: 2
  }],
  ["*: number does not fit string", { type: "array", prefixItems: [s], items: n }, {
    type: "array",
    prefixItems: [s],
    items: s
  }],
  ["1: string does not fit number", { type: "array", items: s }, { type: "array", prefixItems: [s, n], items: s }],
  ["*: any value does not fit string", { type: "array" }, { type: "array", items: s }]
]

/** What stands there would be lost: a misfit only where it must be kept. */
const dropping: ReadonlyArray<Misfitting> = [
  ["b: it is gone: what stands there is dropped", obj({ a: s, b: s }), { type: "object", properties: { a: s } }],
  ["toString: it is gone: what stands there is dropped", obj({ toString: s }), { type: "object", properties: {} }]
]

const compared = (value: object, wanted: object, isKeeping?: boolean) =>
  told(misfitOf(shapeOfJson(value), shapeOfJson(wanted), isKeeping))

describe("internal/shape", () => {
  describe("misfitOf", () => {
    it.each(fitting)("fits: %j, %j", (value, wanted) => {
      assert.strictEqual(compared(value, wanted), "fits")
      assert.strictEqual(compared(value, wanted, false), "fits")
    })

    it.each(misfitting)("says '%s': %j, %j", (problem, value, wanted) => {
      assert.strictEqual(compared(value, wanted), problem)
      assert.strictEqual(compared(value, wanted, false), problem)
    })

    it.each(dropping)("says '%s', where it must be kept: %j, %j", (problem, value, wanted) => {
      assert.strictEqual(compared(value, wanted), problem)
      assert.strictEqual(compared(value, wanted, false), "fits")
    })
  })

  it("shows of a schema what JSON Schema can say, and the rest as a comment", () => {
    const plain = Schema.Struct({ b: Schema.Int, a: Schema.optional(Schema.String) })
    const checked = Schema.Struct({
      b: Schema.Int,
      a: Schema.optional(Schema.String.pipe(Schema.check(Schema.makeFilter((text: string) => text !== "x"))))
    })
    assert.deepStrictEqual(shapeOf(plain), shapeOf(Schema.Struct({ a: Schema.optional(Schema.String), b: Schema.Int })))
    assert.strictEqual(misfitOf(shapeOf(plain), shapeOf(plain)), undefined)
    assert.isFalse(differsUnseen(shapeOf(plain), shapeOf(plain)))
    assert.isTrue(differsUnseen(shapeOf(plain), shapeOf(checked)))
    assert.isTrue(differsUnseen(shapeOf(checked), shapeOf(plain)))
  })
})
