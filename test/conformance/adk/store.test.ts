/** Sessions in a database: a file of SQLite, which each step opens anew, as another process would. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, AgentRunner, Event, Reducer, Session, SessionStore, State } from "tenon"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { freshFile } from "../../sql/file.ts"

const Keys = State.make("keys", {
  own: State.optional(Schema.String),
  own2: State.optional(Schema.String),
  user: State.optional(Schema.String, { scope: "user" }),
  user2: State.optional(Schema.String, { scope: "user" }),
  app: State.optional(Schema.String, { scope: "app" }),
  app2: State.optional(Schema.String, { scope: "app" }),
  counter: State.optional(Schema.Int, { scope: "user" }),
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "app" })
})
const Keeper = Agent.make("keeper", { instructions: "Keep." })
const some = Option.some<string>
const none = Option.none<string>()

/** A file, and what one does with it. */
const opened = Effect.map(freshFile, (filename) => {
  const anew = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
    Effect.provide(effect, SqlStore.layerSqlite({ filename }))
  const ref = (user: string, session: string): SessionStore.Ref => ({ app: "keeper", user, session })
  return {
    anew,
    ref,
    /** Begins a session, or goes on with it. */
    say: (user: string, session: string, state: ReadonlyArray<State.Assignment> = []) =>
      anew(
        AgentRunner.run(Keeper, { user, session, input: "Hello.", state }).pipe(
          Effect.provide(ScriptedModel.layer([ScriptedModel.text("Hi.")]))
        )
      ),
    write: (user: string, session: string, ...state: ReadonlyArray<State.Assignment>) =>
      anew(Session.write(ref(user, session), state)),
    read: (user: string, session: string) =>
      Effect.map(
        anew(Session.load(ref(user, session), [Keys])),
        ({ state }) => (name: "own" | "own2" | "user" | "user2" | "app" | "app2") => state.get(Keys[name])
      ),
    list: (user?: string) =>
      Effect.map(
        anew(Effect.flatMap(SessionStore.SessionStore, (store) => store.list({ app: "keeper", user }))),
        ({ sessions }) => sessions.map(({ ref }) => `${ref.user} ${ref.session}`).toSorted()
      )
  }
})

