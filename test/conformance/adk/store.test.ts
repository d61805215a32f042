/** Sessions in every store; a database is opened anew by each step, as another process would. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Option, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, AgentRunner, Event, Reducer, Session, SessionStore, State } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { Postgres } from "../../sql/postgres.ts"
import { onEachSessionStore } from "./backends.ts"

const Keys = State.make("keys", {
  own: State.optional(Schema.String),
  own2: State.optional(Schema.String),
  user: State.optional(Schema.String, { scope: "user" }),
  user2: State.optional(Schema.String, { scope: "user" }),
  app: State.optional(Schema.String, { scope: "app" }),
  app2: State.optional(Schema.String, { scope: "app" }),
  counter: State.optional(Schema.Int, { scope: "user" }),
  temp: State.optional(Schema.String, { scope: "temp" }),
  profile: State.optional(Schema.Struct({ tags: Schema.Array(Schema.String) }), { scope: "user" }),
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "app" })
})
const Keeper = Agent.make("keeper", { instructions: "Keep." })
const some = Option.some<string>
const none = Option.none<string>()

/** What one does with a store. */
const worldOf = (layer: Layer.Layer<SessionStore.SessionStore, unknown>) => {
  const anew = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
    Effect.provide(effect, Layer.orDie(layer))
  const onStore = <A, E>(use: (store: SessionStore.SessionStore["Service"]) => Effect.Effect<A, E>) =>
    anew(Effect.flatMap(SessionStore.SessionStore, use))
  const ref = (user: string, session: string): SessionStore.Ref => ({ app: "keeper", user, session })
  return {
    anew,
    onStore,
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
}

/** The same on every store. */
const everywhere = <A, E, R>(test: (world: ReturnType<typeof worldOf>) => Effect.Effect<A, E, R>) =>
  onEachSessionStore((layer) => test(worldOf(layer)))

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

layer(Postgres.layer, { timeout: "60 seconds" })("adk 2.2: sessions in a store", (it) => {
  it.effect("T022 lists the sessions that there are, each with its own state", () =>
    everywhere(({ list, read, say }) =>
      Effect.gen(function*() {
        const names = ["session0", "session1", "session2", "session3", "session4"]
        for (const name of names) yield* say("u", name, [Keys.own.to(`value${name}`)])
        assert.deepStrictEqual(yield* list("u"), names.map((name) => `u ${name}`))
        for (const name of names) assert.deepStrictEqual((yield* read("u", name))("own"), some(`value${name}`))
      })
    ))

  it.effect("T023 lists the sessions of all users where none is named", () =>
    everywhere(({ list, say }) =>
      Effect.gen(function*() {
        for (const [user, session] of [["u1", "a"], ["u1", "b"], ["u2", "a"]] as const) yield* say(user, session)
        assert.deepStrictEqual(yield* list(), ["u1 a", "u1 b", "u2 a"])
      })
    ))

  it.effect("T024 shares what is the app's with all, and what is a user's with the user's sessions", () =>
    everywhere(({ read, say, write }) =>
      Effect.gen(function*() {
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
      })
    ))

  it.effect("T026 keeps an app's state for all of its users", () =>
    everywhere(({ read, say, write }) =>
      Effect.gen(function*() {
        yield* say("u1", "s1", [Keys.app.to("v1")])
        yield* write("u1", "s1", Keys.app2.to("v2"))
        yield* say("u2", "s2")
        for (const [user, session] of [["u1", "s1"], ["u2", "s2"]] as const) {
          const get = yield* read(user, session)
          assert.deepStrictEqual([get("app"), get("app2")], [some("v1"), some("v2")])
        }
      })
    ))

  it.effect("T027 keeps a user's state for all of their sessions, and from other users", () =>
    everywhere(({ read, say, write }) =>
      Effect.gen(function*() {
        yield* say("u1", "s1", [Keys.user.to("v1")])
        yield* write("u1", "s1", Keys.user2.to("v2"))
        yield* say("u1", "s1b")
        yield* say("u2", "s2")
        const [own, other] = [yield* read("u1", "s1b"), yield* read("u2", "s2")]
        assert.deepStrictEqual([own("user"), own("user2")], [some("v1"), some("v2")])
        assert.deepStrictEqual([other("user"), other("user2")], [none, none])
      })
    ))

  it.effect("T028 keeps a session's state from the user's other sessions", () =>
    everywhere(({ read, say, write }) =>
      Effect.gen(function*() {
        yield* say("u1", "s1", [Keys.own.to("v1")])
        yield* write("u1", "s1", Keys.own2.to("v2"))
        yield* say("u1", "s1b")
        const [first, second] = [yield* read("u1", "s1"), yield* read("u1", "s1b")]
        assert.deepStrictEqual([first("own"), first("own2")], [some("v1"), some("v2")])
        assert.deepStrictEqual([second("own"), second("own2")], [none, none])
      })
    ))

  it.effect("T031 tells one user's session from another's of the same id", () =>
    everywhere(({ anew, ref, say }) =>
      Effect.gen(function*() {
        yield* say("u1", "s1")
        const missing = yield* Effect.flip(anew(Session.load(ref("u2", "s1"))))
        assert.strictEqual(missing._tag, "SessionMissing")
        yield* say("u2", "s1")
        assert.strictEqual((yield* anew(Session.load(ref("u2", "s1")))).revision, 4)
      })
    ))

  it.effect("T034 gives bytes back as they were", () =>
    everywhere(({ anew, ref }) =>
      Effect.gen(function*() {
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
        yield* anew(
          Effect.flatMap(store, ({ append }) => append(ref("u", "s1"), { expected: 0, events: () => [input] }))
        )
        const events = yield* anew(Effect.flatMap(store, ({ load }) => load(ref("u", "s1"))))
        assert.deepStrictEqual(Option.getOrThrow(events).map(Event.encode), [Event.encode(input)])
      })
    ))

  it.effect("T041 lets one of two stale copies append, round after round", () =>
    everywhere(({ anew, ref }) =>
      Effect.gen(function*() {
        const append = (sequence: number) =>
          anew(Effect.flatMap(SessionStore.SessionStore, (store) =>
            store.append(ref("u", "s1"), { expected: sequence, events: () => [event(sequence)] })))
        for (let round = 0; round < 8; round++) {
          const exits = yield* Effect.all([append(round), append(round)].map(Effect.exit), { concurrency: 2 })
          assert.deepStrictEqual(exits.filter(Exit.isSuccess).length, 1)
        }
        assert.strictEqual((yield* anew(Session.load(ref("u", "s1")))).revision, 8)
      })
    ))

  it.effect("T044 leaves nothing half stored by appends that fail, and works after", () =>
    everywhere(({ anew, ref, say, write }) =>
      Effect.gen(function*() {
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
      })
    ))

  it.effect("T046 lets two first writes of an app's state both come through", () =>
    everywhere(({ anew, ref }) =>
      Effect.gen(function*() {
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
      })
    ))

  it.effect("T051 keeps the later of two writes", () =>
    everywhere(({ anew, ref, say, write }) =>
      Effect.gen(function*() {
        yield* say("u", "s1", [Keys.counter.to(1)])
        yield* write("u", "s1", Keys.counter.to(2))
        assert.deepStrictEqual(
          (yield* anew(Session.load(ref("u", "s1"), [Keys]))).state.get(Keys.counter),
          Option.some(2)
        )
      })
    ))

  it.effect("T052 keeps the order of events of one time", () =>
    everywhere(({ anew, ref }) =>
      Effect.gen(function*() {
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
      })
    ))

  it.effect("T053 stores an event once that comes twice, and tells whoever brings it again", () =>
    everywhere(({ anew, ref }) =>
      Effect.gen(function*() {
        const append = anew(
          Effect.flatMap(
            SessionStore.SessionStore,
            (store) => store.append(ref("u", "s1"), { expected: 0, events: () => [event(0)] })
          )
        )
        yield* append
        assert.strictEqual((yield* Effect.flip(append))._tag, "StaleSession")
        assert.strictEqual((yield* anew(Session.load(ref("u", "s1")))).revision, 1)
      })
    ))

  it.effect("T057 lists the sessions of a user alone", () =>
    everywhere(({ list, say }) =>
      Effect.gen(function*() {
        for (const user of ["user", "user2", "user"]) yield* say(user, "s1")
        assert.deepStrictEqual(yield* list("user"), ["user s1"])
      })
    ))

  it.effect("T021 a session has the state that it began with, until it is removed", () =>
    everywhere(({ anew, onStore, read, ref, say }) =>
      Effect.gen(function*() {
        yield* say("u", "s1", [Keys.own.to("value")])
        assert.deepStrictEqual((yield* read("u", "s1"))("own"), some("value"))
        const { sessions } = yield* onStore((store) => store.list({ app: "keeper" }))
        assert.isAtMost(sessions[0]?.updated ?? Infinity, yield* Clock.currentTimeMillis)
        yield* onStore((store) => store.remove(ref("u", "s1")))
        assert.strictEqual((yield* Effect.flip(anew(Session.load(ref("u", "s1")))))._tag, "SessionMissing")
      })
    ))

  it.effect("T029 stores nothing of what lives for a run alone", () =>
    everywhere(({ onStore, read, ref, say }) =>
      Effect.gen(function*() {
        yield* say("u", "s1", [Keys.temp.to("for a run"), Keys.own.to("to stay")])
        assert.deepStrictEqual((yield* read("u", "s1"))("own"), some("to stay"))
        const events = Option.getOrThrow(yield* onStore((store) => store.load(ref("u", "s1"))))
        const text = JSON.stringify(events.map(Event.encode))
        assert.include(text, "to stay")
        assert.notInclude(text, "for a run")
      })
    ))

  it.effect("T032 begins no session that there is already", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        const begin = onStore((store) => store.append(ref("u", "s1"), { expected: 0, events: () => [event(0)] }))
        yield* begin
        const error = yield* Effect.flip(begin)
        assert.deepInclude(error, { _tag: "StaleSession", session: "s1", expected: 0, actual: 1 })
      })
    ))

  it.effect("T033 takes a name as it is: one with spaces around it is another one", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        const padded = ref("u", "  s1  ")
        yield* onStore((store) => store.append(padded, { expected: 0, events: () => [event(0)] }))
        assert.isTrue(Option.isNone(yield* onStore((store) => store.load(ref("u", "s1")))))
        assert.isTrue(Option.isSome(yield* onStore((store) => store.load(padded))))
        yield* onStore((store) => store.remove(ref("u", "s1")))
        assert.isTrue(Option.isSome(yield* onStore((store) => store.load(padded))))
      })
    ))

  it.effect("T036 gives the last events, or those from a time on", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        const events = [1, 2, 3, 4, 5].map((time, sequence): Event.Event => ({ ...event(sequence), time }))
        yield* onStore((store) => store.append(ref("u", "s1"), { expected: 0, events: () => events }))
        const part = (of?: SessionStore.Part) =>
          Effect.map(onStore((store) => store.load(ref("u", "s1"), of)), Option.getOrThrow)
        const since = (time: number, found: ReadonlyArray<Event.Event>) =>
          found.filter((each) => each.time >= time).length
        const last = yield* part({ from: 5 - 3 })
        assert.deepStrictEqual(last.map(({ time }) => time), [3, 4, 5])
        const all = yield* part()
        assert.deepStrictEqual([all.length, since(4, all), since(50, all), since(4, last)], [5, 2, 0, 2])
      })
    ))

  it.effect("T037 gives none where none is asked for", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        yield* onStore((store) => store.append(ref("u", "s1"), { expected: 0, events: () => [event(0), event(1)] }))
        assert.deepStrictEqual(yield* onStore((store) => store.load(ref("u", "s1"), { limit: 0 })), Option.some([]))
      })
    ))

  it.effect("T039 a session was written last when its last event was", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        const at = (sequence: number, time: number) =>
          onStore((store) =>
            store.append(ref("u", "s1"), { expected: sequence, events: () => [{ ...event(sequence), time }] })
          )
        yield* at(0, 1_000)
        yield* at(1, 11_000)
        const { sessions } = yield* onStore((store) => store.list({ app: "keeper" }))
        assert.deepStrictEqual(sessions.map(({ created, updated }) => [created, updated]), [[1_000, 11_000]])
      })
    ))

  it.effect("T042 asks for the revision, not for the time: an event may be older than the one before", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        for (const [sequence, time] of [[0, 1_000], [1, 999.9999], [2, 1_000]] as const) {
          yield* onStore((store) =>
            store.append(ref("u", "s1"), { expected: sequence, events: () => [{ ...event(sequence), time }] })
          )
        }
        const events = Option.getOrThrow(yield* onStore((store) => store.load(ref("u", "s1"))))
        assert.deepStrictEqual(events.map(({ time }) => time), [1_000, 999.9999, 1_000])
      })
    ))

  it.effect("T043 stores an event once, whatever is done to the list that a reader has", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        const append = (sequence: number) =>
          onStore((store) => store.append(ref("u", "s1"), { expected: sequence, events: () => [event(sequence)] }))
        yield* append(0)
        const mine = Option.getOrThrow(yield* onStore((store) => store.load(ref("u", "s1")))) as Array<Event.Event>
        mine.push(...(yield* append(1)))
        assert.lengthOf(Option.getOrThrow(yield* onStore((store) => store.load(ref("u", "s1")))), 2)
      })
    ))

  it.effect("T047 writes the rows of those scopes alone that a delta names", () =>
    everywhere(({ onStore, ref, say, write }) =>
      Effect.gen(function*() {
        yield* say("u", "s1")
        const versions = Effect.map(
          onStore((store) =>
            store.shared(ref("u", "s1"), [
              { scope: "user", field: "keys.user" },
              { scope: "app", field: "keys.app" }
            ])
          ),
          (rows) => [rows.get("keys.user")?.version, rows.get("keys.app")?.version]
        )
        yield* write("u", "s1", Keys.own.to("v"))
        assert.deepStrictEqual(yield* versions, [0, 0])
        yield* write("u", "s1", Keys.user.to("v"))
        assert.deepStrictEqual(yield* versions, [1, 0])
        yield* write("u", "s1", Keys.app.to("v"))
        assert.deepStrictEqual(yield* versions, [1, 1])
        yield* write("u", "s1", Keys.own.to("w"), Keys.user.to("w"), Keys.app.to("w"))
        assert.deepStrictEqual(yield* versions, [2, 2])
      })
    ))

  it.effect("T048 a row that is not there is one that nobody wrote", () =>
    everywhere(({ onStore, read, ref, say }) =>
      Effect.gen(function*() {
        yield* say("u", "s1", [Keys.own.to("v")])
        const get = yield* read("u", "s1")
        assert.deepStrictEqual([get("user"), get("app")], [none, none])
        const rows = yield* onStore((store) => store.shared(ref("u", "s1"), [{ scope: "app", field: "keys.visits" }]))
        assert.deepInclude(rows.get("keys.visits"), { version: 0 })
      })
    ))

  it.effect("T049 tells a user's state without a session, and nothing of the session's in it", () =>
    everywhere(({ onStore, ref, say }) =>
      Effect.gen(function*() {
        const ofUser = Effect.map(
          onStore((store) =>
            store.shared(ref("u", "no session"), [
              { scope: "user", field: "keys.profile" },
              { scope: "user", field: "keys.own" }
            ])
          ),
          (rows) => [...rows.values()].map(({ value }) => value)
        )
        assert.deepStrictEqual(yield* ofUser, [undefined, undefined])
        yield* say("u", "s1", [Keys.profile.to({ tags: ["Alice"] }), Keys.own.to("1")])
        assert.deepStrictEqual(yield* ofUser, [{ tags: ["Alice"] }, undefined])
      })
    ))

  it.effect("T054 keeps what was written, whatever becomes of the objects that it came in or went out with", () =>
    everywhere(({ anew, ref, say }) =>
      Effect.gen(function*() {
        const given = { tags: ["a"] }
        yield* say("u", "s1", [Keys.profile.to(given)])
        given.tags.push("b")
        const load = Effect.map(anew(Session.load(ref("u", "s1"), [Keys])), ({ state }) => state.get(Keys.profile))
        const read = Option.getOrThrow(yield* load)
        assert.throws(() => (read.tags as Array<string>).push("c"), TypeError)
        assert.deepStrictEqual(Option.getOrThrow(yield* load), { tags: ["a"] })
      })
    ))

  it.effect("T056 gives the events of a session in parts, all and in order", () =>
    everywhere(({ onStore, ref }) =>
      Effect.gen(function*() {
        const events = Array.from({ length: 7 }, (_, sequence) => event(sequence))
        yield* onStore((store) => store.append(ref("u", "s1"), { expected: 0, events: () => events }))
        const found: Array<Event.Event> = []
        for (let from = 0; from < events.length; from += 3) {
          const part = yield* onStore((store) => store.load(ref("u", "s1"), { from, limit: 3 }))
          found.push(...Option.getOrThrow(part))
        }
        assert.deepStrictEqual(found, events)
      })
    ))
})
