import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, DateTime, Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { deepFreeze, freezeOwned, freezeRead, isShareable } from "../../src/internal/freeze.ts"

/** Is a value frozen at every depth? */
const isFrozenAll = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozenAll))

/** Does a change in place fail, whatever the types say? */
const refuses = (change: () => unknown): boolean => Result.isFailure(Result.try(change))

class Account {
  readonly tags = ["a"]
}

describe("internal/freeze", () => {
  describe("deepFreeze", () => {
    it.effect.prop("copies JSON into what nobody can change, and leaves the original alone", {
      json: Arbitrary.schema(Schema.Json)
    }, ({ json }) =>
      Effect.sync(() => {
        const before = JSON.stringify(json)
        const copy = deepFreeze(json)
        assert.deepStrictEqual(copy, json)
        assert.isTrue(isFrozenAll(copy) && isShareable(copy))
        assert.isFalse(typeof json === "object" && json !== null && Object.isFrozen(json))
        assert.strictEqual(JSON.stringify(json), before)
        assert.strictEqual(deepFreeze(copy), copy)
      }))

    it("keeps what is frozen already, also inside of what is not", () => {
      const inner = deepFreeze({ a: [1] })
      assert.strictEqual(deepFreeze({ inner }).inner, inner)
    })

    it("copies dates, maps and sets, whose own methods refuse", () => {
      const date = new Date(5)
      const map = new Map([["k", { n: 1 }]])
      const set = new Set([{ n: 1 }])
      const copy = deepFreeze({ date, map, set })
      assert.deepStrictEqual([copy.date.getTime(), copy.map.get("k"), copy.set.size], [5, { n: 1 }, 1])
      assert.isTrue(refuses(() => copy.date.setTime(6)))
      assert.isTrue(refuses(() => copy.map.set("l", { n: 2 })) && refuses(() => copy.map.delete("k")))
      assert.isTrue(refuses(() => copy.set.clear()))
      assert.isTrue(Object.isFrozen(copy.map.get("k")) && Object.isFrozen([...copy.set][0]))
      date.setTime(7)
      map.clear()
      assert.deepStrictEqual([copy.date.getTime(), copy.map.size], [5, 1])
    })

    it("goes into options and results", () => {
      const copy = deepFreeze([Option.some({ a: [1] }), Result.fail({ b: [2] })] as const)
      assert.isTrue(isFrozenAll(Option.getOrThrow(copy[0])))
      assert.isTrue(isFrozenAll(Result.merge(copy[1])))
    })

    it("keeps symbols, hidden properties and an own `__proto__`", () => {
      const key = Symbol("key")
      const given = Object.defineProperty({ [key]: { a: 1 } }, "hidden", { value: { b: 2 }, enumerable: false })
      Object.defineProperty(given, "__proto__", { value: { c: 3 }, enumerable: true })
      const copy = deepFreeze(given)
      assert.deepStrictEqual(Reflect.ownKeys(copy), ["hidden", "__proto__", key])
      assert.deepStrictEqual(Object.keys(copy), ["__proto__"])
      assert.strictEqual(Object.getPrototypeOf(copy), Object.prototype)
    })

    it("leaves Effect's values and instances of other classes as they are", () => {
      for (
        const value of [
          Duration.seconds(1),
          DateTime.makeUnsafe(0),
          BigDecimal.fromNumberUnsafe(1.5),
          Redacted.make("x"),
          new Account()
        ]
      ) {
        assert.strictEqual(deepFreeze(value), value)
        assert.isFalse(isShareable(value))
      }
    })
  })

  describe("freezeRead", () => {
    it("freezes lists and plain objects where they stand, and no other", () => {
      const read = { a: [{ b: 1 }], at: new Date(0) }
      assert.strictEqual(freezeRead(read), read)
      assert.isTrue(Object.isFrozen(read) && Object.isFrozen(read.a) && Object.isFrozen(read.a[0]))
      assert.isFalse(Object.isFrozen(read.at))
    })
  })

  describe("freezeOwned", () => {
    it("freezes an instance of a class where it stands, all through", () => {
      const account = new Account()
      assert.strictEqual(freezeOwned(account), account)
      assert.isTrue(isFrozenAll(account))
    })

    it("leaves bytes and Effect's values usable", () => {
      const held = freezeOwned({ bytes: new Uint8Array([1]), wait: Duration.seconds(1), at: DateTime.makeUnsafe(0) })
      assert.deepStrictEqual([held.bytes[0], Duration.toMillis(held.wait), DateTime.toEpochMillis(held.at)], [
        1,
        1000,
        0
      ])
      assert.isTrue(Object.isFrozen(held))
    })

    it("comes to an end where a value holds itself", () => {
      const ring: { self?: object } = {}
      ring.self = ring
      assert.isTrue(Object.isFrozen(freezeOwned(ring)))
    })
  })
})
