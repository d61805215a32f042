import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  Actions,
  Agent,
  AgentRunner,
  type Event,
  History,
  Reducer,
  Session,
  SessionStore,
  State,
  StateDelta,
  StateSerializer,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { Log } from "../src/internal/log.ts"
import { snapshotOf } from "../src/internal/snapshot.ts"

const Notes = State.make("notes", {
  title: State.field(Schema.String, { initial: "Untitled" }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  scratch: State.field(Schema.Int, { initial: 0, scope: "temp" })
})
const Person = State.make("person", {
  name: State.field(Schema.String, { initial: "nobody", scope: "user" }),
  city: State.optional(Schema.String, { scope: "user" })
})
const known = [Notes, Person]
const ref = { app: "app", user: "u", session: "s" }

// ----- a log by hand ----------------------------------------------------------

type Loose = { readonly kind: Event.Event["kind"] } & Record<string, unknown>

/** Events in order, with what every event has. */
const log = (...bodies: ReadonlyArray<Loose>): ReadonlyArray<Event.Event> =>
  bodies.map((body, sequence) =>
    ({
      id: `s/${sequence}`,
      sequence,
      invocation: "i1",
      agent: "a",
      path: ["a"],
      time: 0,
      ...body
    }) as unknown as Event.Event
  )

const created = {
  kind: "created",
  app: "app",
  user: "u",
  session: "s",
  fingerprint: "0",
  sections: { notes: { version: 1, fields: { title: "Untitled", count: 0 } } }
} as const
const said = (text: string): Prompt.UserMessage => Prompt.userMessage({ content: [Prompt.textPart({ text })] })
const input = { kind: "input", message: said("Hi"), delta: StateDelta.empty } as const
const hook = (...operations: ReadonlyArray<StateDelta.Operation>) =>
  ({
    kind: "hook",
    middleware: "m",
    hook: "beforeRun",
    delta: StateDelta.make(operations, { notes: 1 })
  }) as const
const model = (...tools: ReadonlyArray<string>) =>
  ({
    kind: "model",
    step: 1,
    messages: [Prompt.assistantMessage({
      content: tools.map((name, index) =>
        Prompt.toolCallPart({ id: `p${index}`, name, params: {}, providerExecuted: false })
      )
    })],
    calls: tools.map((tool, index) => ({ id: `i1.1.${index + 1}`, providerId: `p${index}`, tool, parameters: {} })),
    usage: { inputTokens: 1, outputTokens: 1 },
    finish: "tool-calls"
  }) as const
const call = (number: number, value: unknown, ...operations: ReadonlyArray<StateDelta.Operation>) =>
  ({
    kind: "call",
    call: `i1.1.${number}`,
    tool: `t${number}`,
    result: { isFailure: false, value },
    delta: StateDelta.make(operations, { notes: 1 }),
    actions: Actions.none
  }) as const
const question = { id: "i1.1.1?1", name: "confirm", question: "Sure?", call: "i1.1.1", tool: "t1", agentPath: ["a"] }

const folded = (...bodies: ReadonlyArray<Loose>) => Result.getOrThrow(Session.fold(log(...bodies), known))

describe("Session", () => {
  describe("fold", () => {
    it("is for no events a session of nobody", () => {
      const session = Result.getOrThrow(Session.fold([]))
      assert.deepStrictEqual([session.ref, session.revision, session.history, session.open], [
        { app: "", session: "" },
        0,
        [],
        []
      ])
    })

    it("names the session by event 0", () => {
      assert.deepStrictEqual(folded(created).ref, ref)
    })

    it("applies deltas in order, from the initial values in event 0", () => {
      const { state, revision } = folded(
        { ...created, sections: { notes: { version: 1, fields: { title: "Old default", count: 5 } } } },
        hook({ op: "sum", field: "notes.count", value: 2 }),
        call(1, null, { op: "set", field: "notes.title", value: "New" }, { op: "sum", field: "notes.count", value: 1 })
      )
      assert.deepStrictEqual([state.get(Notes.title), state.get(Notes.count), revision], ["New", 8, 3])
    })

    it("gives a field its initial value where the log has none", () => {
      const { state } = folded({ ...created, sections: {} })
      assert.deepStrictEqual([state.get(Notes.title), state.get(Notes.scratch)], ["Untitled", 0])
    })

    it("leaves a sub-agent's deltas out of its parent's state", () => {
      const { state } = folded(
        created,
        { ...input, agent: "a-sub-1", path: ["a", "b"], spawn: { agent: "a", call: "i1.1.1", base: 1 } },
        { ...hook({ op: "sum", field: "notes.count", value: 2 }), agent: "a-sub-1", path: ["a", "b"] }
      )
      assert.strictEqual(state.get(Notes.count), 0)
    })

    it("carries through what it does not know", () => {
      const { state } = folded(
        { ...created, sections: { ...created.sections, later: { version: 4, fields: { x: [1] } } } },
        {
          ...hook({ op: "append", field: "later.x", values: [2] }),
          delta: StateDelta.make([{ op: "append", field: "later.x", values: [2] }], { later: 4 })
        }
      )
      assert.deepStrictEqual([state.values.get("later.x"), state.versions.get("later")], [[1, 2], 4])
    })

    it("reads messages and questions of a log whose sections it does not know", () => {
      const raised = {
        ...hook(),
        delta: StateDelta.make([{ op: "set", field: "notes.title", value: "New" }], { notes: 2 })
      }
      const session = Result.getOrThrow(
        Session.fold(log(created, input, hook({ op: "sum", field: "notes.count", value: 1 }), raised))
      )
      assert.strictEqual(session.history.length, 1)
      assert.deepStrictEqual([...session.state.values.keys()], [])
      assert.throws(() => session.state.get(Notes.title), "the state at 'notes' (version 2)")
    })

    it.effect("writes no envelope of a state that it could not read whole", () =>
      Effect.gen(function*() {
        const raised = {
          ...hook(),
          delta: StateDelta.make([{ op: "set", field: "notes.title", value: "New" }], { notes: 2 })
        }
        const later = { ...hook(), sections: { notes: { version: 2, fields: { more: 1 } } } }
        const { state } = Result.getOrThrow(
          Session.fold(log(created, input, raised, later, hook({ op: "sum", field: "notes.count", value: 1 })))
        )
        const error = yield* Effect.flip(StateSerializer.make([]).serialize(state))
        assert.deepStrictEqual([error._tag, error.section, error.version], ["StateError", "notes", 2])
      }))

    it.each([
      ["a value that does not fit", [hook({ op: "set", field: "notes.count", value: "two" })], ["notes", 1, ["count"]]],
      ["an operation that does not fit its value", [hook({ op: "append", field: "notes.count", values: [1] })], [
        "notes",
        1,
        ["count"]
      ]],
      ["a section of a newer program", [{
        ...hook(),
        delta: { versions: { notes: 2 }, operations: [{ op: "unset", field: "notes.x" }] }
      }], ["notes", 2, []]]
    ] as ReadonlyArray<readonly [string, ReadonlyArray<Loose>, readonly [string, number, ReadonlyArray<string>]]>)(
      "fails on %s, with section, version and path",
      (_, bodies, place) => {
        const error = Result.getOrThrow(Result.flip(Session.fold(log(created, ...bodies), known)))
        assert.deepStrictEqual([error._tag, error.section, error.version, error.path], ["StateError", ...place])
      }
    )

    it("tells that a shared field is in no log", () => {
      assert.throws(
        () => folded(created).state.get(Person.name),
        "'person.name' is shared by sessions: load the session from its store to read it"
      )
    })

    it("puts the results of a step into one message, in the order asked, once all are there", () => {
      const results = (session: Session.Session) =>
        session.history.flatMap((message) => message.role === "tool" ? message.content : [])
          .map((part) => part.type === "tool-result" ? [part.id, part.name, part.result] : [])
      const events = [created, input, model("t1", "t2"), call(2, "second")] as const
      assert.deepStrictEqual(results(folded(...events)), [])
      assert.deepStrictEqual(
        results(folded(...events, call(1, "first"))),
        [["p0", "t1", "first"], ["p1", "t2", "second"]]
      )
    })

    it("lists the questions that wait, in the order asked", () => {
      const asked = { kind: "asked", question }
      const other = { ...question, id: "i1.1.2?1", call: "i1.1.2" }
      const open = (...bodies: ReadonlyArray<Loose>) => folded(created, ...bodies).open.map(({ id }) => id)
      assert.deepStrictEqual(open({ ...asked, kind: "asked" }, { kind: "asked", question: other }), [
        "i1.1.1?1",
        "i1.1.2?1"
      ])
      assert.deepStrictEqual(
        open({ kind: "asked", question }, { kind: "answered", question: question.id, answer: true }),
        []
      )
      assert.deepStrictEqual(open({ kind: "asked", question }, call(1, "closed")), [])
    })
  })

  // ----- with a store ---------------------------------------------------------

  const Rename = Tool.make("rename", { writes: [Person.name, Notes.title] })
  const kit = Toolkit.make(Rename)
  const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [] })
  const ran = AgentRunner.run(agent, { ...ref, input: "Go" }).pipe(Effect.provide([
    Toolkit.layer(kit, { rename: () => Effect.andThen(Person.name.set("Ada"), Notes.title.set("Letters")) }),
    ScriptedModel.layer([ScriptedModel.call("rename"), ScriptedModel.text("Done.")])
  ]))

  describe("load", () => {
    it.effect("reads a session with its shared fields, by sections or by its agent", () =>
      Effect.gen(function*() {
        yield* ran
        for (const by of [known, agent]) {
          const { state, revision } = yield* Session.load(ref, by)
          assert.deepStrictEqual([state.get(Person.name), state.get(Notes.title), state.get(Person.city)], [
            "Ada",
            "Letters",
            Option.none()
          ])
          assert.strictEqual(revision, 6)
        }
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("fails on a session that is not there", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(Session.load({ ...ref, session: "none" }))
        assert.deepInclude(error, { _tag: "SessionMissing", app: "app", user: "u", session: "none" })
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("newest and page", () => {
    const Up = Tool.make("up", { success: Schema.Int, combines: [Notes.count] })
    const kit = Toolkit.make(Up)
    const Counter = Agent.make("app", { instructions: "", toolkit: kit })
    const live = Toolkit.layer(kit, { up: () => Effect.as(Notes.count.combine(1), 1) })
    const turn = [...Array.from({ length: 9 }, () => ScriptedModel.call("up")), ScriptedModel.text("Counted.")]
    const turns = (count: number) => ScriptedModel.layer(Array.from({ length: count }, () => turn).flat())
    const run = (input: string) => AgentRunner.run(Counter, { ...ref, input })

    it.effect("gives what load gives, out of a snapshot that runs take and the events since", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const taken: Array<number | undefined> = []
        for (let index = 0; index < 30; index++) {
          yield* run("Count.")
          if (index === 17) yield* Session.write(ref, [Person.city.to("Bergen"), Notes.title.to("Mine")])
          const whole = yield* Session.load(ref, known)
          const newest = yield* Session.newest(ref, known)
          assert.deepStrictEqual(
            [newest.revision, newest.state.values, newest.state.versions, newest.open],
            [whole.revision, whole.state.values, whole.state.versions, whole.open]
          )
          taken.push(Option.getOrThrow(yield* store.newest(ref)).snapshot?.revision)
        }
        const { state } = yield* Session.newest(ref, known)
        assert.deepStrictEqual(
          [state.get(Notes.count), state.get(Notes.title), state.get(Person.city)],
          [270, "Mine", Option.some("Bergen")]
        )
        assert.deepStrictEqual([...new Set(taken)], [undefined, 274, 527])
      }).pipe(Effect.provide([live, turns(30), SessionStore.layerMemory])))

    // behind the snapshot, to its very end, and before it
    it.effect.each([280, 274, 273, 272, 40])(
      "gives what load gives, where a session goes back to event %i",
      (to) =>
        Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          for (let index = 0; index < 19; index++) yield* run("Count.")
          const snapshot = Option.getOrThrow(yield* store.newest(ref)).snapshot as SessionStore.Snapshot
          assert.strictEqual(snapshot.revision, 274)
          yield* History.rewind(ref, { to })
          // as it is, and past one that another process took before and keeps only now
          const keep = Effect.scoped(
            Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, snapshot, lease))
          )
          for (const before of [Effect.void, keep]) {
            yield* before
            const [whole, newest] = [yield* Session.load(ref, known), yield* Session.newest(ref, known)]
            assert.deepStrictEqual(
              [newest.revision, newest.state.values, newest.state.versions],
              [whole.revision, whole.state.values, whole.state.versions]
            )
          }
        }).pipe(Effect.provide([live, turns(19), SessionStore.layerMemory]))
    )

    it.effect("takes no snapshot of a state that cannot be read", () =>
      Effect.gen(function*() {
        const { events } = yield* Effect.andThen(run("Count."), Session.load(ref, known))
        const later = events.map((event) =>
          event.kind === "created"
            ? { ...event, sections: { ...event.sections, notes: { version: 9, fields: {} } } }
            : event
        )
        assert.isUndefined(snapshotOf(new Log(later), Counter.definition.sections))
        assert.isDefined(snapshotOf(new Log(events), Counter.definition.sections))
      }).pipe(Effect.provide([live, turns(1), SessionStore.layerMemory])))

    it.effect("reads the log where the snapshot is of a later program", () =>
      Effect.gen(function*() {
        yield* run("Count.")
        const store = yield* SessionStore.SessionStore
        yield* Effect.scoped(Effect.flatMap(store.lease(ref), (lease) =>
          store.saveSnapshot(ref, { revision: 10, data: { format: "tenon/snapshot/2" } }, lease)))
        assert.strictEqual((yield* Session.newest(ref, known)).state.get(Notes.count), 9)
      }).pipe(Effect.provide([live, turns(1), SessionStore.layerMemory])))

    it.effect("pages through all messages once, from the last to the first, in whole steps", () =>
      Effect.gen(function*() {
        yield* run("One.")
        yield* run("Two.")
        const { events, transcript } = yield* Session.load(ref)
        for (const limit of [1, 2, 3, 7, 100, -1, Number.NaN]) {
          const pages: Array<Session.Page> = []
          let before: number | undefined
          do {
            const page: Session.Page = yield* Session.page(ref, { before, limit })
            pages.unshift(page)
            before = page.before
          } while (before !== undefined)
          assert.deepStrictEqual(pages.flatMap(({ messages }) => messages), transcript)
          assert.deepStrictEqual(pages.flatMap((page) => page.events), events)
          for (const { messages } of pages) assert.notStrictEqual(messages[0]?.role, "tool")
        }
      }).pipe(Effect.provide([live, turns(2), SessionStore.layerMemory])))

    it.effect("fail where there is no such session", () =>
      Effect.gen(function*() {
        const reads: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, SessionStore.SessionStore>> = [
          Session.newest(ref),
          Session.page(ref),
          Session.page(ref, { before: 3 })
        ]
        for (const read of reads) {
          assert.strictEqual((yield* Effect.flip(read))._tag, "SessionMissing")
        }
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("write", () => {
    it.effect("is one event that holds session fields, and rows that hold shared ones", () =>
      Effect.gen(function*() {
        yield* ran
        yield* Session.write(ref, [Notes.title.to("From outside"), Person.name.to("Grace")])
        const session = yield* Session.load(ref, known)
        assert.deepStrictEqual([session.state.get(Notes.title), session.state.get(Person.name)], [
          "From outside",
          "Grace"
        ])
        assert.deepInclude(session.events.at(-1), {
          kind: "hook",
          middleware: "session",
          hook: "write",
          agent: "agent",
          delta: { versions: { notes: 1 }, operations: [{ op: "set", field: "notes.title", value: "From outside" }] },
          shared: {
            operations: [{ op: "set", field: "person.name", value: "Grace" }],
            versions: { "person.name": 2 }
          }
        })
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("is refused where the session is missing, is run, or the user is", () =>
      Effect.gen(function*() {
        const failure = (of: SessionStore.Ref, ...writes: ReadonlyArray<State.Assignment>) =>
          Effect.map(Effect.flip(Session.write(of, writes)), ({ _tag }) => _tag)
        assert.strictEqual(yield* failure(ref, Notes.title.to("x")), "SessionMissing")
        const started = yield* Deferred.make<void>()
        const slow = yield* Effect.forkChild(
          AgentRunner.run(agent, { ...ref, input: "Go" }).pipe(
            Effect.provide([
              Toolkit.layer(kit, { rename: () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never) }),
              ScriptedModel.layer([ScriptedModel.call("rename")])
            ])
          )
        )
        yield* Deferred.await(started)
        assert.strictEqual(yield* failure(ref, Notes.title.to("x")), "SessionBusy")
        yield* Fiber.interrupt(slow)
        const { app, session } = ref
        const anonymous = Agent.make("anonymous", { instructions: "" })
        yield* AgentRunner.run(anonymous, { app, session, input: "Go" }).pipe(
          Effect.provide(ScriptedModel.layer([ScriptedModel.text("Hello.")]))
        )
        assert.strictEqual(yield* failure({ app, session }, Person.name.to("x")), "UserMissing")
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("encode and decode", () => {
    it.effect("carry a session's log through JSON text, and its fold with it", () =>
      Effect.gen(function*() {
        const { session } = yield* ran
        const text = JSON.stringify(Session.encode(session.events))
        const events = Result.getOrThrow(Session.decode(JSON.parse(text)))
        assert.strictEqual(JSON.stringify(Session.encode(events)), text)
        assert.deepStrictEqual(events, session.events)
        const again = Result.getOrThrow(Session.fold(events, known))
        assert.strictEqual(again.state.get(Notes.title), "Letters")
        assert.deepStrictEqual(again.history, session.history)
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.each([
      ["null", null, []],
      ["another format", { format: "tenon/state", version: 1, events: [] }, ["format"]],
      ["a newer format", { format: "tenon/session", version: 2, events: [] }, ["version"]],
      ["events that are no list", { format: "tenon/session", version: 1, events: {} }, ["events"]],
      [
        "an event that does not fit",
        { format: "tenon/session", version: 1, events: [{ kind: "dreamed" }] },
        ["events", "0"]
      ]
    ])("fail on %s, with its place", (_, input, path) => {
      const error = Result.getOrThrow(Result.flip(Session.decode(input)))
      assert.deepStrictEqual([error._tag, error.section, error.path], ["StateError", "session", path])
    })

    it("fail where an event is missing or out of place", () => {
      const { events, ...rest } = Session.encode(log(created, input, hook())) as {
        readonly events: ReadonlyArray<Schema.Json>
      }
      for (const wrong of [[events[0], events[2]], [events[1], events[0]]]) {
        const error = Result.getOrThrow(Result.flip(Session.decode({ ...rest, events: wrong })))
        assert.include(error.message, "an event is missing or out of place")
      }
    })
  })
})
