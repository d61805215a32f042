import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, type JsonSchema, Layer, Option, Result, Schema, SchemaRepresentation, Stream } from "effect"
import {
  Agent,
  type Event,
  Interrupt,
  KvsStore,
  Reducer,
  Session,
  SessionDocument,
  SessionStore,
  State,
  Tool,
  Toolkit
} from "tenon"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { breaking, type Data } from "./kvs.ts"
import { conversation, openOf, textOf } from "./runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

// ----- sessions that are exported ----------------------------------------------

const Notes = State.make("notes", {
  title: State.field(Schema.String, { initial: "Untitled" }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  pages: State.record(Schema.String, Schema.Int)
})
const Person = State.make("person", {
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" }),
  city: State.optional(Schema.String, { scope: "user" })
})
const Shop = State.make("shop", { open: State.field(Schema.Boolean, { initial: false, scope: "app" }) })
const sections = [Notes, Person, Shop]

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Up = Tool.make("up", {
  parameters: Schema.Struct({ page: Schema.String, by: Schema.Int }),
  success: Schema.String,
  writes: [Notes.pages, Person.city, Shop.open],
  combines: [Notes.count, Person.visits]
})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Up, Wonder)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = Toolkit.layer(kit, {
  up: Effect.fn(function*({ by, page }) {
    yield* Notes.pages.put(page, by)
    yield* Notes.count.combine(by)
    yield* Person.visits.combine(1)
    yield* Shop.open.set(true)
    yield* Person.city.set("Ulm")
    yield* Person.city.unset
    return `${page}: ${by}`
  }),
  wonder: () => Confirm.ask("Sure?")
})
const ref = { app: "app", session: "s-1", user: "u-1" } as const
const other = { app: "other", session: "moved", user: "u-2" } as const

/** A session that said, wrote and asked something, and waits for an answer. */
const paused = Effect.gen(function*() {
  const { context, run } = yield* conversation(agent, [
    // the arguments' own order is kept, and what is no plain letter too
    calls({ tool: "up", parameters: { page: "z \u2028 \ud83d\ude00 \"\\", by: 2 } }, {
      tool: "up",
      parameters: { by: 1, page: "a" }
    }),
    text("Done."),
    call("wonder")
  ])
  yield* run("First.")
  const result = yield* run("Second.")
  return { context, open: openOf(result), session: result.session }
}).pipe(Effect.provide(live))

const exported = (of: SessionStore.Ref = ref, shared?: Session.Known) =>
  Stream.mkString(SessionDocument.exportSession(of, shared === undefined ? {} : { shared }))

const imported = (document: string, options?: Parameters<typeof SessionDocument.importSession>[1]) =>
  SessionDocument.importSession(Stream.succeed(document), options)

const revisionOf = (of: SessionStore.Ref) =>
  Effect.flatMap(SessionStore.SessionStore, (store) => Effect.map(store.load(of), Option.map(({ length }) => length)))

// ----- documents by hand ---------------------------------------------------------

