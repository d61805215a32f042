import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  decodeJson,
  deepest,
  deepestDocument,
  encodeJson,
  isKept,
  isTooDeep,
  jsonCodec,
  parseJson
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
})
