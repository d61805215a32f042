import { assert, describe, it } from "@effect/vitest"
import { Precedence } from "tenon"
import { rows } from "./tables/precedence.ts"

/** The own properties, whatever they are called. */
const entries = (record: object) => new Map(Object.entries(record))

describe("Precedence", () => {
  describe("override", () => {
    for (const { name, over, result, under } of rows) {
      it(`row: ${name}`, () => {
        const view = Precedence.override(under, over)
        assert.deepStrictEqual(entries(view), entries(result))
      })
    }

    it("leaves both sources as they are", () => {
      const under = { state: "mine", tenant: "acme" }
      const over = { state: 1 }
      Precedence.override(under, over)
      assert.deepStrictEqual(under, { state: "mine", tenant: "acme" })
      assert.deepStrictEqual(over, { state: 1 })
    })

    it("gives a view that nobody can change, and the values themselves", () => {
      const plan = { limits: [1] }
      const view = Precedence.override({ plan }, {})
      assert.isTrue(Object.isFrozen(view))
      assert.strictEqual(view.plan, plan)
    })

    it("does not look at what a source inherits", () => {
      const inherited = Object.create({ tenant: "theirs" }) as { readonly tenant: string }
      assert.deepStrictEqual(Object.keys(Precedence.override(inherited, {})), [])
    })
  })

  describe("names", () => {
    it("knows the internal keys", () => {
      for (const name of ["state", "parentTools", "parentMiddleware", "toolContext", "toolCall"]) {
        assert.isTrue(Precedence.isInternalKey(name))
        assert.isTrue(Precedence.isReserved(name))
      }
    })

    it("knows what a group of keys is called by", () => {
      for (const name of ["layer", "layerUnknown"]) {
        assert.isFalse(Precedence.isInternalKey(name))
        assert.isTrue(Precedence.isReserved(name))
      }
    })

    it("takes every other name, those of every object included", () => {
      for (const name of ["tenant", "State", "", "__proto__", "constructor", "toString", "hasOwnProperty"]) {
        assert.isFalse(Precedence.isInternalKey(name))
        assert.isFalse(Precedence.isReserved(name))
      }
    })
  })
})
