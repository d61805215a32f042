import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  byKey,
  canonical,
  decodeJson,
  deepest,
  deepestDocument,
  digest,
  encodeJson,
  inWords,
  isKept,
  isTooDeep,
  jsonCodec,
  parseJson,
  shallow
} from "../../src/internal/json.ts"

/** So many lists and objects, one in another. */
const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

describe("internal/json", () => {
  it("tells what is too deep, whatever its size", () => {
    assert.deepStrictEqual([0, 1, deepest, deepest + 1, 200_000].map((levels) => isTooDeep(nested(levels))), [
      false,
      false,
      false,
      true,
      true
    ])
    assert.isFalse(isTooDeep(Array.from({ length: 10_000 }, () => [1])))
  })

  it("comes to an end where a value holds itself, or one part again and again", () => {
    const ring: Array<unknown> = []
    ring.push(ring, ring)
    assert.isTrue(isTooDeep(ring))
    let shared: unknown = 1
    for (let level = 0; level < 100; level++) shared = [shared, shared, shared]
    assert.isFalse(isTooDeep(shared))
  })

  it("keeps JSON alone", () => {
    assert.isTrue(isKept({ a: [1, "b", null] }))
    for (const value of [JSON.parse("1e400"), Number.NaN, undefined, [undefined], new Date(0), nested(deepest + 1)]) {
      assert.isFalse(isKept(value))
    }
  })

  it("reads and writes what can be read again, also by a schema that holds itself", () => {
    // an interface is not known to be JSON
    // oxlint-disable-next-line consistent-type-definitions
    type Tree = { readonly children: ReadonlyArray<Tree> }
    const Tree = Schema.Struct({ children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)) })
    const treeOf = (levels: number): Tree => {
      let tree: Tree = { children: [] }
      for (let level = 1; level < levels; level++) tree = { children: [tree] }
      return tree
    }
    const [decode, encode] = [decodeJson(Tree), encodeJson(jsonCodec(Tree))]
    // a node has two levels
    for (const levels of [1, deepest / 2]) {
      assert.isTrue(Result.isSuccess(decode(treeOf(levels))) && Result.isSuccess(encode(treeOf(levels))))
    }
    for (const levels of [deepest / 2 + 1, 50_000]) {
      const problems = [decode(treeOf(levels)), encode(treeOf(levels))].map((each) =>
        Result.isFailure(each) ? each.failure.message : ""
      )
      assert.deepStrictEqual(problems, Array(2).fill(`it is nested more than ${deepest} levels deep`))
    }
  })

  it("reads a text without a word of it in what goes wrong", () => {
    const text = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    assert.deepStrictEqual(parseJson("{\"a\":1}"), Result.succeed({ a: 1 }))
    assert.deepStrictEqual(parseJson("{secret"), Result.fail("it is no JSON"))
    assert.isTrue(Result.isSuccess(parseJson(text(deepest))))
    assert.deepStrictEqual(parseJson(text(deepest + 1)), Result.fail("it is nested more than 500 levels deep"))
    assert.isTrue(Result.isSuccess(parseJson(text(deepestDocument), deepestDocument)))
    assert.deepStrictEqual(
      parseJson(text(20_000), deepestDocument),
      Result.fail("it is nested more than 1000 levels deep")
    )
  })

  describe("isTooDeep", () => {
    const wide = (inner: unknown) => [...Array.from({ length: 200 }, () => ({ a: null })), inner]

    it.each([
      [1, 0, false],
      [null, 0, false],
      [[], 0, true],
      [[1], 1, false],
      [[[]], 1, true],
      [[new Uint8Array(200)], 1, false],
      [wide(nested(3)), 4, false],
      [wide(nested(4)), 4, true],
      [wide(nested(8)), 9, false],
      [wide(nested(9)), 9, true],
      [wide(new Uint8Array(3)), 2, false],
      [wide(null), 2, false],
      [wide(null), 1, true]
    ] as ReadonlyArray<readonly [unknown, number, boolean]>)("counts levels, of few parts and of many (%#)", (
      value,
      levels,
      expected
    ) => {
      assert.strictEqual(isTooDeep(value, levels), expected)
      assert.strictEqual(Result.isFailure(shallow(value, levels)), expected)
    })
  })

  describe("parseJson", () => {
    it.each([
      ["[1]", 1],
      ["[[1]]", 2],
      [`{"a":{"b":[]}}`, 3]
    ])("reads a text as deep as it may be: %s", (text, levels) => {
      assert.deepStrictEqual(parseJson(text, levels), Result.succeed(JSON.parse(text)))
      assert.deepStrictEqual(
        parseJson(text, levels - 1),
        Result.fail(`it is nested more than ${levels - 1} levels deep`)
      )
    })

    it("reads what is long and not deep", () => {
      const text = JSON.stringify(Array.from({ length: 2_000 }, () => ["a"]))
      assert.deepStrictEqual(parseJson(text), Result.succeed(JSON.parse(text)))
      assert.deepStrictEqual(parseJson(`${text}]`), Result.fail("it is no JSON"))
    })

    it("repeats nothing of what is no JSON", () => {
      assert.deepStrictEqual(parseJson("secret"), Result.fail("it is no JSON"))
    })
  })

  it("writes what is not JSON yet, and refuses what comes out too deep", () => {
    const encode = encodeJson(jsonCodec(Schema.Struct({ at: Schema.Date, more: Schema.Json })))
    assert.deepStrictEqual(
      encode({ at: new Date(0), more: 1 }),
      Result.succeed({ at: new Date(0).toISOString(), more: 1 })
    )
    assert.isTrue(Result.isFailure(encode({ at: new Date(0), more: nested(deepest) })))
    assert.isTrue(Result.isFailure(encode({ at: "never", more: 1 })))
  })

  it("has one text for equal values", () => {
    const keys = (...names: ReadonlyArray<string>) =>
      names.map((name) => [name, 0] as const).sort(byKey).map(([a]) => a)
    assert.deepStrictEqual(keys("b", "a", "c", "a"), ["a", "a", "b", "c"])
    assert.deepStrictEqual([byKey(["a", 0], ["a", 1]), byKey(["b", 0], ["a", 0]), byKey(["a", 0], ["b", 0])], [
      0,
      1,
      -1
    ])
    assert.strictEqual(
      canonical({ b: [{ d: null, c: 1 }], a: "x", "": true }),
      `{"":true,"a":"x","b":[{"c":1,"d":null}]}`
    )
    assert.strictEqual(canonical([2, 1]), "[2,1]")
    assert.strictEqual(canonical(null), "null")
  })

  it("says a text as it is, and the rest as JSON", () => {
    assert.deepStrictEqual([inWords("a"), inWords(["a"]), inWords(null)], ["a", `["a"]`, "null"])
  })

  it("digests a text to eight digits, which change with it", () => {
    const digests = Array.from({ length: 2_000 }, (_, index) => digest(`text ${index}`))
    for (const each of digests) assert.match(each, /^[0-9a-f]{8}$/)
    assert.isTrue(digests.some((each) => each.startsWith("0")))
    assert.isAbove(new Set(digests).size, 1_990)
    assert.strictEqual(digest("text 1"), digests[1])
  })
})
