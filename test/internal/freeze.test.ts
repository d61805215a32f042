import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, DateTime, Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import { deepFreeze, freezeMade, freezeOwned, freezeRead, isShareable } from "../../src/internal/freeze.ts"

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

  describe("a copy of a date, a map or a set", () => {
    const copies = deepFreeze({ date: new Date(5), map: new Map([[{ k: 1 }, 1]]), set: new Set([1]) })
    const why = (kind: string) => `this ${kind} is read-only: it was supplied to a tool or read from State`

    it.each([
      ["date", () => copies.date.setTime(6)],
      ["date", () => copies.date.setUTCFullYear(2000)],
      ["map", () => copies.map.set({ k: 1 }, 2)],
      ["map", () => copies.map.delete({ k: 1 })],
      ["map", () => copies.map.clear()],
      ["set", () => copies.set.add(2)],
      ["set", () => copies.set.delete(1)],
      ["set", () => copies.set.clear()]
    ] as ReadonlyArray<readonly [string, () => unknown]>)("says why it refuses, as a %s", (kind, change) => {
      assert.throws(change, TypeError, why(kind))
    })

    it("shows no more than the original", () => {
      assert.deepStrictEqual([copies.date, copies.map, copies.set].map((copy) => Object.keys(copy)), [[], [], []])
      assert.isFalse("add" in copies.map)
      assert.isTrue(Object.isFrozen([...copies.map.keys()][0]))
    })
  })

  describe("isShareable", () => {
    const account = new Account()
    const frozen = deepFreeze({ a: 1 })

    it.each([
      null,
      1,
      "text",
      undefined,
      deepFreeze([1]),
      deepFreeze(new Date(0)),
      deepFreeze(new Map([[{ k: 1 }, { v: 1 }]])),
      deepFreeze(new Set([{ v: 1 }])),
      deepFreeze([Option.some({ v: 1 }), Option.none(), Result.succeed({ v: 1 })]),
      deepFreeze({ deep: [{ set: new Set([frozen]) }] })
    ].map((value) => [value]))("is so of a copy that cannot change anywhere: case %#", (value) => {
      assert.isTrue(isShareable(value))
    })

    it.each([
      account,
      [frozen],
      new Date(0),
      Object.freeze({ a: 1 }),
      deepFreeze([account]),
      deepFreeze({ deep: { account } }),
      deepFreeze(new Set([account])),
      deepFreeze(new Map<object, unknown>([[account, 1]])),
      deepFreeze(new Map<string, unknown>([["k", account]])),
      deepFreeze(new Map<string, unknown>([["j", 1], ["k", account]])),
      deepFreeze([Option.some(account)]),
      deepFreeze([Result.fail(account)])
    ].map((value) => [value]))("is not so where something can change: case %#", (value) => {
      assert.isFalse(isShareable(value))
    })
  })

  describe("freezeMade", () => {
    const made = (options: object) =>
      Prompt.assistantMessage({ content: [Prompt.textPart({ text: "Hello", options } as never)] })

    it("freezes a message that was just made where it stands, with its parts", () => {
      const message = made({})
      assert.strictEqual(freezeMade(message), message)
      const [part] = message.content
      assert.isTrue([message, message.content, part, message.options, part?.options].every(Object.isFrozen))
      assert.strictEqual(Object.getPrototypeOf(message), Object.getPrototypeOf(made({})))
    })

    it("copies what its parts hold of others, once", () => {
      const options = { provider: { cache: [1] } }
      const message = freezeMade(made(options))
      const held = message.content[0]?.options
      assert.deepStrictEqual(held, options)
      assert.notStrictEqual(held, options)
      assert.isFalse(Object.isFrozen(options) || Object.isFrozen(options.provider.cache))
      assert.isTrue(isFrozenAll(held))
      const again = freezeMade(made(held as object))
      assert.strictEqual(again.content[0]?.options, held)
    })

    it("takes a text, and what is not there, as they are", () => {
      const message = freezeMade(Prompt.systemMessage({ content: "Be kind." }))
      assert.strictEqual(message.content, "Be kind.")
      assert.isTrue(Object.isFrozen(message) && Object.isFrozen(message.options))
      assert.deepStrictEqual(freezeMade({ content: "", nothing: null, when: new Date(0) }), {
        content: "",
        nothing: null,
        when: new Date(0)
      })
    })
  })

  describe("freezeRead", () => {
    it("freezes lists and plain objects where they stand, and no other", () => {
      const read = { a: [{ b: 1 }], at: new Date(0) }
      assert.strictEqual(freezeRead(read), read)
      assert.isTrue(Object.isFrozen(read) && Object.isFrozen(read.a) && Object.isFrozen(read.a[0]))
      assert.isFalse(Object.isFrozen(read.at))
    })

    it("takes what is no object, or frozen already, as it is", () => {
      for (const value of [null, undefined, 1, "text"]) assert.strictEqual(freezeRead(value), value)
      const inner = [1]
      const outer = Object.freeze({ inner })
      assert.strictEqual(freezeRead(outer), outer)
      // who froze it knows what it holds
      assert.isFalse(Object.isFrozen(inner))
      assert.deepStrictEqual(freezeRead({ none: null, deep: [null] }), { none: null, deep: [null] })
    })
  })

  describe("freezeOwned", () => {
    it("freezes an instance of a class where it stands, all through", () => {
      const account = new Account()
      assert.strictEqual(freezeOwned(account), account)
      assert.isTrue(isFrozenAll(account))
    })

    it("goes into options, results, maps and sets", () => {
      const [some, failed, key, value, member] = Array.from({ length: 5 }, () => new Account())
      freezeOwned({
        some: Option.some(some),
        none: Option.none(),
        failed: Result.fail(failed),
        map: new Map([[key, value]]),
        set: new Set([member]),
        nothing: null
      })
      assert.isTrue([some, failed, key, value, member].every(isFrozenAll))
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
