import { assert, describe, it } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Option, Result, Schema } from "effect"
import { Contract, Reducer, State, StateSerializer, Tool } from "tenon"
import { ToolTest } from "tenon/testing"
import { definitionOf } from "../src/internal/field.ts"

const Search = State.make("search", {
  title: State.field(Schema.String, { initial: "Untitled" }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  small: State.field(Schema.Int.check(Schema.isLessThan(10)), { initial: 0, reducer: Reducer.sum }),
  hits: State.field(Schema.Array(Schema.Struct({ id: Schema.Int })), {
    initial: [],
    reducer: Reducer.append<{ readonly id: number }>()
  }),
  tags: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.union<string>() }),
  longest: State.field(Schema.String, {
    initial: "",
    reducer: Reducer.make((a: string, b: string) => b.length > a.length ? b : a)
  }),
  wait: State.field(Schema.Duration, { initial: Duration.zero, reducer: Reducer.make(Duration.sum) }),
  last: State.optional(Schema.NullOr(Schema.String)),
  pages: State.record(Schema.String.check(Schema.isMinLength(1)), Schema.Struct({ words: Schema.Int }))
})

/** Everything of the section; the handlers below may touch all of it. */
const All = Tool.make("all", {
  writes: [
    Search.title,
    Search.count,
    Search.small,
    Search.hits,
    Search.tags,
    Search.longest,
    Search.wait,
    Search.last,
    Search.pages
  ]
})

const start = {
  "search.title": "Untitled",
  "search.count": 0,
  "search.small": 0,
  "search.hits": [],
  "search.tags": [],
  "search.longest": "",
  "search.wait": Duration.zero,
  "search.last": Option.none(),
  "search.pages": {}
} as const
const state = State.layer(All, start)

/** The message of the defect that an Effect dies with, whatever rights it would need by its type. */
const deathOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<string> =>
  Effect.map(Effect.exit(effect as unknown as Effect.Effect<A, E>), (exit) => {
    const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    return defect instanceof Error ? defect.message : "it lives"
  })

/** What the types would refuse. */
const forced = (value: unknown): never => value as never

