import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Latch, Layer, Option, type Scope } from "effect"
import { Prompt } from "effect/ai"
import { KeyValueStore } from "effect/persistence"
import { createHash } from "node:crypto"
import { type AgentError, Event, KvsStore, SessionStore } from "tenon"
import { SessionStoreTest } from "tenon/testing"
import { type Break, breaking, type Data, freshFolder, inFiles } from "./kvs.ts"
import { run } from "./sql/processes.ts"

const ref = { app: "app", user: "u", session: "s" }

const event = (sequence: number, text = ""): Event.Event => ({
  kind: "input",
  id: `s/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 1_000 + sequence,
  message: Prompt.userMessage({ content: [Prompt.textPart({ text })] }),
  delta: { versions: {}, operations: [] }
})

const posted = (key: string): SessionStore.Waiting => ({ kind: "cancellation", key })

const setting = (field: string, value: number, scope: SessionStore.SharedScope = "user"): SessionStore.SharedWrite => ({
  scope,
  operation: { op: "set", field, value },
  initial: undefined,
  section: 1
})

/** Short, so that tests need not wait; nothing hangs here for half of it. */
const term = "2 seconds"

const opened = (layer: Layer.Layer<KeyValueStore.KeyValueStore>, options: KvsStore.Options = { term }) =>
  Layer.provide(KvsStore.layer(options), layer)

/** Uses a store as the only process does. */
const using = <A, E>(
  layer: Layer.Layer<KeyValueStore.KeyValueStore>,
  use: (store: SessionStore.SessionStore["Service"]) => Effect.Effect<A, E, Scope.Scope>
) =>
  Effect.scoped(
    Effect.provide(Effect.flatMap(SessionStore.SessionStore, use), opened(layer, { term: "500 millis" }))
  )

/** All that a store says of the session, its user and its app. */
const seen = (store: SessionStore.SessionStore["Service"]) =>
  Effect.gen(function*() {
    const events = yield* store.load(ref)
    const rows = yield* store.shared(ref, [
      { scope: "user", field: "p.a" },
      { scope: "user", field: "p.b" },
      { scope: "app", field: "p.c" }
    ])
    const { sessions } = yield* store.list({ app: ref.app })
    const newest = yield* store.newest(ref)
    return {
      events: Option.getOrNull(events)?.map(Event.encode),
      rows: [...rows],
      inbox: yield* store.inbox(ref),
      sessions,
      snapshot: Option.getOrUndefined(newest)?.snapshot
    }
  })

describe("KvsStore.layer", () => {
  describe("in memory", () => {
    for (const { name, run } of SessionStoreTest.cases) {
      it.effect(name, () => Effect.provide(run, opened(KeyValueStore.layerMemory)))
    }
  })

  describe("in files", () => {
    for (const { name, run } of SessionStoreTest.cases) {
      it.effect(name, () => Effect.flatMap(freshFolder, (folder) => Effect.provide(run, opened(inFiles(folder)))))
    }
  })

  it.effect("has everything still when it is opened again", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      const before = yield* using(breaking(data).layer, (store) =>
        Effect.gen(function*() {
          const lease = yield* store.lease(ref)
          yield* store.append(ref, {
            expected: 0,
            lease,
            events: () => [event(0), event(1)],
            writes: [setting("p.a", 1)]
          })
          yield* store.saveSnapshot(ref, { revision: 1, data: { a: null } }, lease)
          yield* store.post(ref, posted("k"))
          return yield* seen(store)
        }))
      assert.deepStrictEqual(yield* using(breaking(data).layer, seen), before)
      assert.lengthOf(before.inbox, 1)
      assert.deepStrictEqual(before.snapshot, { revision: 1, data: { a: null } })
    }))

  it.effect("writes as much for an append to a long log as for one to a short one", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      let bytes = 0
      const store = breaking(data)
      const counting = Layer.effect(
        KeyValueStore.KeyValueStore,
        Effect.map(KeyValueStore.KeyValueStore, (inner) => ({
          ...inner,
          set: (key: string, value: string | Uint8Array) =>
            Effect.tap(inner.set(key, value), () => Effect.sync(() => void (bytes += value.length)))
        }))
      ).pipe(Layer.provide(store.layer))
      const costs = yield* using(counting, ({ append }) =>
        Effect.gen(function*() {
          const costOf = (expected: number) =>
            Effect.gen(function*() {
              const before = bytes
              yield* append(ref, { expected, events: () => [event(expected, "x".repeat(1_000))] })
              return bytes - before
            })
          const short = yield* costOf(0)
          yield* append(ref, { expected: 1, events: () => Array.from({ length: 500 }, (_, index) => event(index + 1)) })
          return [short, yield* costOf(501)] as const
        }))
      const [short, long] = costs
      // the first one also counts the session
      assert.isAtMost(long, short)
      assert.isAtMost(long, 2 * 1_000 + 3_000)
    }))

  it.effect("keeps nothing of what was rewritten or removed", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      const has = (text: string) => [...data.values()].some((value) => value.includes(text))
      yield* using(breaking(data).layer, (store) =>
        Effect.gen(function*() {
          const lease = yield* store.lease(ref)
          yield* store.append(ref, {
            expected: 0,
            lease,
            events: () => [event(0, "first secret"), event(1, "second one")]
          })
          yield* store.saveSnapshot(ref, { revision: 2, data: "first secret" }, lease)
          assert.isTrue(has("first secret"))
          yield* store.rewrite(ref, { expected: 2, lease, events: [event(0, "nothing")] })
          assert.isFalse(has("first secret"))
          assert.isTrue(has("second one"))
        }))
      yield* using(breaking(data).layer, (store) => store.remove(ref))
      assert.isFalse(has("second one"))
    }))

  it.effect("keeps to names of its own in a store that others use too, and to names that files may have", () =>
    Effect.gen(function*() {
      const data: Data = new Map([["head", "somebody else's"]])
      yield* using(breaking(data).layer, (store) =>
        Effect.gen(function*() {
          const hard = { app: "\ud800".repeat(400), user: "../CON", session: "ä/\u0000" }
          yield* store.append(hard, { expected: 0, events: () => [event(0)], writes: [setting("p.a", 1)] })
          yield* store.post(hard, posted("K"))
        }))
      assert.strictEqual(data.get("head"), "somebody else's")
      for (const key of data.keys()) if (key !== "head") assert.match(key, /^tenon\.sessions\.[a-z0-9.]{1,170}$/)
    }))

  it("refuses times in which nothing could happen, or that never end", () => {
    for (const term of [0, "-1 second", Infinity] as const) {
      assert.throws(() => KvsStore.layer({ term }), "'term' must last a millisecond at least, and end")
    }
  })
})

// ===== crashes ===============================================================

type Act = (store: SessionStore.SessionStore["Service"]) => Effect.Effect<unknown, unknown, Scope.Scope>

/** A session with two events, rows, and what waits. */
const prepared: Act = (store) =>
  Effect.gen(function*() {
    yield* store.append(ref, { expected: 0, events: () => [event(0), event(1)], writes: [setting("p.a", 1)] })
    for (const key of ["k", "l"]) yield* store.post(ref, posted(key))
  })

const acts: Readonly<Record<string, { readonly first?: Act; readonly act: Act }>> = {
  "the first append of a session": {
    act: (store) => store.append(ref, { expected: 0, events: () => [event(0)], writes: [setting("p.a", 1)] })
  },
  "the first post": { act: (store) => store.post(ref, posted("k")) },
  "an append of events with rows of a user and an app": {
    first: prepared,
    act: (store) =>
      store.append(ref, {
        expected: 2,
        events: () => [event(2), event(3)],
        writes: [setting("p.a", 2), setting("p.b", 3), setting("p.c", 4, "app")]
      })
  },
  "an append that takes what waits": {
    first: prepared,
    act: (store) => store.append(ref, { expected: 2, events: () => [event(2)], takes: ["k", "l"] })
  },
  "an append of rows alone": {
    first: prepared,
    act: (store) => store.append(ref, { expected: 2, events: () => [], writes: [setting("p.b", 1)] })
  },
  "a post": { first: prepared, act: (store) => store.post(ref, posted("m")) },
  "a snapshot": {
    first: prepared,
    act: (store) =>
      Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, { revision: 2, data: [1] }, lease))
  },
  "a rewrite of events": {
    first: (store) =>
      Effect.andThen(
        prepared(store),
        Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, { revision: 2, data: [1] }, lease))
      ),
    act: (store) =>
      Effect.flatMap(
        store.lease(ref),
        (lease) => store.rewrite(ref, { expected: 2, lease, events: [event(0, "other"), event(1, "other")] })
      )
  },
  "the removal of a session": { first: prepared, act: (store) => store.remove(ref) }
}

/** What a killed process leaves, once its term is over. */
const freed = (data: Data) => {
  for (const key of data.keys()) if (/\.(holder|beat\..*)$/.test(key)) data.delete(key)
}

describe("a process that is killed", () => {
  for (const [what, { act, first }] of Object.entries(acts)) {
    it.effect(
      `at any change of ${what} leaves all of it or nothing, and a store that goes on`,
      () =>
        Effect.gen(function*() {
          const start: Data = new Map()
          if (first !== undefined) yield* using(breaking(start).layer, first)
          const before = yield* using(breaking(new Map(start)).layer, seen)
          const whole = new Map(start)
          const counting = breaking(whole)
          yield* using(counting.layer, act)
          const after = yield* using(breaking(new Map(whole)).layer, seen)
          assert.notDeepEqual(after, before)
          const changes = counting.counted.length
          assert.isAtLeast(changes, 3)

          const found = { before: 0, after: 0 }
          for (let at = 0; at < changes; at++) {
            for (const how of ["before", "after", "torn"] as const satisfies ReadonlyArray<Break>) {
              const data = new Map(start)
              const store = breaking(data, at, how)
              const exit = yield* Effect.exit(using(store.layer, act))
              assert.isTrue(store.isDead(), `${at}`)
              assert.isTrue(Exit.isFailure(exit))
              freed(data)
              // the next one is killed too, at each change by which it would settle
              for (let again = 0; again < 2; again++) {
                yield* Effect.exit(using(breaking(data, again, how).layer, seen))
                freed(data)
              }
              const state = yield* using(breaking(data).layer, (store) =>
                Effect.gen(function*() {
                  const state = yield* seen(store)
                  const revision = state.events?.length ?? 0
                  yield* store.append(ref, { expected: revision, events: () => [event(revision)] })
                  yield* store.post(ref, posted("later"))
                  const { events, inbox } = yield* seen(store)
                  assert.lengthOf(events ?? [], revision + 1)
                  assert.lengthOf(inbox, state.inbox.length + 1)
                  return state
                }))
              const is = JSON.stringify(state) === JSON.stringify(before) ? "before" : "after"
              assert.deepStrictEqual(state, is === "before" ? before : after, `${at} ${how}`)
              found[is]++
              assert.isFalse(data.has("tenon.sessions.journal"))
            }
          }
          assert.isAbove(found.before, 0)
          assert.isAbove(found.after, 0)
        }),
      120_000
    )
  }

  it.effect("only loses what it was not told is stored", () =>
    Effect.gen(function*() {
      for (let at = 0; at < 40; at++) {
        const data: Data = new Map()
        const store = breaking(data, at, "torn")
        let stored = 0
        yield* Effect.exit(using(store.layer, ({ append }) =>
          Effect.forEach(
            Array.from({ length: 8 }, (_, index) => index),
            (expected) =>
              Effect.tap(
                append(ref, { expected, events: () => [event(expected)], writes: [setting("p.a", expected)] }),
                () => Effect.sync(() => stored++)
              ),
            { discard: true }
          )))
        freed(data)
        const { events = [], rows } = yield* using(breaking(data).layer, seen)
        assert.isAtLeast(events?.length ?? 0, stored)
        assert.isAtMost(events?.length ?? 0, stored + 1)
        // the row tells of the same append as the log
        assert.strictEqual(rows[0]?.[1].version, events?.length ?? 0)
      }
    }), 120_000)
})

describe("a set that fails in a process that goes on", () => {
  it.effect("leaves an append stored or not, which the next operation finds out", () =>
    Effect.gen(function*() {
      for (let at = 0; at < 6; at++) {
        const data: Data = new Map()
        let changes = 0
        const inner = breaking(data)
        const failing = Layer.effect(
          KeyValueStore.KeyValueStore,
          Effect.map(KeyValueStore.KeyValueStore, (store) => ({
            ...store,
            set: (key: string, value: string | Uint8Array) =>
              key.includes("holder") || key.includes("beat") || changes++ !== at
                ? store.set(key, value)
                : Effect.fail(new KeyValueStore.KeyValueStoreError({ message: "disk full", method: "set", key }))
          }))
        ).pipe(Layer.provide(inner.layer))
        yield* using(failing, (store) =>
          Effect.gen(function*() {
            const write = { events: () => [event(0)], writes: [setting("p.a", 1)] }
            const exit = yield* Effect.exit(store.append(ref, { expected: 0, ...write }))
            const { events, rows } = yield* seen(store)
            if (Exit.isSuccess(exit)) assert.lengthOf(events ?? [], 1)
            assert.strictEqual(rows[0]?.[1].version, events?.length ?? 0)
            // the journal is the first
            if (at < 5) assert.strictEqual(events?.length ?? 0, at === 0 ? 0 : 1)
          }))
      }
    }))
})

// ===== processes =============================================================

const tagOf = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("a second process", () => {
  const options = { term: "3 seconds" } as const
  const store = (data: Data) => Effect.provide(SessionStore.SessionStore, opened(breaking(data).layer, options))

  it.effect("is refused while the first one lives, and let in when it has ended", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      yield* Effect.gen(function*() {
        yield* SessionStore.SessionStore
        const error = yield* Effect.flip(store(data))
        assert.strictEqual(error._tag, "StoreHeld")
        assert.include(error.message, "another process holds the session store")
      }).pipe(Effect.provide(opened(breaking(data).layer, options)))
      assert.deepStrictEqual([...data.keys()], [])
      yield* store(data)
    }))

  it.effect("is let in after a term where the first one was killed, and goes on where it was", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      const killed = breaking(data, 7, "torn")
      yield* Effect.exit(Effect.provide(
        Effect.flatMap(
          SessionStore.SessionStore,
          (store) =>
            Effect.forEach([0, 1], (expected) => store.append(ref, { expected, events: () => [event(expected)] }))
        ),
        opened(killed.layer, options)
      ))
      assert.isTrue(killed.isDead())
      assert.isTrue(data.has("tenon.sessions.holder"))
      yield* Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const { events } = yield* seen(store)
        assert.include([1, 2], events?.length)
      }).pipe(Effect.provide(opened(breaking(data).layer, options)))
    }))

  it.effect("is one of many that start at once: the others are refused", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      const others = yield* Latch.make()
      let refused = 0
      const started = Array.from({ length: 8 }, () =>
        Layer.build(opened(breaking(data).layer, options)).pipe(
          Effect.tapError(() => ++refused === 7 ? others.open : Effect.void),
          Effect.andThen(others.await),
          Effect.scoped,
          Effect.exit
        ))
      const exits = yield* Effect.all(started, { concurrency: "unbounded" })
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
    }))

  it.effect("that took over is found out at the next commit, however short the time", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      const first = yield* Layer.build(opened(breaking(data).layer, { term: "20 seconds" }))
      const store = Context.get(first, SessionStore.SessionStore)
      yield* store.append(ref, { expected: 0, events: () => [event(0)] })
      const before = new Map(data)
      const append = store.append(ref, { expected: 1, events: () => [event(1)] })
      const changes: ReadonlyArray<Effect.Effect<unknown, AgentError.SessionBusy | SessionStore.StoreError>> = [
        append,
        store.remove(ref)
      ]
      for (const change of changes) {
        data.set("tenon.sessions.holder", "another")
        const error = yield* Effect.flip(change)
        assert.strictEqual(error.message, "the session store failed: another process has taken it over")
        data.set("tenon.sessions.holder", before.get("tenon.sessions.holder") ?? "")
        assert.deepStrictEqual(data, before)
      }
    }))

  it.effect("that took over leaves nothing to the one that had stood still", () =>
    Effect.gen(function*() {
      const data: Data = new Map()
      const stalled = yield* SessionStore.SessionStore.pipe(Effect.provide(
        // never closed, and its holder is taken away as if its term were over
        yield* Layer.build(opened(breaking(data).layer, { term: "300 millis" }))
      ))
      yield* stalled.append(ref, { expected: 0, events: () => [event(0)] })
      freed(data)
      yield* using(breaking(data).layer, (next) =>
        Effect.gen(function*() {
          yield* next.append(ref, { expected: 1, events: () => [event(1)] })
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 400)))
          const late = stalled.append(ref, { expected: 2, events: () => [event(2)] })
          assert.strictEqual(yield* tagOf(late), "StoreFailed")
          assert.include((yield* Effect.flip(stalled.load(ref))).message, "another process has taken it over")
          assert.lengthOf(Option.getOrThrow(yield* next.load(ref)), 2)
        }))
    }))

  it.effect("of its own is killed at work, and this one finds all that it was told of", () =>
    Effect.gen(function*() {
      const folder = yield* freshFolder
      const { lines } = yield* run("kvs", { folder, term: 600 }, (lines) => lines.length === 12)
      const told = Math.max(...lines.map(Number))
      assert.isAtLeast(told, 12)
      yield* Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const events = Option.getOrThrow(yield* store.load(ref))
        assert.isAtLeast(events.length, told)
        const rows = yield* store.shared(ref, [{ scope: "user", field: "p.a" }])
        assert.strictEqual(rows.get("p.a")?.version, events.length)
      }).pipe(Effect.provide(opened(inFiles(folder), options)))
    }))
})

// ===== damage ================================================================

describe("a record", () => {
  const filled = Effect.gen(function*() {
    const data: Data = new Map()
    yield* using(breaking(data).layer, prepared)
    return data
  })
  const keyOf = (data: Data, part: RegExp) => [...data.keys()].find((key) => part.test(key)) ?? ""
  const parts = {
    event: [/\.event\.1$/, "EventUnreadable"],
    row: [/\.row\./, "StoreFailed"],
    inbox: [/\.inbox\.0$/, "StoreFailed"],
    head: [/\.head$/, "StoreFailed"]
  } as const

  for (const [what, [part, tag]] of Object.entries(parts)) {
    it.effect(`of kind '${what}' that was changed, torn or moved is an error, and stays as it is`, () =>
      Effect.gen(function*() {
        const whole = yield* filled
        const key = keyOf(whole, part)
        const text = whole.get(key) ?? ""
        const flipped = Array.from({ length: 24 }, (_, index) => {
          const at = Math.floor(index * text.length / 24)
          return `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`
        })
        const moved = whole.get(keyOf(whole, /\.event\.0$/)) ?? ""
        for (const damaged of ["", "{", text.slice(0, -1), text.slice(0, 70), `${text} `, moved, ...flipped]) {
          const data = new Map(whole).set(key, damaged)
          const error = yield* Effect.flip(using(breaking(data).layer, seen))
          assert.strictEqual(error._tag, tag)
          assert.strictEqual(data.get(key), damaged)
        }
      }))
  }

  it.effect("of an event, or of what waits, that is lost is an error; and one more than there should be", () =>
    Effect.gen(function*() {
      const whole = yield* filled
      for (const [part, tag] of [[/\.event\.0$/, "EventUnreadable"], [/\.inbox\.1$/, "StoreFailed"]] as const) {
        const data = new Map(whole)
        data.delete(keyOf(whole, part))
        assert.strictEqual((yield* Effect.flip(using(breaking(data).layer, seen)))._tag, tag)
      }
      const earlier = new Map(whole)
      yield* using(breaking(whole).layer, (store) => store.append(ref, { expected: 2, events: () => [event(2)] }))
      const head = keyOf(whole, /\.head$/)
      whole.set(head, earlier.get(head) ?? "")
      assert.include(yield* Effect.flip(using(breaking(whole).layer, seen)), {
        _tag: "EventUnreadable",
        sequence: 2,
        problem: "the session was never told of it"
      })
    }))

  it.effect("of a snapshot that is damaged counts as none", () =>
    Effect.gen(function*() {
      const data = yield* filled
      yield* using(breaking(data).layer, (store) =>
        Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, { revision: 1, data: 1 }, lease)))
      data.set(keyOf(data, /\.snapshot$/), "{")
      const { events, snapshot } = yield* using(breaking(data).layer, seen)
      assert.deepStrictEqual([events?.length, snapshot], [2, undefined])
    }))

  it.effect("of a journal by another program is an error, and nothing is dropped", () =>
    Effect.gen(function*() {
      const key = "journal"
      const text = `{"format":2}`
      const sum = createHash("sha256").update(JSON.stringify([key, text])).digest("hex")
      const data: Data = new Map([[`tenon.sessions.${key}`, `${sum} ${text}`]])
      const error = yield* Effect.flip(using(breaking(data).layer, seen))
      assert.strictEqual(error.message, "the session store failed: its journal is one of another program")
      assert.strictEqual(data.get(`tenon.sessions.${key}`), `${sum} ${text}`)
    }))
})
