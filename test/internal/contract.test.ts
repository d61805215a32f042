import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Reducer, State, Tool } from "tenon"
import {
  accessOf,
  ApprovalAnnotation,
  contractIn,
  type ContractValue,
  formerNames,
  mergeContracts,
  readOnly,
  sectionsOf,
  toolContract
} from "../../src/internal/contract.ts"

const Stock = State.make("stock", {
  sold: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  items: State.record(Schema.String, Schema.Int)
})
const parameters = Schema.Struct({ item: Schema.String, other: Schema.String })
const { sold, items } = Stock

const accessIn = (contract: ContractValue, given?: unknown) =>
  [...accessOf(contract, given)].map(([name, { entry, mode }]) => [name, mode, entry])
const contractWith = (options: { readonly exclusive?: boolean | string }): ContractValue => ({
  ...toolContract(Tool.make("t", {})),
  exclusive: false,
  ...options
})

describe("internal/contract", () => {
  describe("accessOf", () => {
    it.each([
      [Tool.make("t", { reads: [sold] }), "read"],
      [Tool.make("t", { combines: [sold] }), "combine"],
      [Tool.make("t", { writes: [sold] }), "write"],
      [Tool.make("t", { reads: [sold], combines: [sold] }), "write"],
      [Tool.make("t", { reads: [sold], writes: [sold] }), "write"],
      [Tool.make("t", { writes: [sold], combines: [sold] }), "write"],
      [Tool.make("t", { reads: [sold, sold] }), "read"],
      [Tool.make("t", { combines: [sold, sold] }), "combine"]
    ] as ReadonlyArray<readonly [Parameters<typeof toolContract>[0], string]>)(
      "allows the strongest mode that is declared (%#)",
      (tool, mode) => {
        assert.deepStrictEqual(accessIn(toolContract(tool)), [["stock.sold", mode, undefined]])
      }
    )

    it("is for the one entry that a parameter names, and for all where two do not agree", () => {
      const given = { item: "tea", other: "milk" }
      const one = toolContract(Tool.make("t", { parameters, writes: [items.at("item")] }))
      assert.deepStrictEqual(accessIn(one, given), [["stock.items", "write", "tea"]])
      assert.deepStrictEqual(accessIn(one), [["stock.items", "write", "undefined"]])
      const twice = toolContract(Tool.make("t", { parameters, reads: [items.at("item")], writes: [items.at("item")] }))
      assert.deepStrictEqual(accessIn(twice, given), [["stock.items", "write", "tea"]])
      const two = toolContract(Tool.make("t", { parameters, reads: [items.at("other")], writes: [items.at("item")] }))
      assert.deepStrictEqual(accessIn(two, given), [["stock.items", "write", undefined]])
    })

    it("may only be read, where it may be read at all", () => {
      const contract = toolContract(Tool.make("t", { combines: [sold], writes: [items] }))
      const read = readOnly(accessOf(contract))
      assert.deepStrictEqual([...read].map(([name, { mode }]) => [name, mode]), [["stock.items", "read"]])
      assert.strictEqual(read.get("stock.items")?.field, contract.touches[0]?.field)
    })
  })

  describe("mergeContracts", () => {
    it.each([
      [[], false],
      [[false], false],
      [[false, "press"], "press"],
      [["press", false], "press"],
      [["press", "press"], "press"],
      [["press", "lathe"], true],
      [["press", true], true],
      [[true, "press"], true],
      [[true, false], true],
      [["press", "lathe", false], true]
    ] as ReadonlyArray<readonly [ReadonlyArray<boolean | string>, boolean | string]>)(
      "is as exclusive as all of them together: %j is %j",
      (all, expected) => {
        assert.strictEqual(mergeContracts(all.map((exclusive) => contractWith({ exclusive }))).exclusive, expected)
      }
    )

    it("holds what they touch once", () => {
      const one = toolContract(Tool.make("t", { reads: [sold], writes: [items] }))
      const both = mergeContracts([one, one])
      assert.deepStrictEqual(both.touches, one.touches)
      assert.deepStrictEqual(sectionsOf(both).map(({ name }) => name), ["stock"])
    })
  })

  it("knows of a tool that declares nothing that it touches nothing, asks nobody, and was never called otherwise", () => {
    const tool = Tool.make("t", {})
    assert.deepStrictEqual(contractIn(tool), { requires: [], touches: [], asks: [], exclusive: false })
    assert.deepStrictEqual(formerNames(tool), [])
    assert.deepStrictEqual(formerNames(Tool.make("t", { formerly: ["old"] })), ["old"])
    assert.isFalse(ApprovalAnnotation.defaultValue())
  })
})