const event = (sequence: number): Event.Event => ({
  kind: "ended",
  id: `s1/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "keeper",
  path: ["keeper"],
  time: 0,
  status: "completed",
  elapsed: 0
})

describe("adk 2.2: sessions in a store", () => {
  it.effect("T022 lists the sessions that there are, each with its own state", () =>
    Effect.gen(function*() {
      const { list, read, say } = yield* opened
      const names = ["session0", "session1", "session2", "session3", "session4"]
      for (const name of names) yield* say("u", name, [Keys.own.to(`value${name}`)])
      assert.deepStrictEqual(yield* list("u"), names.map((name) => `u ${name}`))
      for (const name of names) assert.deepStrictEqual((yield* read("u", name))("own"), some(`value${name}`))
    }))

  it.effect("T023 lists the sessions of all users where none is named", () =>
    Effect.gen(function*() {
      const { list, say } = yield* opened
      for (const [user, session] of [["u1", "a"], ["u1", "b"], ["u2", "a"]] as const) yield* say(user, session)
      assert.deepStrictEqual(yield* list(), ["u1 a", "u1 b", "u2 a"])
    }))

  it.effect("T024 shares what is the app's with all, and what is a user's with the user's sessions", () =>
    Effect.gen(function*() {
      const { read, say, write } = yield* opened
      yield* say("u1", "11", [Keys.own.to("value11")])
      yield* say("u1", "12")
      yield* say("u2", "2")
      yield* write("u1", "11", Keys.app.to("value"), Keys.user.to("value1"), Keys.own.to("value11_new"))
      const [s11, s12, s2] = [yield* read("u1", "11"), yield* read("u1", "12"), yield* read("u2", "2")]
      assert.deepStrictEqual([s11("own"), s11("user"), s11("app")], [
        some("value11_new"),
        some("value1"),
        some("value")
      ])
      assert.deepStrictEqual([s12("own"), s12("user"), s12("app")], [none, some("value1"), some("value")])
      assert.deepStrictEqual([s2("own"), s2("user"), s2("app")], [none, none, some("value")])
    }))

  it.effect("T026 keeps an app's state for all of its users", () =>
    Effect.gen(function*() {
      const { read, say, write } = yield* opened
      yield* say("u1", "s1", [Keys.app.to("v1")])
      yield* write("u1", "s1", Keys.app2.to("v2"))
      yield* say("u2", "s2")
      for (const [user, session] of [["u1", "s1"], ["u2", "s2"]] as const) {
        const get = yield* read(user, session)
        assert.deepStrictEqual([get("app"), get("app2")], [some("v1"), some("v2")])
      }
    }))

  it.effect("T027 keeps a user's state for all of their sessions, and from other users", () =>
    Effect.gen(function*() {
      const { read, say, write } = yield* opened
      yield* say("u1", "s1", [Keys.user.to("v1")])
      yield* write("u1", "s1", Keys.user2.to("v2"))
      yield* say("u1", "s1b")
      yield* say("u2", "s2")
      const [own, other] = [yield* read("u1", "s1b"), yield* read("u2", "s2")]
      assert.deepStrictEqual([own("user"), own("user2")], [some("v1"), some("v2")])
      assert.deepStrictEqual([other("user"), other("user2")], [none, none])
    }))

  it.effect("T028 keeps a session's state from the user's other sessions", () =>
    Effect.gen(function*() {
      const { read, say, write } = yield* opened
      yield* say("u1", "s1", [Keys.own.to("v1")])
      yield* write("u1", "s1", Keys.own2.to("v2"))
      yield* say("u1", "s1b")
      const [first, second] = [yield* read("u1", "s1"), yield* read("u1", "s1b")]
      assert.deepStrictEqual([first("own"), first("own2")], [some("v1"), some("v2")])
      assert.deepStrictEqual([second("own"), second("own2")], [none, none])
    }))

  it.effect("T031 tells one user's session from another's of the same id", () =>
    Effect.gen(function*() {
      const { anew, ref, say } = yield* opened
      yield* say("u1", "s1")
      const missing = yield* Effect.flip(anew(Session.load(ref("u2", "s1"))))
      assert.strictEqual(missing._tag, "SessionMissing")
      yield* say("u2", "s1")
      assert.strictEqual((yield* anew(Session.load(ref("u2", "s1")))).revision, 4)
    }))

  it.effect("T034 gives bytes back as they were", () =>
    Effect.gen(function*() {
      const { anew, ref } = yield* opened
      const data = new TextEncoder().encode("test_image_data")
      const { agent, id, invocation, path, sequence, time } = event(0)
      const input: Event.Event = {
        kind: "input",
        message: Prompt.userMessage({ content: [Prompt.filePart({ mediaType: "image/png", data })] }),
        delta: { versions: {}, operations: [] },
        agent,
        id,
        invocation,
        path,
        sequence,
        time
      }
      const store = SessionStore.SessionStore
      yield* anew(Effect.flatMap(store, ({ append }) => append(ref("u", "s1"), { expected: 0, events: () => [input] })))
      const events = yield* anew(Effect.flatMap(store, ({ load }) => load(ref("u", "s1"))))
      assert.deepStrictEqual(Option.getOrThrow(events).map(Event.encode), [Event.encode(input)])
    }))

  it.effect("T041 lets one of two stale copies append, round after round", () =>
    Effect.gen(function*() {
      const { anew, ref } = yield* opened
      const append = (sequence: number) =>
        anew(Effect.flatMap(SessionStore.SessionStore, (store) =>
          store.append(ref("u", "s1"), { expected: sequence, events: () => [event(sequence)] })))
      for (let round = 0; round < 8; round++) {
        const exits = yield* Effect.all([append(round), append(round)].map(Effect.exit), { concurrency: 2 })
        assert.deepStrictEqual(exits.filter(Exit.isSuccess).length, 1)
      }
      assert.strictEqual((yield* anew(Session.load(ref("u", "s1")))).revision, 8)
    }))

  it.effect("T044 leaves nothing half stored by appends that fail, and works after", () =>
    Effect.gen(function*() {
      const { anew, ref, say, write } = yield* opened
      yield* say("u", "s1", [Keys.user.to("before")])
      const failing = anew(Effect.flatMap(SessionStore.SessionStore, (store) =>
        store.append(ref("u", "s1"), {
          expected: 4,
          writes: [{
            scope: "user",
            operation: { op: "set", field: "keys.user", value: "after" },
            initial: undefined,
            section: 1
          }],
          events: () => {
            throw new TypeError("no event")
          }
        })))
      for (let time = 0; time < 5; time++) assert.isTrue(Exit.isFailure(yield* Effect.exit(failing)))
      const loaded = yield* anew(Session.load(ref("u", "s1"), [Keys]))
      assert.deepStrictEqual([loaded.revision, loaded.state.get(Keys.user)], [4, some("before")])
      yield* write("u", "s1", Keys.user.to("after"))
      assert.deepStrictEqual((yield* anew(Session.load(ref("u", "s1"), [Keys]))).state.get(Keys.user), some("after"))
    }))

  it.effect("T046 lets two first writes of an app's state both come through", () =>
    Effect.gen(function*() {
      const { anew, ref } = yield* opened
      const visit = (session: string) =>
        anew(Effect.flatMap(SessionStore.SessionStore, (store) =>
          store.append(ref("u", session), {
            expected: 0,
            writes: [{
              scope: "app",
              operation: { op: "sum", field: "keys.visits", value: 1 },
              initial: 0,
              section: 1
            }],
            events: () => [event(0)]
          })))
      yield* Effect.all([visit("s1"), visit("s2")], { concurrency: 2 })
      assert.strictEqual((yield* anew(Session.load(ref("u", "s1"), [Keys]))).state.get(Keys.visits), 2)
    }))

  it.effect("T051 keeps the later of two writes", () =>
    Effect.gen(function*() {
      const { anew, ref, say, write } = yield* opened
      yield* say("u", "s1", [Keys.counter.to(1)])
      yield* write("u", "s1", Keys.counter.to(2))
      assert.deepStrictEqual(
        (yield* anew(Session.load(ref("u", "s1"), [Keys]))).state.get(Keys.counter),
        Option.some(2)
      )
    }))

  it.effect("T052 keeps the order of events of one time", () =>
    Effect.gen(function*() {
      const { anew, ref } = yield* opened
      const events = Array.from({ length: 6 }, (_, sequence) => event(sequence))
      const store = SessionStore.SessionStore
      for (const each of events) {
        yield* anew(
          Effect.flatMap(
            store,
            ({ append }) => append(ref("u", "s1"), { expected: each.sequence, events: () => [each] })
          )
        )
      }
      assert.deepStrictEqual(
        yield* anew(Effect.flatMap(store, ({ load }) => load(ref("u", "s1")))),
        Option.some(events)
      )
    }))

  it.effect("T053 stores an event once that comes twice, and tells whoever brings it again", () =>
    Effect.gen(function*() {
      const { anew, ref } = yield* opened
      const append = anew(
        Effect.flatMap(
          SessionStore.SessionStore,
          (store) => store.append(ref("u", "s1"), { expected: 0, events: () => [event(0)] })
        )
      )
      yield* append
      assert.strictEqual((yield* Effect.flip(append))._tag, "StaleSession")
      assert.strictEqual((yield* anew(Session.load(ref("u", "s1")))).revision, 1)
    }))

  it.effect("T057 lists the sessions of a user alone", () =>
    Effect.gen(function*() {
      const { list, say } = yield* opened
      for (const user of ["user", "user2", "user"]) yield* say(user, "s1")
      assert.deepStrictEqual(yield* list("user"), ["user s1"])
    }))
})
