import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Result, Schema } from "effect"
import { Agent, AgentRunner, type Event, Reducer, SessionStore, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const ref = { app: "app", user: "u", session: "s" }

const event = (sequence: number): Event.Event => ({
  kind: "ended",
  id: `s/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 0,
  status: "completed",
  elapsed: 0
})

/** One write of a user's field. */
const setting = (field: string, value: Schema.Json): SessionStore.SharedWrite => ({
  scope: "user",
  operation: { op: "set", field, value },
  initial: undefined,
  section: 1
})

const rowsOf = Effect.fnUntraced(function*(of: SessionStore.Ref, ...fields: ReadonlyArray<string>) {
  const store = yield* SessionStore.SessionStore
  const rows = yield* store.shared(of, fields.map((field) => ({ scope: "user", field })))
  return fields.map((field) => [rows.get(field)?.value, rows.get(field)?.version])
})

describe("SessionStore", () => {
  describe("load", () => {
    it.effect("finds no session that nobody wrote", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        assert.deepStrictEqual(yield* store.load(ref), Option.none())
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("gives the events in order, in a list of the reader's own", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        yield* store.append(ref, { expected: 0, events: () => [event(0), event(1)] })
        const first = Option.getOrThrow(yield* store.load(ref)) as Array<Event.Event>
        first.pop()
        yield* store.append({ ...ref }, { expected: 2, events: () => [event(2)] })
        assert.deepStrictEqual(yield* store.load({ ...ref }), Option.some([event(0), event(1), event(2)]))
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("tells sessions apart by app, user and name", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        yield* store.append(ref, { expected: 0, events: () => [event(0)] })
        for (const other of [{ ...ref, app: "b" }, { ...ref, user: "v" }, { app: "app", session: "s" }]) {
          assert.deepStrictEqual(yield* store.load(other), Option.none())
        }
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("append", () => {
    it.effect("refuses a revision that is not the session's, and says which it is", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        yield* store.append(ref, { expected: 0, events: () => [event(0)] })
        for (const expected of [0, 2]) {
          const error = yield* Effect.flip(store.append(ref, { expected, events: () => [event(1)] }))
          assert.deepInclude(error, { _tag: "StaleSession", session: "s", expected, actual: 1 })
        }
        assert.deepStrictEqual(yield* store.load(ref), Option.some([event(0)]))
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("writes rows with the events, tells them their versions, and raises those by every write", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const seen: Array<unknown> = []
        yield* store.append(ref, {
          expected: 0,
          writes: [setting("p.a", 1), setting("p.a", 2), setting("p.b", 1)],
          events: (versions) => {
            seen.push(versions)
            return [event(0)]
          }
        })
        assert.deepStrictEqual(seen, [{ "p.a": 2, "p.b": 1 }])
        assert.deepStrictEqual(yield* rowsOf(ref, "p.a", "p.b", "p.c"), [[2, 2], [1, 1], [undefined, 0]])
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("writes nothing at all where a row has changed, and names it", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        yield* store.append(ref, { expected: 0, writes: [setting("p.a", 1)], events: () => [event(0)] })
        const error = yield* Effect.flip(store.append(ref, {
          expected: 1,
          writes: [setting("p.b", 9)],
          unchanged: new Map([["p.a", { scope: "user", version: 0 }], ["p.b", { scope: "user", version: 0 }]]),
          events: () => [event(1)]
        }))
        assert.deepInclude(error, { _tag: "StateConflict", fields: ["p.a"] })
        assert.deepStrictEqual(yield* rowsOf(ref, "p.b"), [[undefined, 0]])
        assert.deepStrictEqual(yield* store.load(ref), Option.some([event(0)]))
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("writes nothing at all where an operation does not fit its row", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const sum = { ...setting("p.a", 0), operation: { op: "sum", field: "p.a", value: 1 } } as const
        const written = yield* Effect.result(store.append(ref, {
          expected: 0,
          writes: [setting("p.b", 1), setting("p.a", "text"), sum],
          events: () => [event(0)]
        }))
        assert.strictEqual(
          Result.isFailure(written) && written.failure.message,
          "the session store failed: 'sum' on 'p.a': the stored value is not a number"
        )
        assert.deepStrictEqual(yield* rowsOf(ref, "p.a", "p.b"), [[undefined, 0], [undefined, 0]])
        assert.deepStrictEqual(yield* store.load(ref), Option.none())
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("stores an initial value as no write: it meets no version that somebody saw", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const field = "profile.name"
        const write = { scope: "user", initial: "none", section: 1 } as const
        yield* store.append(ref, {
          expected: 0,
          events: () => [event(0)],
          writes: [{ ...write, operation: { op: "set", field, value: "none" }, ifAbsent: true }]
        })
        yield* store.append(ref, {
          expected: 1,
          events: () => [event(1)],
          writes: [{ ...write, operation: { op: "set", field, value: "Ada" } }],
          unchanged: new Map([[field, { scope: "user", version: 0 }]])
        })
        const rows = yield* store.shared(ref, [{ scope: "user", field }])
        assert.deepStrictEqual(rows.get(field), { value: "Ada", version: 1, section: 1 })
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("shared", () => {
    it.effect("keeps a user's rows for all of their sessions in an app, and an app's for all of its users", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        yield* store.append(ref, {
          expected: 0,
          writes: [setting("p.a", 1), { ...setting("p.a", 2), scope: "app" }],
          events: () => [event(0)]
        })
        const valuesIn = (of: SessionStore.Ref) =>
          Effect.all(
            (["user", "app"] as const).map((scope) =>
              Effect.map(store.shared(of, [{ scope, field: "p.a" }]), (rows) => rows.get("p.a")?.value)
            )
          )
        assert.deepStrictEqual(yield* valuesIn({ ...ref, session: "other" }), [1, 2])
        assert.deepStrictEqual(yield* valuesIn({ ...ref, user: "v" }), [undefined, 2])
        assert.deepStrictEqual(yield* valuesIn({ ...ref, app: "b" }), [undefined, undefined])
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("lease", () => {
    it.effect("is one at a time for each session, and free again when its scope closes", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const refused = yield* Effect.scoped(Effect.gen(function*() {
          yield* store.lease(ref)
          yield* store.lease({ ...ref, session: "other" })
          return yield* Effect.flip(store.lease({ ...ref }))
        }))
        assert.deepInclude(refused, { _tag: "SessionBusy", session: "s" })
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(Effect.scoped(store.lease(ref)))))
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("list", () => {
    it.effect("gives the sessions of an app, or of one of its users", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const all = [ref, { ...ref, session: "t" }, { ...ref, user: "v" }, { app: "app", session: "s" }, {
          ...ref,
          app: "b"
        }]
        for (const each of all) yield* store.append(each, { expected: 0, events: () => [event(0)] })
        assert.deepStrictEqual(yield* store.list({ app: "app" }), all.slice(0, 4))
        assert.deepStrictEqual(yield* store.list({ app: "app", user: "u" }), all.slice(0, 2))
        assert.deepStrictEqual(yield* store.list({ app: "none" }), [])
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("layerMemoryWith", () => {
    it.effect("starts with the sessions that it is given, and does not write into them", () =>
      Effect.gen(function*() {
        const events = [event(0)]
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          yield* store.append(ref, { expected: 1, events: () => [event(1)] })
          assert.deepStrictEqual(yield* store.load(ref), Option.some([event(0), event(1)]))
        }).pipe(Effect.provide(SessionStore.layerMemoryWith([{ ref, events }])))
        assert.deepStrictEqual(events, [event(0)])
      }))
  })

  it.effect("lets calls of one step write different fields of a section that nobody wrote before", () =>
    Effect.gen(function*() {
      const Profile = State.make("profile", {
        name: State.field(Schema.String, { initial: "none", scope: "user" }),
        visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" })
      })
      const Rename = Tool.make("rename", { writes: [Profile.name] })
      const Visit = Tool.make("visit", { combines: [Profile.visits] })
      const kit = Toolkit.make(Rename, Visit)
      const agent = Agent.make("greeter", { instructions: "", toolkit: kit })
      const result = yield* AgentRunner.run(agent, { user: "u", session: "s", input: "Hi" }).pipe(Effect.provide([
        // the one that is asked for first ends last
        Toolkit.layer(kit, {
          rename: () => Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 20 }), Profile.name.set("Ada")),
          visit: () => Profile.visits.combine(1)
        }),
        ScriptedModel.layer([ScriptedModel.calls({ tool: "rename" }, { tool: "visit" }), ScriptedModel.text("Hello.")]),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(result.session.state.get(Profile.name), "Ada")
      assert.strictEqual(result.session.state.get(Profile.visits), 1)
    }))
})