const head = (kind: Event.Event["kind"], sequence: number) => ({
  id: `s-1/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 5,
  kind
})
const created = {
  ...head("created", 0),
  app: "app",
  user: "u-1",
  session: "s-1",
  fingerprint: "0",
  sections: { notes: { version: 1, fields: { title: "Untitled", count: 0 } } }
}
const input = {
  ...head("input", 1),
  message: { role: "user", content: "Good day." },
  delta: { versions: {}, operations: [] }
}
const wrote = (operation: object) => ({
  ...head("hook", 2),
  middleware: "m",
  hook: "beforeRun",
  delta: { versions: { notes: 1 }, operations: [operation] }
})
const ended = { ...head("ended", 2), status: "completed", elapsed: 1 }
const plain = { format: "tenon/session", version: 1, events: [created, input, ended] }

describe("SessionDocument", () => {
  describe("exportSession", () => {
    it.effect("gives the document of the session, an event a line", () =>
      Effect.gen(function*() {
        const { context, session } = yield* paused
        const document = yield* Effect.provideContext(exported(), context)
        assert.deepStrictEqual(JSON.parse(document), Session.encode(session.events))
        const lines = document.split("\n")
        assert.strictEqual(lines.length, session.revision + 3)
        assert.deepStrictEqual([lines[0], lines.at(-2), lines.at(-1)], [
          `{"format":"tenon/session","version":1,"events":[`,
          "]}",
          ""
        ])
        assert.deepStrictEqual(Result.getOrThrow(Session.decode(JSON.parse(document))), session.events)
      }))

    it.effect("gives the same bytes after an import, in whatever store and by way of another name", () =>
      Effect.gen(function*() {
        const { context } = yield* paused
        const document = yield* Effect.provideContext(exported(), context)
        const again = Effect.gen(function*() {
          assert.deepStrictEqual(yield* imported(document), { ref, revision: 11, shared: [] })
          assert.strictEqual(yield* exported(), document)
          yield* imported(document, { as: other })
          const moved = yield* exported(other)
          assert.notStrictEqual(moved, document)
          yield* (yield* SessionStore.SessionStore).remove(ref)
          yield* imported(moved, { as: ref })
          assert.strictEqual(yield* exported(), document)
        })
        const inMap = Layer.provide(KvsStore.layer({ term: "1 second" }), breaking(new Map()).layer)
        for (const store of [SessionStore.layerMemory, SqlStore.layerSqlite({ filename: ":memory:" }), inMap]) {
          yield* Effect.provide(again, store)
        }
      }))

    it.effect("has the keys of documents in one order, and those of others' values as they are", () =>
      Effect.gen(function*() {
        const turned = (json: unknown): unknown =>
          Array.isArray(json)
            ? json.map(turned)
            : typeof json === "object" && json !== null
            ? Object.fromEntries(Object.entries(json).toReversed().map(([key, value]) => [key, turned(value)]))
            : json
        yield* imported(JSON.stringify(plain))
        const document = yield* exported()
        yield* (yield* SessionStore.SessionStore).remove(ref)
        yield* imported(JSON.stringify({ ...turned(plain) as object }, null, 2))
        const [, first, second, third] = (yield* exported()).split("\n")
        assert.deepStrictEqual([second, third], document.split("\n").slice(2, 4))
        // the fields of a section are the program's
        assert.include(first, `"fields":{"count":0,"title":"Untitled"}`)
        assert.match(
          first ?? "",
          /^\{"id":"s-1\/0","sequence":0,"invocation":"i1","agent":"a","path":\["a"\],"time":5,"kind"/
        )
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("holds a page of events, however long the session is", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const length = 1_000
        const events = Result.getOrThrow(Session.decode({
          ...plain,
          events: [created, ...Array.from({ length: length - 1 }, (_, index) => ({ ...ended, sequence: index + 1 }))]
        }))
        yield* store.append(ref, { expected: 0, events: () => events })
        const loads: Array<number> = []
        const watched = SessionStore.SessionStore.of({
          ...store,
          load: (of, part) => {
            loads.push(part?.limit ?? Infinity)
            return store.load(of, part)
          }
        })
        const sizes: Array<number> = []
        yield* Stream.runForEach(SessionDocument.exportSession(ref), (piece) =>
          Effect.sync(() => {
            sizes.push(piece.split("\n").length)
            // no page is read before the one before it was taken
            assert.lengthOf(loads, sizes.length)
          })).pipe(Effect.provideService(SessionStore.SessionStore, watched))
        assert.deepStrictEqual(loads, [256, 256, 256, 256])
        assert.isBelow(Math.max(...sizes), 260)
        assert.deepStrictEqual(JSON.parse(yield* exported()), Session.encode(events))
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("ends where a session does, also at the end of a page", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const lengths = [1, 255, 256, 257, 512]
        for (const length of lengths) {
          const of = { app: "app", session: `s ${length}` }
          const events = Array.from({ length }, (_, index) => index === 0 ? created : { ...ended, sequence: index })
          const log = Result.getOrThrow(Session.decode({ ...plain, events }))
          yield* store.append(of, { expected: 0, events: () => log })
          assert.lengthOf(JSON.parse(yield* exported(of)).events, length)
        }
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("fails where there is no such session", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* Effect.flip(exported()))._tag, "SessionMissing")
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("importSession", () => {
    it.effect("makes the session that it was: state, history, and questions, which are answered there", () =>
      Effect.gen(function*() {
        const { context, open: [question], session } = yield* paused
        const document = yield* Effect.provideContext(exported(), context)
        const there = yield* conversation(agent, [text("Sure.")])
        yield* Effect.provideContext(imported(document, { as: other }), there.context)
        const found = yield* Effect.provideContext(Session.load(other), there.context)
        assert.deepStrictEqual([found.ref, found.history, found.open], [other, session.history, session.open])
        assert.deepStrictEqual([...found.state.values], [
          ...Result.getOrThrow(Session.fold(session.events)).state.values
        ])
        // rows that sessions share are left alone
        const mine = yield* Effect.provideContext(Session.load(other, sections), there.context)
        assert.deepStrictEqual([mine.state.get(Person.visits), mine.state.get(Shop.open)], [0, false])
        const answers = question === undefined ? [] : [Confirm.answer(question.id, true)]
        assert.strictEqual(textOf(yield* there.resume(answers, other)), "Sure.")
      }).pipe(Effect.provide(live)))

    it.effect("reads a text however it is laid out and cut", () =>
      Effect.gen(function*() {
        const layouts = [
          JSON.stringify(plain),
          JSON.stringify(plain, null, "\t"),
          ` \r\n${
            JSON.stringify({ events: plain.events, later: [{ "}": "]," }, "\\\""], version: 1, format: plain.format })
          } \n`,
          JSON.stringify({ empty: {}, none: [], events: plain.events, version: 1, format: plain.format }),
          `{"ev\\u0065nts":${JSON.stringify(plain.events)},"version":1.0,"format":"tenon\\/session"}`
        ]
        for (const [number, layout] of layouts.entries()) {
          for (const size of [1, 7, layout.length]) {
            const as = { app: "app", user: "u-1", session: `${number} ${size}` }
            const pieces = Array.from(
              { length: Math.ceil(layout.length / size) },
              (_, index) => layout.slice(index * size, (index + 1) * size)
            )
            yield* SessionDocument.importSession(Stream.fromIterable(["", ...pieces, ""]), { as })
            const { events, history } = yield* Session.load(as)
            assert.deepStrictEqual([events.map(({ kind }) => kind), history.length], [["created", "input", "ended"], 1])
          }
        }
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    const [first, second, third] = [created, input, ended]
    const bad: ReadonlyArray<readonly [string, object | string, ReadonlyArray<string>, string]> = [
      ["no object", "[]", [], "it is no JSON"],
      ["an empty one", {}, ["format"], "it is missing"],
      ["a bare text", `"tenon/session"`, [], "the text ends here"],
      ["nothing", "", [], "the text ends here"],
      ["two documents", JSON.stringify(plain) + JSON.stringify(plain), [], "it is no JSON"],
      ["a word after it", `${JSON.stringify(plain)} more`, [], "the text goes on after the document"],
      ["another format", { ...plain, format: "tenon/state" }, ["format"], "it is not 'tenon/session'"],
      ["no format", { version: 1, events: plain.events }, ["format"], "it is missing"],
      ["a later version", { ...plain, version: 2 }, ["version"], "it is one of a later program"],
      ["a version that is too early", { ...plain, version: 0 }, ["version"], "it is not 1"],
      ["a version that is a text", { ...plain, version: "2" }, ["version"], "it is not 1"],
      ["no version", { ...plain, version: "1" }, ["version"], "it is not 1"],
      ["no events", { ...plain, events: [] }, ["events"], "a session has one event at least"],
      ["events that are no list", { ...plain, events: {} }, ["events"], "it is no list"],
      ["a member twice", `{"version":1,"version":1}`, ["version"], "it is there twice"],
      ["events twice", `{"events":[${JSON.stringify(created)}],"events":[]}`, ["events"], "it is there twice"],
      ["a missing first event", { ...plain, events: [second] }, ["events", "0"], "missing or out of place"],
      ["a missing event", { ...plain, events: [first, third] }, ["events", "1"], "missing or out of place"],
      ["events out of order", { ...plain, events: [first, third, second] }, ["events", "1"], "missing or out of place"],
      ["an event twice", { ...plain, events: [first, second, second] }, ["events", "2"], "missing or out of place"],
      ["another beginning", { ...plain, events: [{ ...ended, sequence: 0 }] }, ["events", "0"], "'created' begins"],
      [
        "a second beginning",
        { ...plain, events: [first, { ...first, sequence: 1 }] },
        ["events", "1"],
        "'created' begins"
      ],
      [
        "a way back to nowhere",
        { ...plain, events: [first, second, { ...head("rewound", 2), to: 2 }] },
        ["events", "2"],
        "it goes back to no earlier event"
      ],
      [
        "a way back before the beginning",
        { ...plain, events: [first, second, { ...head("rewound", 2), to: -1 }] },
        ["events", "2"],
        "it goes back to no earlier event"
      ],
      [
        "an event of a later program",
        { ...plain, events: [first, { ...second, kind: "dreamed" }] },
        ["events", "1"],
        ""
      ],
      ["an event that is none", { ...plain, events: [first, 7] }, ["events", "1"], ""],
      [
        "a torn event",
        JSON.stringify(plain).replace(`"Good day."`, `"Good day`),
        ["events", "1"],
        "the text ends here"
      ],
      ["a name that is no text", `{1:2}`, [], "it is no JSON"],
      ["a name that is torn", `{"format:2}`, [], "the text ends here"],
      ["a name that is no JSON", `{format:2}`, [], "it is no JSON"],
      ["a name alone", `{"format"}`, [], "it is no JSON"],
      ["a value that is no JSON", `{"format":tenon}`, ["format"], "it is no JSON"],
      ["a value with a colon", `{"format":1:2}`, ["format"], "it is no JSON"],
      ["a comma instead of a value", `{"format":,"version":1}`, ["format"], "it is no JSON"],
      ["a bracket instead of a value", `{"format":]`, ["format"], "it is no JSON"],
      ["a brace that ends the events", `{"events":[${JSON.stringify(created)}}`, ["events", "0"], "it is no JSON"],
      ["a word after the events", JSON.stringify(plain).replace("}]}", "}] more}"), [], "it is no JSON"],
      ["a comma at the end", JSON.stringify(plain).replace("}]}", "}],}"), [], "it is no JSON"],
      ["a colon after the events", JSON.stringify(plain).replace("}]}", "}]:1}"), [], "it is no JSON"],
      ["a bracket that ends it", JSON.stringify(plain).replace("}]}", "}]]"), [], "it is no JSON"],
      ["a comma too many", JSON.stringify(plain).replace("}]}", "},]}"), ["events", "3"], "it is no JSON"],
      ["a lacking comma", JSON.stringify(plain).replace("},{", "}{"), ["events", "0"], "it is no JSON"],
      ["a wrong bracket", JSON.stringify(plain).replace(`["a"]`, `["a"}`), ["events", "0"], "it is no JSON"],
      ["rows that are none", { ...plain, shared: [{ scope: "session" }] }, ["shared", "0", "scope"], ""],
      ["depths", `{"events":[${"[".repeat(20_000)}`, ["events", "0"], "it is nested more than 1000 levels deep"]
    ]
    for (const [what, document, path, problem] of bad) {
      it.effect(`refuses ${what}, and says where`, () =>
        Effect.gen(function*() {
          const error = yield* Effect.flip(imported(typeof document === "string" ? document : JSON.stringify(document)))
          assert.deepStrictEqual([error._tag, "path" in error && error.path], ["StateError", path], error.message)
          assert.include(error.message, problem)
          assert.deepStrictEqual(yield* revisionOf(ref), Option.none())
          if (typeof document === "string") return
          // the whole document is refused at the same place
          const whole = Result.getOrThrow(Result.flip(Session.decode(document)))
          assert.deepStrictEqual([whole.path, whole.problem], [path, "problem" in error && error.problem])
        }).pipe(Effect.provide(SessionStore.layerMemory)))
    }

    it.each(
      [["nothing", null], ["what is not there", undefined], ["a list", []], ["a list of one", [plain]], [
        "a text",
        "{}"
      ]]
    )("refuses what was parsed already and is no object: %s", (_, input) => {
      const error = Result.getOrThrow(Result.flip(Session.decode(input)))
      assert.strictEqual(error.message, "the state at 'session' (version 1): it is no object")
    })

    it.effect("takes a way back to the first event", () =>
      Effect.gen(function*() {
        const events = [created, input, { ...head("rewound", 2), to: 0 }]
        yield* imported(JSON.stringify({ ...plain, events }))
        assert.deepStrictEqual((yield* Session.load(ref)).history, [])
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it("refuses rows that are too deep also in a document that was parsed already", () => {
      let value: unknown = null
      for (let level = 0; level < 20_000; level++) value = [value]
      const document = { ...plain, shared: [{ scope: "app", field: "shop.open", section: 1, value }] }
      const error = Result.getOrThrow(Result.flip(Session.decode(document)))
      assert.deepStrictEqual([error.path, error.problem], [["shared"], "it is nested more than 1000 levels deep"])
    })

    it.effect("refuses a log whose state cannot be folded", () =>
      Effect.gen(function*() {
        const document = { ...plain, events: [created, input, wrote({ op: "sum", field: "notes.title", value: 1 })] }
        const error = yield* Effect.flip(imported(JSON.stringify(document)))
        assert.strictEqual(error._tag, "StateError")
        assert.include(error.message, "notes.title")
        assert.deepStrictEqual(yield* revisionOf(ref), Option.none())
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("refuses a session that is there, and leaves it as it is", () =>
      Effect.gen(function*() {
        yield* imported(JSON.stringify(plain))
        const before = yield* exported()
        const longer = { ...plain, events: [...plain.events, { ...ended, sequence: 3 }] }
        const error = yield* Effect.flip(imported(JSON.stringify(longer)))
        assert.deepStrictEqual(
          [error._tag, error.message],
          [
            "SessionExists",
            "there is a session 's-1' in the app 'app' already: choose another name, or remove it first"
          ]
        )
        assert.strictEqual(yield* exported(), before)
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("is all or nothing where the text ends early, fails or is given up", () =>
      Effect.gen(function*() {
        const document = JSON.stringify(plain)
        for (let length = 0; length < document.length; length++) {
          const error = yield* Effect.flip(imported(document.slice(0, length)))
          assert.strictEqual(error._tag, "StateError")
          const failing = Stream.concat(Stream.succeed(document.slice(0, length)), Stream.fail("cut" as const))
          assert.strictEqual(yield* Effect.flip(SessionDocument.importSession(failing)), "cut")
        }
        const hanging = Stream.concat(Stream.succeed(document), Stream.never)
        const given = yield* Effect.exit(Effect.timeout(SessionDocument.importSession(hanging), 0))
        assert.isTrue(Exit.isFailure(given))
        assert.deepStrictEqual(yield* revisionOf(ref), Option.none())
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    const city = { scope: "user", field: "person.city" } as const

    it.live(
      "is all or nothing wherever a process ends in a store that has only get and set",
      () =>
        Effect.gen(function*() {
          const document = JSON.stringify({
            ...plain,
            shared: [{ ...city, section: 1, value: "Ulm" }]
          })
          const layer = (broken: ReturnType<typeof breaking>) =>
            Layer.provide(KvsStore.layer({ term: "20 millis" }), broken.layer)
          const whole = breaking(new Map())
          yield* Effect.provide(imported(document, { shared: true }), layer(whole))
          const outcomes = new Set<string>()
          for (let at = 0; at < whole.counted.length; at++) {
            for (const how of ["before", "after", "torn"] as const) {
              const data: Data = new Map()
              yield* Effect.exit(Effect.provide(imported(document, { shared: true }), layer(breaking(data, at, how))))
              const after = yield* Effect.gen(function*() {
                const revision = yield* revisionOf(ref)
                const rows = yield* (yield* SessionStore.SessionStore).shared(ref, [city])
                return `${Option.getOrElse(revision, () => 0)} events, ${
                  JSON.stringify(rows.get("person.city")?.value)
                }`
              }).pipe(Effect.provide(layer(breaking(data))))
              outcomes.add(after)
            }
          }
          assert.deepStrictEqual([...outcomes].toSorted(), ["0 events, undefined", "3 events, \"Ulm\""])
        }),
      60_000
    )

    it.effect("writes shared rows where it is asked to and nobody has, and says which", () =>
      Effect.gen(function*() {
        const { context } = yield* paused
        const document = yield* Effect.provideContext(exported(ref, sections), context)
        const rows = (JSON.parse(document) as { readonly shared: ReadonlyArray<unknown> }).shared
        assert.deepStrictEqual(rows, [
          { scope: "user", field: "person.visits", section: 1, value: 2 },
          { scope: "user", field: "person.city", section: 1 },
          { scope: "app", field: "shop.open", section: 1, value: true }
        ])
        // they change nothing of what is read
        assert.deepStrictEqual(
          Result.getOrThrow(Session.decode(JSON.parse(document))),
          Result.getOrThrow(Session.decode(JSON.parse(yield* Effect.provideContext(exported(), context))))
        )
        yield* Effect.gen(function*() {
          const { shared } = yield* imported(document, { shared: true })
          assert.deepStrictEqual(shared, ["person.visits", "person.city", "shop.open"])
          const { state } = yield* Session.load(ref, sections)
          assert.deepStrictEqual([state.get(Person.visits), state.get(Shop.open)], [2, true])
          // of a session without a user, only the app's; and what is there stays
          yield* Session.write(ref, [Person.visits.to(9)])
          const nobody = { app: "third", session: "s" }
          assert.deepStrictEqual((yield* imported(document, { as: nobody, shared: true })).shared, ["shop.open"])
          const again = yield* imported(document, { as: { ...ref, session: "s-2" }, shared: true })
          assert.deepStrictEqual(again.shared, [])
          assert.strictEqual((yield* Session.load(ref, sections)).state.get(Person.visits), 9)
        }).pipe(Effect.provide(SessionStore.layerMemory))
      }))

    it.effect("tells of no row that nobody wrote, and writes none that it is not asked to", () =>
      Effect.gen(function*() {
        yield* imported(JSON.stringify(plain), { shared: true })
        assert.notProperty(JSON.parse(yield* exported(ref, sections)), "shared")
        const city = { scope: "user", field: "person.city" } as const
        const document = JSON.stringify({ ...plain, shared: [{ ...city, section: 1 }] })
        const rowIn = (of: SessionStore.Ref) =>
          Effect.flatMap(
            SessionStore.SessionStore,
            (store) => Effect.map(store.shared(of, [city]), (rows) => rows.get(city.field))
          )
        assert.deepStrictEqual((yield* imported(document, { as: other })).shared, [])
        assert.isUndefined((yield* rowIn(other))?.value)
        assert.strictEqual((yield* rowIn(other))?.section ?? 0, 0)
        // one that was unset is known to be so
        yield* imported(document, { as: { ...other, session: "s-3" }, shared: true })
        const { section, value } = (yield* rowIn(other)) ?? {}
        assert.deepStrictEqual([section, value], [1, undefined])
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("jsonSchema", () => {
    const { $defs, $schema, title, ...schema } = SessionDocument.jsonSchema()
    const document: JsonSchema.Document<"draft-2020-12"> = {
      dialect: "draft-2020-12",
      schema,
      definitions: $defs as JsonSchema.Definitions
    }
    // effect reads a JSON Schema back, with nothing of ours in between
    const fits = Schema.is(SchemaRepresentation.fromJsonSchemaDocument(document))

    it("names its dialect, and all that it refers to", () => {
      assert.deepStrictEqual([$schema, title], ["https://json-schema.org/draft/2020-12/schema", "tenon/session"])
      const text = JSON.stringify(SessionDocument.jsonSchema())
      const named = [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name ?? "")
      assert.isNotEmpty(named)
      for (const name of named) assert.property($defs, name)
    })

    it.effect("takes what is exported", () =>
      Effect.gen(function*() {
        const { context } = yield* paused
        for (const shared of [undefined, sections]) {
          assert.isTrue(fits(JSON.parse(yield* Effect.provideContext(exported(ref, shared), context))))
        }
      }))

    it.effect("refuses what lacks anything that it must have, as the reader does", () =>
      Effect.gen(function*() {
        const { context } = yield* paused
        const text = yield* Effect.provideContext(exported(), context)
        // names of programs may be missing
        const free = /^(fields|parameters|versions|result|options|params|value|operations|question|sections)$/
        const lacking = (json: unknown): ReadonlyArray<readonly [string, unknown]> => {
          if (typeof json !== "object" || json === null) return []
          return Object.entries(json).flatMap(([key, value]): ReadonlyArray<readonly [string, unknown]> => {
            const within = free.test(key) ? [] : lacking(value).map(([path, changed]) => {
              const copy = Array.isArray(json) ? [...json as Array<unknown>] : { ...json }
              Object.assign(copy, { [key]: changed })
              return [`${key}.${path}`, copy] as const
            })
            if (Array.isArray(json)) return within
            const { [key]: _, ...rest } = json as Record<string, unknown>
            return [[key, rest], ...within]
          })
        }
        const mutants = lacking(JSON.parse(text))
        assert.isAbove(mutants.length, 100)
        let refused = 0
        for (const [path, mutant] of mutants) {
          const isRead = Result.isSuccess(Session.decode(mutant))
          if (isRead) assert.isTrue(fits(mutant), path)
          if (!fits(mutant)) refused++
          assert.isTrue(!fits(mutant) || isRead || /sequence|to$/.test(path), path)
        }
        assert.isAbove(refused, 50)
      }))
  })
})
