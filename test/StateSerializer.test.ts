import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Duration, Effect, Inspectable, Option, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  Agent,
  type AgentError,
  AgentRunner,
  Reducer,
  SessionStore,
  State,
  StateSerializer,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

type Json = Schema.Json

/** As it comes back from a file or a wire. */
const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const deepFreeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

const envelope = (sections: Readonly<Record<string, unknown>>): unknown =>
  deepFreeze(overWire({ format: "tenon/state", version: 1, time: 0, sections }))

/** What a refused input is refused for; the input is frozen, so that a change of it would throw. */
const refusal = (serializer: StateSerializer.StateSerializer, input: unknown) =>
  Effect.map(Effect.flip(serializer.deserialize(input)), ({ _tag, section, version, path }) => ({
    _tag,
    section,
    version,
    path
  }))

// ===== round trips ===========================================================

// no interface: those have no index signature, so that State takes them for instances of classes
type Category = { readonly name: string; readonly children: ReadonlyArray<Category> }

const Category = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Category> => Category))
})

/** One field of each kind of schema that State can store. */
const Kinds = {
  string: State.optional(Schema.String),
  int: State.optional(Schema.Int),
  finite: State.optional(Schema.Finite),
  "number, infinities and NaN included": State.optional(Schema.Number),
  boolean: State.optional(Schema.Boolean),
  null: State.optional(Schema.Null),
  bigint: State.optional(Schema.BigInt),
  literals: State.optional(Schema.Literals(["a", 1, true])),
  date: State.optional(Schema.Date),
  "date-time in UTC": State.optional(Schema.DateTimeUtc),
  duration: State.optional(Schema.Duration),
  "big decimal": State.optional(Schema.BigDecimal),
  url: State.optional(Schema.URL),
  bytes: State.optional(Schema.Uint8Array),
  option: State.optional(Schema.Option(Schema.Date)),
  result: State.optional(Schema.Result(Schema.BigInt, Schema.String)),
  map: State.optional(Schema.ReadonlyMap(Schema.String, Schema.BigInt)),
  "map by dates": State.optional(Schema.ReadonlyMap(Schema.Date, Schema.Duration)),
  set: State.optional(Schema.ReadonlySet(Schema.BigInt)),
  "hash map": State.optional(Schema.HashMap(Schema.String, Schema.BigInt)),
  "hash set": State.optional(Schema.HashSet(Schema.BigInt)),
  chunk: State.optional(Schema.Chunk(Schema.Date)),
  exit: State.optional(Schema.Exit(Schema.BigInt, Schema.String, Schema.Finite)),
  cause: State.optional(Schema.Cause(Schema.BigInt, Schema.Finite)),
  "regular expression": State.optional(Schema.RegExp),
  array: State.optional(Schema.Array(Schema.Date)),
  tuple: State.optional(Schema.Tuple([Schema.String, Schema.BigInt, Schema.Option(Schema.Int)])),
  record: State.optional(Schema.Record(Schema.String, Schema.BigInt)),
  struct: State.optional(
    Schema.Struct({
      at: Schema.Date,
      inner: Schema.Struct({ amount: Schema.BigDecimal, maybe: Schema.optionalKey(Schema.Int) })
    })
  ),
  union: State.optional(
    Schema.Union([Schema.Int, Schema.Date, Schema.Struct({ kind: Schema.tag("point"), x: Schema.Int })])
  ),
  "null or a date": State.optional(Schema.NullOr(Schema.Date)),
  recursive: State.optional(Category),
  json: State.optional(Schema.Json),
  "transformed text": State.optional(Schema.FiniteFromString)
}

const kinds = Object.entries(Kinds).map(([name, spec]) => {
  const schema = spec["~spec"].schema as Schema.Codec<unknown>
  const Section = State.make("kind", { value: spec as State.OptionalSpec<unknown> })
  return { name, schema, Section, serializer: StateSerializer.make([Section]) }
})