describe("State", () => {
  describe("a field", () => {
    it.effect("gives what was written last, and its initial value after unset", () =>
      Effect.gen(function*() {
        const before = yield* Search.title.get
        yield* Search.title.set("Licences")
        yield* Search.title.update((title) => `${title}!`)
        const after = yield* Search.title.get
        yield* Search.title.unset
        assert.deepStrictEqual([before, after, yield* Search.title.get], ["Untitled", "Licences!", "Untitled"])
      }).pipe(Effect.provide(state)))

    it.effect("copies what is written: what becomes of the writer's value does not matter", () =>
      Effect.gen(function*() {
        const mine = [{ id: 1 }]
        yield* Search.hits.set(mine)
        mine.push({ id: 2 })
        assert.deepStrictEqual(yield* Search.hits.get, [{ id: 1 }])
      }).pipe(Effect.provide(state)))

    it.effect("gives the same frozen value as long as nobody writes, entries that stay included", () =>
      Effect.gen(function*() {
        yield* Search.hits.set([{ id: 1 }])
        const once = yield* Search.hits.get
        assert.strictEqual(yield* Search.hits.get, once)
        assert.isTrue(Object.isFrozen(once) && Object.isFrozen(once[0]))
        yield* Search.hits.combine({ id: 2 })
        assert.strictEqual((yield* Search.hits.get)[0], once[0])
      }).pipe(Effect.provide(state)))

    it.effect("dies of a value that does not fit, which says where but not what, and keeps its value", () =>
      Effect.gen(function*() {
        const wrong = yield* deathOf(Search.hits.set(forced([{ id: 1 }, { id: "sk-1" }])))
        assert.strictEqual(wrong, "the value written to 'search.hits.1.id' does not fit: Expected number")
        const refined = yield* deathOf(Search.small.set(10))
        assert.strictEqual(refined, "the value written to 'search.small' does not fit: Expected a value less than 10")
        assert.deepStrictEqual([yield* Search.hits.get, yield* Search.small.get], [[], 0])
      }).pipe(Effect.provide(state)))
  })

  describe("a field with a reducer", () => {
    it.effect("combines operands in their order", () =>
      Effect.gen(function*() {
        yield* Search.count.combine(2)
        yield* Search.count.combine(-5)
        yield* Search.tags.combine("b")
        yield* Search.tags.combine("a")
        yield* Search.tags.combine("b")
        yield* Search.longest.combine("abc")
        yield* Search.longest.combine("x")
        yield* Search.wait.combine(Duration.seconds(1))
        yield* Search.wait.combine(Duration.seconds(2))
        assert.deepStrictEqual(
          [yield* Search.count.get, yield* Search.tags.get, yield* Search.longest.get, yield* Search.wait.get],
          [-3, ["a", "b"], "abc", Duration.seconds(3)]
        )
      }).pipe(Effect.provide(state)))

    it.effect("dies of an operand that does not fit, and of an outcome that does not", () =>
      Effect.gen(function*() {
        yield* Search.small.combine(9)
        assert.deepStrictEqual(
          [
            yield* deathOf(Search.count.combine(0.5)),
            yield* deathOf(Search.count.combine(Number.POSITIVE_INFINITY)),
            yield* deathOf(Search.hits.combine(forced({ id: "one" }))),
            yield* deathOf(Search.small.combine(1))
          ],
          [
            "the value written to 'search.count' does not fit: Expected an integer",
            "the value written to 'search.count' does not fit: Expected an integer",
            "the value written to 'search.hits.0.id' does not fit: Expected number",
            "the value written to 'search.small' does not fit: Expected a value less than 10"
          ]
        )
        assert.deepStrictEqual([yield* Search.count.get, yield* Search.hits.get, yield* Search.small.get], [0, [], 9])
      }).pipe(Effect.provide(state)))

    it.effect("is stored as an operation where its JSON is plain, and as the outcome otherwise", () =>
      Effect.gen(function*() {
        yield* Search.count.combine(2)
        yield* Search.hits.combine({ id: 1 })
        yield* Search.tags.combine("a")
        const { operations } = yield* ToolTest.delta
        assert.deepStrictEqual(operations, [
          { op: "sum", field: "search.count", value: 2 },
          { op: "append", field: "search.hits", values: [{ id: 1 }] },
          { op: "union", field: "search.tags", values: ["a"] }
        ])
      }).pipe(Effect.provide(state)))
  })

  describe("an optional field", () => {
    it.effect("tells none, null and a value apart", () =>
      Effect.gen(function*() {
        const none = yield* Search.last.get
        yield* Search.last.set(null)
        const empty = yield* Search.last.get
        yield* Search.last.update((value) => Option.isNone(value) ? "was none" : "was there")
        const some = yield* Search.last.get
        yield* Search.last.unset
        assert.deepStrictEqual(
          [none, empty, some, yield* Search.last.get],
          [Option.none(), Option.some(null), Option.some("was there"), Option.none()]
        )
        const { operations } = yield* ToolTest.delta
        assert.deepStrictEqual(operations.at(-1), { op: "unset", field: "search.last" })
      }).pipe(Effect.provide(state)))
  })

  describe("a record", () => {
    it.effect("puts, gives and removes one entry, and its delta holds that entry alone", () =>
      Effect.gen(function*() {
        yield* Search.pages.put("a", { words: 1 })
        yield* Search.pages.put("__proto__", { words: 2 })
        const found = yield* Search.pages.entry("a")
        const odd = yield* Search.pages.entry("__proto__")
        const inherited = yield* Search.pages.entry("constructor")
        yield* Search.pages.remove("a")
        assert.deepStrictEqual(
          [found, odd, inherited, yield* Search.pages.entry("a")],
          [Option.some({ words: 1 }), Option.some({ words: 2 }), Option.none(), Option.none()]
        )
        assert.deepStrictEqual(Object.keys(yield* Search.pages.get), ["__proto__"])
        assert.deepStrictEqual((yield* ToolTest.delta).operations, [
          { op: "put", field: "search.pages", key: "a", value: { words: 1 } },
          { op: "put", field: "search.pages", key: "__proto__", value: { words: 2 } },
          { op: "remove", field: "search.pages", key: "a" }
        ])
      }).pipe(Effect.provide(state)))

    it.effect("dies of a key and of an entry that do not fit", () =>
      Effect.gen(function*() {
        assert.strictEqual(
          yield* deathOf(Search.pages.put("a", { words: 0.5 })),
          "the value written to 'search.pages.a.words' does not fit: Expected an integer"
        )
        assert.strictEqual(
          yield* deathOf(Search.pages.put("", { words: 1 })),
          "the value written to 'search.pages.' does not fit: the key does not fit its schema"
        )
        assert.deepStrictEqual(yield* Search.pages.get, {})
      }).pipe(Effect.provide(state)))

    it.effect("keeps entries that are not written by reference", () =>
      Effect.gen(function*() {
        yield* Search.pages.set({ a: { words: 1 }, b: { words: 2 } })
        const before = yield* Search.pages.get
        yield* Search.pages.put("b", { words: 3 })
        assert.strictEqual((yield* Search.pages.get)["a"], before["a"])
      }).pipe(Effect.provide(state)))
  })

  describe("the rights of a call", () => {
    const dies = <A, R>(effect: Effect.Effect<A, never, R>, tool: Parameters<typeof State.layer>[0]) =>
      deathOf(Effect.provide(effect, State.layer(tool, forced({}))))

    it.effect("are what its contract lists, and nothing else", () =>
      Effect.gen(function*() {
        const Reads = Tool.make("reads", { reads: [Search.title] })
        const Combines = Tool.make("combines", { combines: [Search.count] })
        assert.deepStrictEqual([
          yield* dies(Search.title.set("x"), Reads),
          yield* dies(Search.title.unset, Reads),
          yield* dies(Search.count.get, Reads),
          yield* dies(Search.count.get, Combines),
          yield* dies(Search.count.set(1), Combines),
          yield* dies(Search.count.combine(1), Combines)
        ], [
          "the tool under test does not declare 'search.title' under writes",
          "the tool under test does not declare 'search.title' under writes",
          "the tool under test does not declare 'search.count' under reads",
          "the tool under test does not declare 'search.count' under reads",
          "the tool under test does not declare 'search.count' under writes",
          "it lives"
        ])
      }))

    it.effect("hold for a field itself, not for another of the same name", () =>
      Effect.gen(function*() {
        const Twin = State.make("search", { title: State.field(Schema.String, { initial: "twin" }) })
        assert.strictEqual(
          yield* deathOf(Effect.provide(Twin.title.get, state)),
          "the tool under test does not declare 'search.title' under reads"
        )
      }))

    it.effect("are none outside of a call", () =>
      Effect.gen(function*() {
        assert.strictEqual(
          yield* deathOf(Search.title.get),
          "State is touched outside of a tool call or a hook: provide State.layer, or run it in an agent"
        )
      }))

    it.effect("are to write where a field is both read and combined", () =>
      Effect.gen(function*() {
        const Both = Tool.make("both", { reads: [Search.count], combines: [Search.count] })
        const twice = Effect.andThen(Search.count.combine(2), Search.count.get)
        assert.strictEqual(yield* Effect.provide(twice, State.layer(Both, { "search.count": 1 })), 3)
      }))
  })

  describe("to", () => {
    it("is the write as a value", () => {
      assert.deepStrictEqual(Search.wait.to(Duration.millis(5)).operation, {
        op: "set",
        field: "search.wait",
        value: { _tag: "Millis", value: 5 }
      })
    })

    it.each([
      [() => Search.small.to(10), "the value for 'search.small' does not fit: Expected a value less than 10"],
      [() => Search.hits.to(forced([{ id: "x" }])), "the value for 'search.hits.0.id' does not fit: Expected number"]
    ])("refuses a value that does not fit (%#)", (made, sentence) => {
      assert.deepStrictEqual(Result.try({ try: made, catch: String }), Result.fail(`TypeError: ${sentence}`))
    })
  })

  describe("make", () => {
    it("gives each field its full name", () => {
      assert.deepStrictEqual(
        Object.values(Search as unknown as Record<string, State.AnyField>).map(({ name }) => name),
        Object.keys(start)
      )
    })

    it("gives entries to records, and combine to fields with a reducer", () => {
      const names = (field: object) => Object.keys(field).filter((name) => !name.startsWith("~")).slice(1)
      const all = ["get", "set", "update", "unset", "to"]
      assert.deepStrictEqual([Search.title, Search.count, Search.last, Search.pages].map(names), [
        all,
        [...all, "combine"],
        all,
        [...all, "entry", "put", "remove", "at"]
      ])
    })

    it("lets a tool touch the entry that its parameter names", () => {
      const parameters = Schema.Struct({ page: Schema.String })
      const tool = Tool.make("edit", { parameters, writes: [Search.pages.at("page")] })
      assert.deepStrictEqual(
        Contract.of(tool).touches.map(({ field, mode, parameter }) => [field.name, mode, parameter]),
        [["search.pages", "write", "page"]]
      )
    })

    it("says whether a sub-agent starts the section anew", () => {
      const childOf = (options?: { readonly child?: "inherit" | "fresh" }) =>
        definitionOf(State.make("s", { n: State.field(Schema.Int, { initial: 0 }) }, options)).child
      assert.deepStrictEqual(
        [childOf(), childOf({}), childOf({ child: "inherit" }), childOf({ child: "fresh" })],
        ["inherit", "inherit", "inherit", "fresh"]
      )
    })

    it.each(["", "a.b"])("refuses '%s' as a name", (name) => {
      const field = State.field(Schema.Int, { initial: 0 })
      assert.throws(
        () => State.make(forced(name), { field }),
        `'${name}' cannot name a section: it must not be empty or hold a dot`
      )
      assert.throws(
        () => State.make("s", { [name]: field } as never),
        `'${name}' cannot name a field: it must not be empty or hold a dot`
      )
    })

    it.each(["toString", "constructor", "__proto__"])("takes '%s' for a name like any other", (name) => {
      const Odd = State.make(
        forced(name),
        forced({ [name]: State.field(Schema.Int, { initial: 7 }) })
      ) as unknown as Record<
        string,
        State.Field<string, number, never>
      >
      const field = Odd[name] as State.Field<string, number, never>
      const tool = Tool.make("odd", forced({ reads: [field] }))
      assert.strictEqual(field.name, `${name}.${name}`)
      const { [name]: section } = Contract.toJson(tool)["sections"] as Record<string, { readonly fields: object }>
      assert.deepStrictEqual(Object.keys(section?.fields ?? {}), [name])
      const serializer = StateSerializer.make([Odd as never])
      assert.strictEqual(serializer.initial().get(field), 7)
    })

    it("refuses an initial value that does not fit, and says where", () => {
      const items = Schema.Array(Schema.Int)
      assert.throws(
        () => State.make("s", { items: State.field(items, { initial: [1, 0.5] }) }),
        "the initial value of 's.items.1' does not fit its schema: Expected an integer"
      )
    })

    it("does not keep hold of an initial value", () => {
      const initial = [1]
      const Own = State.make("own", { items: State.field(Schema.Array(Schema.Int), { initial }) })
      initial.push(2)
      assert.deepStrictEqual(StateSerializer.make([Own]).initial().get(Own.items), [1])
    })
  })

  describe("history", () => {
    const V1 = Schema.Struct({ n: Schema.Int })

    it("starts with version 1, and goes on by one", () => {
      assert.throws(() => State.history(2 as 1, V1), "a history starts with version 1")
      assert.throws(
        () => State.history(1, V1).to(3 as 2, V1, (value) => value),
        "the next version of this history is 2, not 3"
      )
    })

    it("needs the way up from it, which needs a history", () => {
      const fields = { n: State.field(Schema.Int, { initial: 0 }) }
      const sentence = "the section 's' needs both a history and the way up from it"
      assert.throws(() => State.make("s", fields, { history: State.history(1, V1) }), sentence)
      assert.throws(() => State.make("s", fields, { up: () => ({ n: 1 }) }), sentence)
    })

    it("keeps the stored fields of a section in one scope", () => {
      assert.throws(
        () =>
          State.make("s", {
            n: State.field(Schema.Int, { initial: 0 }),
            m: State.field(Schema.Int, { initial: 0, scope: "user" })
          }, { history: State.history(1, V1), up: ({ n }) => ({ n, m: n }) }),
        "the section 's' has a history: keep its stored fields in one scope"
      )
      const mixed = State.make("s", {
        n: State.field(Schema.Int, { initial: 0 }),
        m: State.field(Schema.Int, { initial: 0, scope: "user" })
      })
      assert.deepStrictEqual([mixed.n.name, mixed.m.name], ["s.n", "s.m"])
    })

    it("names the fields that are no longer there", () => {
      const Old = Schema.Struct({ n: Schema.Int, a: Schema.Int, b: Schema.Int })
      const Own = State.make("own", { n: State.field(Schema.Int, { initial: 0 }) }, {
        history: State.history(1, Old).to(2, Schema.Struct({ b: Schema.Int, c: Schema.Int }), () => ({ b: 1, c: 1 })),
        up: ({ b }) => ({ n: b })
      })
      assert.deepStrictEqual([definitionOf(Own).formerKeys, definitionOf(Search).formerKeys], [["a", "b", "c"], []])
    })

    it.effect("brings a field up whose name every object has", () =>
      Effect.gen(function*() {
        const Odd = State.make("odd", { ["__proto__"]: State.field(Schema.Int, { initial: 0 }) }, {
          history: State.history(1, V1),
          up: ({ n }) => forced(JSON.parse(`{"__proto__":${n}}`))
        })
        const read = yield* StateSerializer.make([Odd]).deserialize({
          format: "tenon/state",
          version: 1,
          time: 0,
          sections: { odd: { version: 1, data: { n: 5 } } }
        })
        assert.strictEqual(read.get(Odd["__proto__"]), 5)
      }))
  })

  describe("layer", () => {
    it.effect("starts a tool's fields with what it is given", () =>
      Effect.gen(function*() {
        const One = Tool.make("one", { reads: [Search.last, Search.pages] })
        const layer = State.layer(One, { "search.last": Option.some("x"), "search.pages": { a: { words: 1 } } })
        const read = yield* Effect.provide(Effect.all([Search.last.get, Search.pages.entry("a")]), layer)
        assert.deepStrictEqual(read, [Option.some("x"), Option.some({ words: 1 })])
      }))

    it.effect("expects an Option for an optional field, and says so of a bare value", () =>
      Effect.gen(function*() {
        const One = Tool.make("one", { reads: [Search.last] })
        const started = (value: unknown) =>
          deathOf(Effect.provide(Search.last.get, State.layer(One, forced({ "search.last": value }))))
        const sentence = "'search.last' is optional: give an Option, Option.some(…) or Option.none(), not a bare value"
        assert.deepStrictEqual(
          yield* Effect.forEach(["x", null, undefined, Option.none(), Option.some(null)], started),
          [sentence, sentence, sentence, "it lives", "it lives"]
        )
      }))

    it("refuses what is no field of the contract, and what does not fit", () => {
      const One = Tool.make("one", { reads: [Search.small] })
      const built = (values: unknown) =>
        Result.try(() =>
          Effect.runSync(Effect.scoped(Effect.asVoid(Effect.provide(Effect.void, State.layer(One, forced(values))))))
        )
      assert.isTrue(Result.isFailure(built({ "search.small": 1, "search.title": "x" })))
      assert.isTrue(Result.isFailure(built({ "search.small": 10 })))
      assert.isTrue(Result.isSuccess(built({ "search.small": 1 })))
    })
  })
})