describe("StateSerializer", () => {
  describe("round trip", () => {
    for (const { name, schema, Section, serializer } of kinds) {
      const same = Schema.toEquivalence(Schema.toType(schema))
      it.effect.prop(
        `gives back a value of ${name}`,
        { value: Arbitrary.schema(Schema.toType(schema)) },
        ({ value }) =>
          Effect.gen(function*() {
            const written = overWire(yield* serializer.serialize(serializer.initial([Section.value.to(value)])))
            const read = (yield* serializer.deserialize(deepFreeze(written))).get(Section.value)
            assert.isTrue(
              Option.isSome(read) && same(read.value, value),
              `it came back as ${Inspectable.toStringUnknown(read)}`
            )

            const again = yield* serializer.deserialize(written)
            assert.deepStrictEqual(overWire(yield* serializer.serialize(again)), written)
          }),
        { arbitrary: { runs: 60 } }
      )
    }

    it.effect.prop("gives back the entries of a record, whatever their keys", {
      record: Schema.Record(Schema.String, Schema.Date),
      nasty: Arbitrary.array(Arbitrary.schema(Schema.Literals(["__proto__", "constructor", "toString", "", "a.b"])))
    }, ({ record, nasty }) =>
      Effect.gen(function*() {
        const Section = State.make("kind", { entries: State.record(Schema.String, Schema.Date) })
        const serializer = StateSerializer.make([Section])
        const entries = [...Object.entries(record), ...nasty.map((key): [string, Date] => [key, new Date(0)])]
        const value = Object.fromEntries(entries)
        const written = overWire(yield* serializer.serialize(serializer.initial([Section.entries.to(value)])))
        const read = (yield* serializer.deserialize(written)).get(Section.entries)
        assert.deepStrictEqual(
          new Map(Object.entries(read).map(([key, date]) => [key, date.getTime()])),
          new Map(entries.map(([key, date]) => [key, date.getTime()]))
        )
      }), { arbitrary: { runs: 100 } })

    it.effect("keeps a value that was never set apart from null", () =>
      Effect.gen(function*() {
        const Section = State.make("s", {
          unset: State.optional(Schema.NullOr(Schema.String)),
          null: State.optional(Schema.NullOr(Schema.String))
        })
        const serializer = StateSerializer.make([Section])
        const written = overWire(yield* serializer.serialize(serializer.initial([Section.null.to(null)])))
        const read = yield* serializer.deserialize(written)
        assert.deepStrictEqual(read.get(Section.unset), Option.none())
        assert.deepStrictEqual(read.get(Section.null), Option.some(null))
      }))
  })

  describe("make", () => {
    it("refuses two sections of one name, and takes one that is given twice", () => {
      const twin = (initial: string) => State.make("twin", { field: State.field(Schema.String, { initial }) })
      const [One, Other] = [twin("one"), twin("other")]
      assert.deepStrictEqual(
        Result.try({ try: () => StateSerializer.make([One, Other]), catch: String }),
        Result.fail("TypeError: 'twin' names two sections: rename one")
      )
      assert.isDefined(StateSerializer.make([One, One]))
    })

    const redacted = Schema.Redacted(Schema.String)
    const places: ReadonlyArray<readonly [string, Schema.Constraint]> = [
      ["as it is", redacted],
      ["from a value", Schema.RedactedFromValue(Schema.String)],
      ["in a struct", Schema.Struct({ deep: Schema.Struct({ key: redacted }) })],
      ["in an array", Schema.Array(redacted)],
      ["in a tuple", Schema.Tuple([Schema.String, redacted])],
      ["in a record", Schema.Record(Schema.String, redacted)],
      ["in an option", Schema.Option(redacted)],
      ["in a map", Schema.ReadonlyMap(Schema.String, redacted)],
      ["in a union", Schema.Union([Schema.String, redacted])],
      ["behind a recursion", Schema.suspend(() => Schema.Array(redacted))]
    ]
    it.each(places)("refuses a field that holds a redacted value %s", (_, schema) => {
      assert.throws(
        () => State.make("secrets", { key: State.optional(schema as never) }),
        "'secrets.key' holds a redacted value"
      )
    })

    it("shows nothing of a redacted initial value in its refusal", () => {
      const held = State.field(redacted as unknown as Schema.String, { initial: Redacted.make("sk-secret") as never })
      const refused = Result.flip(Result.try(() => State.make("secrets", { key: held })))
      assert.notInclude(String(Result.getOrThrow(refused)), "sk-secret")
    })
  })

  describe("serialize", () => {
    const Notes = State.make("notes", {
      title: State.field(Schema.String, { initial: "Untitled" }),
      draft: State.optional(Schema.String)
    })

    it.effect("stamps the time and the version of each section", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(1_234)
        const serializer = StateSerializer.make([Notes])
        assert.deepStrictEqual(yield* serializer.serialize(serializer.initial()), {
          format: "tenon/state",
          version: 1,
          time: 1_234,
          sections: { notes: { version: 1, data: { title: "Untitled" } } }
        })
      }))

    it.effect("writes neither temp fields nor anything of the ToolContext", () =>
      Effect.gen(function*() {
        const Env = ToolContext.make({ token: Schema.String })
        const Work = State.make("work", {
          kept: State.optional(Schema.String),
          scratch: State.field(Schema.String, { initial: "blank", scope: "temp" })
        })
        const Write = Tool.make("write", {
          context: [Env.token],
          writes: [Work.kept, Work.scratch],
          success: Schema.String
        })
        const kit = Toolkit.make(Write)
        const agent = Agent.make("writer", { instructions: "Write.", toolkit: kit })
        const handlers = Toolkit.layer(kit, {
          write: Effect.fnUntraced(function*() {
            yield* Work.kept.set("kept")
            yield* Work.scratch.set("temporary value")
            return (yield* Env.token) === "top-secret" ? yield* Work.scratch.get : "no token"
          })
        })
        const result = yield* AgentRunner.run(agent, { session: "s", input: "Go" }).pipe(Effect.provide([
          handlers,
          ToolContext.layer(agent, { token: "top-secret" }),
          ScriptedModel.layer([ScriptedModel.call("write"), ScriptedModel.text("Done.")]),
          SessionStore.layerMemory
        ]))
        const serializer = StateSerializer.make([Work])
        const text = JSON.stringify(yield* serializer.serialize(result.session.state))
        assert.strictEqual(result.session.state.get(Work.scratch), "temporary value")
        assert.include(text, "\"kept\":\"kept\"")
        for (const never of ["scratch", "temporary value", "token", "top-secret"]) assert.notInclude(text, never)
      }))

    it.effect("leaves out what a program of another version stored under the name of a temp field", () =>
      Effect.gen(function*() {
        const Work = State.make("work", { scratch: State.optional(Schema.String, { scope: "temp" }) })
        const serializer = StateSerializer.make([Work])
        const read = yield* serializer.deserialize(envelope({ work: { version: 1, data: { scratch: "old" } } }))
        assert.deepStrictEqual((yield* serializer.serialize(read)).sections, { work: { version: 1, data: {} } })
      }))
  })

  describe("deserialize", () => {
    const Notes = State.make("notes", {
      title: State.field(Schema.String, { initial: "Untitled" }),
      counts: State.field(Schema.Struct({ words: Schema.Array(Schema.Int) }), { initial: { words: [] } })
    })
    const serializer = StateSerializer.make([Notes])

    it.effect("carries what it does not know through untouched: sections, and fields of a section", () =>
      Effect.gen(function*() {
        const sections = {
          notes: { version: 1, data: { title: "T", counts: { words: [1] }, later: { deep: [null, { x: 1 }] } } },
          future: { version: 7, data: { anything: [1, "two", null], "": {}, "with.dot": 1 } },
          constructor: { version: 1, data: { prototype: "p" } },
          ["__proto__"]: { version: 2, data: { x: 1 } }
        }
        const written = yield* serializer.serialize(yield* serializer.deserialize(envelope(sections)))
        assert.deepStrictEqual(overWire(written.sections), sections)
      }))

    it.effect.prop("carries any unknown section through", {
      name: Arbitrary.filter(
        Arbitrary.schema(Schema.String),
        (name) => name !== "notes" && !name.includes(".")
      ),
      version: Schema.Int,
      data: Schema.Record(Schema.String, Schema.Json)
    }, ({ name, version, data }) =>
      Effect.gen(function*() {
        const sections = overWire({ [name]: { version, data } }) as Record<string, Json>
        const written = yield* serializer.serialize(yield* serializer.deserialize(envelope(sections)))
        assert.deepStrictEqual(overWire(written.sections), sections)
      }))

    it.effect("refuses a section whose name holds a dot: its fields would come out under another name", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(
          yield* refusal(serializer, envelope({ "a.b": { version: 3, data: { x: 1 } } })),
          { _tag: "StateError", section: "a.b", version: 3, path: [] }
        )
      }))

    it.effect("gives the initial value of a field that the document lacks", () =>
      Effect.gen(function*() {
        const read = yield* serializer.deserialize(envelope({ notes: { version: 1, data: {} } }))
        assert.strictEqual(read.get(Notes.title), "Untitled")
      }))

    it.effect("M25: fails on a value of the wrong shape, with section, version and path, and leaves the input as it is", () =>
      Effect.gen(function*() {
        const input = envelope({ notes: { version: 1, data: { title: "T", counts: { words: [1, "two"] } } } })
        const before = JSON.stringify(input)
        assert.deepStrictEqual(yield* refusal(serializer, input), {
          _tag: "StateError",
          section: "notes",
          version: 1,
          path: ["counts", "words", "1"]
        })
        assert.strictEqual(JSON.stringify(input), before)
      }))

    it.effect("M26: fails on a section newer than the program, with the version that was stored, and leaves the input as it is", () =>
      Effect.gen(function*() {
        const input = envelope({ notes: { version: 2, data: { title: "T" } } })
        const before = JSON.stringify(input)
        assert.deepStrictEqual(yield* refusal(serializer, input), {
          _tag: "StateError",
          section: "notes",
          version: 2,
          path: []
        })
        assert.strictEqual(JSON.stringify(input), before)
      }))

    const documents: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string>]> = [
      ["null", null, []],
      ["text", "state", []],
      ["another format", { format: "tenon/session", version: 1, time: 0, sections: {} }, ["format"]],
      ["a newer format", { format: "tenon/state", version: 2, time: 0, sections: {} }, ["version"]],
      ["of no time", { format: "tenon/state", version: 1, time: "now", sections: {} }, ["time"]],
      ["no sections", { format: "tenon/state", version: 1, time: 0 }, ["sections"]],
      ["a list of sections", { format: "tenon/state", version: 1, time: 0, sections: [1] }, ["sections"]]
    ]
    it.effect.each(documents)("fails on a document that is %s", ([, input, path]) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(
          yield* refusal(serializer, input),
          { _tag: "StateError", section: "envelope", version: 1, path }
        )
      }))

    it.effect("says what is wrong with the name of a section", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(serializer.deserialize(envelope({ "a.b": { version: 1, data: {} } })))
        assert.include(error.message, "the name of a section holds no dot")
      }))

    it.effect("names the section of which the document's own form does not fit", () =>
      Effect.gen(function*() {
        const input = envelope({ notes: { version: "one", data: {} } })
        assert.deepStrictEqual((yield* refusal(serializer, input)).section, "notes")
      }))
  })

  describe("deserialize with a history", () => {
    const V1 = Schema.Struct({ title: Schema.String })
    const V2 = Schema.Struct({ title: Schema.String, at: Schema.Date })
    const history = State.history(1, V1).to(2, V2, ({ title }) => {
      if (title === "poison") throw new Error("cannot date this")
      return { title, at: new Date(title.length) }
    })
    const Docs = State.make("docs", {
      heading: State.field(Schema.String, { initial: "none" }),
      at: State.field(Schema.DateTimeUtc, { initial: DateTime.makeUnsafe(0) }),
      tags: State.optional(Schema.Array(Schema.String)),
      scratch: State.field(Schema.Int, { initial: 0, scope: "temp" })
    }, {
      history,
      up: ({ title, at }) => ({
        heading: title.toUpperCase(),
        at: DateTime.makeUnsafe(at),
        tags: Option.some([title]),
        scratch: 0
      })
    })
    const serializer = StateSerializer.make([Docs])
    const at = (millis: number) => new Date(millis).toISOString()

    const stored: ReadonlyArray<readonly [number, Readonly<Record<string, Json>>]> = [
      [1, { title: "abc" }],
      [2, { title: "abc", at: at(3) }],
      [3, { heading: "ABC", at: at(3), tags: ["abc"] }]
    ]
    it.effect.each(stored)(
      "brings version %i up to the fields of today, and writes the version of today",
      ([version, data]) =>
        Effect.gen(function*() {
          const input = envelope({ docs: { version, data } })
          const read = yield* serializer.deserialize(input)
          assert.strictEqual(read.get(Docs.heading), "ABC")
          assert.strictEqual(DateTime.toEpochMillis(read.get(Docs.at)), 3)
          assert.deepStrictEqual(read.get(Docs.tags), Option.some(["abc"]))
          assert.deepStrictEqual(overWire((yield* serializer.serialize(read)).sections), {
            docs: { version: 3, data: { heading: "ABC", at: at(3), tags: ["abc"] } }
          })
          assert.deepStrictEqual(input, envelope({ docs: { version, data } }))
        })
    )

    it.effect.prop(
      "brings any first version up as the steps do",
      { title: Schema.NonEmptyString },
      ({ title }) =>
        Effect.gen(function*() {
          const read = yield* serializer.deserialize(envelope({ docs: { version: 1, data: { title } } }))
          assert.strictEqual(read.get(Docs.heading), title.toUpperCase())
          assert.strictEqual(DateTime.toEpochMillis(read.get(Docs.at)), title.length)
        })
    )

    const broken: ReadonlyArray<readonly [string, number, Readonly<Record<string, Json>>, ReadonlyArray<string>]> = [
      ["a first version of the wrong shape", 1, { title: 5 }, ["title"]],
      ["a first version that lacks a field", 1, {}, ["title"]],
      ["a second version of the wrong shape", 2, { title: "abc", at: "yesterday" }, ["at"]],
      ["a version of today of the wrong shape", 3, { heading: "ABC", at: at(3), tags: ["abc", 7] }, ["tags", "1"]],
      ["a step that throws", 1, { title: "poison" }, []],
      ["a version before the first", 0, { title: "abc" }, []],
      ["a version newer than the program", 4, { heading: "ABC" }, []]
    ]
    it.effect.each(broken)(
      "fails on %s, with section, version and path",
      ([, version, data, path]) =>
        Effect.gen(function*() {
          const input = envelope({ docs: { version, data } })
          const before = JSON.stringify(input)
          assert.deepStrictEqual(yield* refusal(serializer, input), {
            _tag: "StateError",
            section: "docs",
            version,
            path
          })
          assert.strictEqual(JSON.stringify(input), before)
        })
    )

    it.effect("says that a step threw, and where", () =>
      Effect.gen(function*() {
        const error: AgentError.StateError = yield* Effect.flip(
          serializer.deserialize(envelope({ docs: { version: 1, data: { title: "poison" } } }))
        )
        // where, and not what: its words may be those of the value
        assert.match(
          error.message,
          /^the state at 'docs' \(version 1\): its migration threw: Error at .*StateSerializer/
        )
        assert.notInclude(error.message, "cannot date this")
      }))

    it.effect("fails where a step gives what its own schema refuses", () =>
      Effect.gen(function*() {
        const Small = State.make("small", { count: State.field(Schema.Int, { initial: 0 }) }, {
          history: State.history(1, Schema.Struct({ count: Schema.Finite })),
          up: ({ count }) => ({ count })
        })
        const small = StateSerializer.make([Small])
        assert.deepStrictEqual(yield* refusal(small, envelope({ small: { version: 1, data: { count: 1.5 } } })), {
          _tag: "StateError",
          section: "small",
          version: 1,
          path: ["count"]
        })
      }))
  })

  describe("serialize of a state that was put together", () => {
    const Known = State.make("known", { last: State.optional(Schema.String) }, {
      history: State.history(1, Schema.Struct({})),
      up: () => ({ last: Option.none() })
    })
    const serializer = StateSerializer.make([Known])

    it.effect("gives a section without a version that of the program, or the first", () =>
      Effect.gen(function*() {
        const state = {
          ...serializer.initial(),
          versions: new Map(),
          values: new Map<string, Json>([["known.last", "a"], ["other.x", 1]])
        }
        const { sections } = yield* serializer.serialize(state)
        assert.deepEqual({ ...sections }, {
          known: { version: 2, data: { last: "a" } },
          other: { version: 1, data: { x: 1 } }
        })
        // as any other object's
        assert.isTrue(Reflect.deleteProperty(sections["other"]?.data ?? {}, "x"))
      }))

    it.effect("fails with what could not be read, since it would be lost", () =>
      Effect.gen(function*() {
        const lost = yield* Effect.flip(serializer.deserialize(null))
        const state = { ...serializer.initial(), unreadable: new Map([["known", lost]]) }
        assert.strictEqual(yield* Effect.flip(serializer.serialize(state)), lost)
      }))
  })

  describe("initial", () => {
    it("is every initial value, with the given ones in their places", () => {
      const Search = State.make("search", {
        count: State.field(Schema.Int, { initial: 7, reducer: Reducer.sum }),
        wait: State.field(Schema.Duration, { initial: Duration.seconds(1) }),
        last: State.optional(Schema.String)
      })
      const state = StateSerializer.make([Search]).initial([Search.last.to("licence")])
      assert.strictEqual(state.get(Search.count), 7)
      assert.deepStrictEqual(state.get(Search.wait), Duration.seconds(1))
      assert.deepStrictEqual(state.get(Search.last), Option.some("licence"))
    })

    it.effect("takes fields of other sections too, with the versions of those", () =>
      Effect.gen(function*() {
        const Other = State.make("other", { n: State.field(Schema.Int, { initial: 0 }) }, {
          history: State.history(1, Schema.Struct({ m: Schema.Int })),
          up: ({ m }) => ({ n: m })
        })
        const serializer = StateSerializer.make([])
        const { sections } = yield* serializer.serialize(serializer.initial([Other.n.to(5)]))
        assert.deepStrictEqual(overWire(sections), { other: { version: 2, data: { n: 5 } } })
      }))
  })
})
