/** What a store must do that outlives its process, whatever the database. */
import { assert } from "@effect/vitest"
import { Deferred, Effect, type Layer, Option, Schema } from "effect"
import { Prompt } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, type AgentError, AgentRunner, type Event, Reducer, SessionStore, State, Tool, Toolkit } from "tenon"
import type { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { run } from "./processes.ts"

/** One empty database. */
export interface Database {
  /** Another connection to it, as another process has. */
  readonly open: (options?: SqlStore.Options) => Layer.Layer<SessionStore.SessionStore, AgentError.StoreFailed>
  /** What another process opens it by: a file, or an address. */
  readonly name: string
  /** A statement past the store. */
  readonly query: (sql: string) => Effect.Effect<ReadonlyArray<object>>
}

export interface Durable {
  readonly name: string
  readonly run: (database: Database) => Effect.Effect<void, unknown>
}

const ref = { app: "app", user: "u", session: "s" }

const event = (sequence: number): Event.Event => ({
  kind: "ended",
  id: `s/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 1_000 + sequence,
  status: "completed",
  elapsed: 0
})

const waiting: SessionStore.Waiting = {
  kind: "message",
  key: "k",
  message: Prompt.userMessage({ content: [Prompt.textPart({ text: "Hello." })] })
}

const setting: SessionStore.SharedWrite = {
  scope: "user",
  operation: { op: "set", field: "p.a", value: { b: 1 } },
  initial: undefined,
  section: 1
}

/** A log of three events, a row, and a message that waits. */
const filled = Effect.gen(function*() {
  const store = yield* SessionStore.SessionStore
  yield* store.append(ref, { expected: 0, events: () => [event(0), event(1)], writes: [setting] })
  yield* store.append(ref, { expected: 2, events: () => [event(2)] })
  yield* store.post(ref, waiting)
})

const tables: Record<string, readonly [damage: string, sequence: number, problem: string]> = {
  "has one character that is another": [
    `UPDATE tenon_events SET data = replace(data, 'ended', 'endeD') WHERE sequence = 1`,
    1,
    "its checksum does not fit"
  ],
  "was torn": [
    `UPDATE tenon_events SET data = substr(data, 1, 20) WHERE sequence = 2`,
    2,
    "its checksum does not fit"
  ],
  "has another checksum": [
    `UPDATE tenon_events SET checksum = '' WHERE sequence = 0`,
    0,
    "its checksum does not fit"
  ],
  "stands in another's place": [
    `UPDATE tenon_events SET data = (SELECT data FROM tenon_events WHERE sequence = 0),
      checksum = (SELECT checksum FROM tenon_events WHERE sequence = 0) WHERE sequence = 1`,
    1,
    "its checksum does not fit"
  ],
  "was lost from the midst": [`DELETE FROM tenon_events WHERE sequence = 1`, 1, "it is missing"],
  "was lost from the end": [`DELETE FROM tenon_events WHERE sequence = 2`, 2, "it is missing"],
  "nobody told the session of": [`UPDATE tenon_sessions SET revision = 2`, 2, "the session was never told of it"]
}

const damaged = Object.entries(tables).map(([what, [damage, sequence, problem]]): Durable => ({
  name: `tells of an event that ${what}, and repairs nothing`,
  run: ({ open, query }) =>
    Effect.gen(function*() {
      yield* Effect.provide(filled, open())
      yield* query(damage)
      const before = yield* query("SELECT sequence, data, checksum FROM tenon_events ORDER BY sequence")
      const agent = Agent.make("host", { instructions: "" })
      const error = yield* Effect.flip(AgentRunner.run(agent, { ...ref, input: "Go on." })).pipe(
        Effect.provide([open(), ScriptedModel.layer([])])
      )
      assert.deepInclude(error.reason, { _tag: "EventUnreadable", session: "s", sequence, problem })
      assert.isFalse(error.isRetryable)
      assert.deepStrictEqual(
        yield* query("SELECT sequence, data, checksum FROM tenon_events ORDER BY sequence"),
        before
      )
    })
}))

const Count = State.make("n", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Up = Tool.make("up", { combines: [Count.count] })
const kit = Toolkit.make(Up)
const Counter = Agent.make("host", { instructions: "Count.", toolkit: kit })

/** Until the lease that stands has run out, by the database's clock. */
const leaseAtLast = (store: SessionStore.SessionStore["Service"]) =>
  Effect.retry(store.lease(ref), { while: ({ _tag }) => _tag === "SessionBusy" })

export const durables: ReadonlyArray<Durable> = [
  {
    name: "loses no write of sixteen that write from four processes at once, which start on an empty database",
    run: ({ name, open }) =>
      Effect.gen(function*() {
        const times = 10
        const processes = Array.from({ length: 4 }, (_, process) =>
          run("writers", {
            database: name,
            sessions: Array.from({ length: 4 }, (_, writer) => `${process} ${writer}`),
            times
          }))
        const ended = yield* Effect.all(processes, { concurrency: "unbounded" })
        assert.deepStrictEqual(ended.map(({ lines }) => lines), ended.map(() => ["done"]))
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          const ofUser = yield* store.shared(ref, ["n.a", "n.c"].map((field) => ({ scope: "user", field })))
          const ofApp = yield* store.shared(ref, ["n.b", "n.set"].map((field) => ({ scope: "app", field })))
          const written = { value: 16 * times, version: 16 * times, section: 1 }
          assert.deepStrictEqual(
            [...ofUser, ...ofApp].map(([, row]) => row),
            [written, written, written, written]
          )
          const { sessions } = yield* store.list({ app: ref.app })
          assert.deepStrictEqual(sessions.map(({ revision }) => revision), Array.from({ length: 16 }, () => times))
          for (const each of sessions) assert.lengthOf(Option.getOrThrow(yield* store.load(each.ref)), times)
        }).pipe(Effect.provide(open()))
      })
  },
  {
    name: "has everything still when it is opened again",
    run: ({ open }) =>
      Effect.gen(function*() {
        yield* Effect.provide(filled, open())
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          assert.deepStrictEqual(yield* store.load(ref), Option.some([event(0), event(1), event(2)]))
          const rows = yield* store.shared(ref, [{ scope: "user", field: "p.a" }])
          assert.deepStrictEqual(rows.get("p.a"), { value: { b: 1 }, version: 1, section: 1 })
          assert.deepStrictEqual(yield* store.inbox(ref), [waiting])
          const { sessions } = yield* store.list({ app: ref.app })
          assert.deepStrictEqual(sessions, [{ ref, revision: 3, created: 1_000, updated: 1_002 }])
        }).pipe(Effect.provide(open()))
      })
  },
  ...damaged,
  {
    name: "tells of a row and of what waits, where they were changed, torn or moved",
    run: ({ open, query }) =>
      Effect.gen(function*() {
        yield* Effect.provide(
          Effect.andThen(
            filled,
            Effect.flatMap(SessionStore.SessionStore, (store) => store.post(ref, { kind: "cancellation", key: "l" }))
          ),
          open()
        )
        type Read = Effect.Effect<unknown, AgentError.StoreFailed, SessionStore.SessionStore>
        const rowOf: Read = Effect.flatMap(
          SessionStore.SessionStore,
          (store) => store.shared(ref, [{ scope: "user", field: "p.a" }])
        )
        const inboxOf: Read = Effect.flatMap(SessionStore.SessionStore, (store) => store.inbox(ref))
        const noRow = "the session store failed: the row of 'p.a' cannot be read: its checksum does not fit"
        const noMessage =
          "the session store failed: what waits for 's' as 'k' cannot be read: its checksum does not fit"
        const other = "the session store failed: what waits for 's' as 'm' cannot be read: its checksum does not fit"
        const lost = "the session store failed: of what waits for 's' 1 are there, and 2 were posted"
        const damages = [
          ["tenon_shared SET value = '{'", "tenon_shared SET value = '{\"b\":1}'", rowOf, noRow],
          ["tenon_shared SET version = 2", "tenon_shared SET version = 1", rowOf, noRow],
          ["tenon_shared SET section = 2", "tenon_shared SET section = 1", rowOf, noRow],
          ["tenon_shared SET value = NULL", "tenon_shared SET value = '{\"b\":1}'", rowOf, noRow],
          [
            "tenon_inbox SET content = replace(content, 'Hello', 'Hullo')",
            "tenon_inbox SET content = replace(content, 'Hullo', 'Hello')",
            inboxOf,
            noMessage
          ],
          [
            "tenon_inbox SET kind = 'answer' WHERE key = 'k'",
            "tenon_inbox SET kind = 'message' WHERE key = 'k'",
            inboxOf,
            noMessage
          ],
          ["tenon_inbox SET key = 'm' WHERE key = 'k'", "tenon_inbox SET key = 'k' WHERE key = 'm'", inboxOf, other],
          ["tenon_inbox SET content = NULL WHERE key = 'l'", undefined, inboxOf, lost]
        ] as const
        for (const [damage, repair, read, problem] of damages) {
          yield* query(`UPDATE ${damage}`)
          assert.strictEqual((yield* Effect.flip(Effect.provide(read, open()))).message, problem)
          if (repair !== undefined) yield* query(`UPDATE ${repair}`)
        }
        yield* query("DELETE FROM tenon_inbox WHERE key = 'l'")
        assert.strictEqual((yield* Effect.flip(Effect.provide(inboxOf, open()))).message, lost)
      })
  },
  {
    name: "brings a database of its first version up to date, and takes its rows without checksums",
    run: ({ open, query }) =>
      Effect.gen(function*() {
        yield* Effect.provide(filled, open())
        const before = [
          ...["snapshots", "artifacts", "credentials", "credential_locks", "memory_words", "memories", "memory_sources"]
            .map((table) => `DROP TABLE tenon_${table}`),
          "ALTER TABLE tenon_shared DROP COLUMN checksum",
          "ALTER TABLE tenon_inbox DROP COLUMN checksum",
          "ALTER TABLE tenon_sessions DROP COLUMN waiting",
          "DELETE FROM tenon_migrations WHERE migration_id > 1"
        ]
        for (const statement of before) yield* query(statement)
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          assert.deepStrictEqual(yield* store.inbox(ref), [waiting])
          const read = Effect.map(store.shared(ref, [{ scope: "user", field: "p.a" }]), (rows) => rows.get("p.a"))
          assert.deepStrictEqual(yield* read, { value: { b: 1 }, version: 1, section: 1 })
          yield* store.append(ref, { expected: 3, events: () => [event(3)], takes: ["k"], writes: [setting] })
          assert.deepStrictEqual(yield* store.inbox(ref), [])
          assert.deepStrictEqual(yield* read, { value: { b: 1 }, version: 2, section: 1 })
        }).pipe(Effect.provide(open()))
        assert.deepStrictEqual(
          yield* query("SELECT waiting FROM tenon_sessions"),
          [{ waiting: 0 }]
        )
        assert.lengthOf(yield* query("SELECT * FROM tenon_shared WHERE checksum IS NULL"), 0)
      })
  },
  {
    name: "reads all events where the snapshot is damaged",
    run: ({ open, query }) =>
      Effect.gen(function*() {
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          yield* store.append(ref, { expected: 0, events: () => [event(0), event(1)] })
          yield* Effect.scoped(Effect.flatMap(
            store.lease(ref),
            (lease) => store.saveSnapshot(ref, { revision: 1, data: { a: "text" } }, lease)
          ))
        }).pipe(Effect.provide(open()))
        const newest = SessionStore.SessionStore.pipe(
          Effect.flatMap((store) => store.newest(ref)),
          Effect.map(Option.getOrThrow),
          Effect.provide(open())
        )
        assert.deepStrictEqual(yield* newest, { snapshot: { revision: 1, data: { a: "text" } }, events: [event(1)] })
        for (const damage of [`data = '{"a":"texT"}'`, "taken = 0", "checksum = ''"]) {
          yield* query(`UPDATE tenon_snapshots SET ${damage}`)
          assert.deepStrictEqual(yield* newest, { snapshot: undefined, events: [event(0), event(1)] })
        }
      })
  },
  {
    name: "makes its tables once, however many open it at the same time",
    run: ({ open, query }) =>
      Effect.gen(function*() {
        const layers = Array.from({ length: 8 }, () => open())
        yield* Effect.forEach(layers, (layer) => Effect.provide(SessionStore.SessionStore, layer), {
          concurrency: "unbounded"
        })
        const done = yield* query("SELECT migration_id AS id FROM tenon_migrations ORDER BY migration_id")
        assert.deepStrictEqual(
          done.map((each) => (each as { readonly id: number }).id),
          Array.from(done, (_, index) => index + 1)
        )
      })
  },
  {
    name: "does not open tables of a later version",
    run: ({ open, query }) =>
      Effect.gen(function*() {
        yield* Effect.provide(filled, open())
        yield* query("INSERT INTO tenon_migrations (migration_id, name) VALUES (99, 'later')")
        const error = yield* Effect.flip(Effect.provide(SessionStore.SessionStore, open()))
        assert.include(error.message, "its tables are of a later version (99)")
      })
  },
  {
    name: "gives a lease that ran out to the next, and refuses what the one before appends",
    run: ({ open }) =>
      Effect.gen(function*() {
        const stalled = yield* SessionStore.SessionStore
        // on the tests' clock it is never renewed
        const lost = yield* stalled.lease(ref)
        yield* stalled.append(ref, { expected: 0, lease: lost, events: () => [event(0)] })
        yield* Effect.gen(function*() {
          const next = yield* SessionStore.SessionStore
          const lease = yield* leaseAtLast(next)
          const error = yield* Effect.flip(stalled.append(ref, { expected: 1, lease: lost, events: () => [event(1)] }))
          assert.deepInclude(error, { _tag: "LeaseLost", session: "s" })
          yield* next.append(ref, { expected: 1, lease, events: () => [event(1)] })
          assert.deepStrictEqual(yield* next.load(ref), Option.some([event(0), event(1)]))
        }).pipe(Effect.scoped, Effect.provide(open()))
      }).pipe(Effect.scoped, Effect.provide(open({ lease: "20 millis" })))
  },
  {
    name: "lets a run whose session was taken over commit nothing more, and tells it so",
    run: ({ open }) =>
      Effect.gen(function*() {
        const started = yield* Deferred.make<void>()
        const taken = yield* Deferred.make<void>()
        const live = Toolkit.layer(kit, {
          up: () =>
            Deferred.succeed(started, undefined).pipe(
              Effect.andThen(Deferred.await(taken)),
              Effect.andThen(Count.count.combine(1))
            )
        })
        const stalled = AgentRunner.run(Counter, { ...ref, input: "Go" }).pipe(
          Effect.flip,
          Effect.provide([live, ScriptedModel.layer([ScriptedModel.call("up")]), open({ lease: "20 millis" })])
        )
        const next = Effect.gen(function*() {
          yield* Deferred.await(started)
          const store = yield* SessionStore.SessionStore
          yield* leaseAtLast(store)
          const before = yield* store.load(ref)
          yield* Deferred.succeed(taken, undefined)
          return [store, before] as const
        })
        yield* Effect.gen(function*() {
          const [error, [store, before]] = yield* Effect.all([stalled, next], { concurrency: 2 })
          assert.strictEqual(error.reason._tag, "LeaseLost")
          assert.isTrue(error.isRetryable)
          assert.deepStrictEqual(yield* store.load(ref), before)
        }).pipe(Effect.scoped, Effect.provide(open()))
      })
  },
  {
    name: "renews a lease three times before it would run out",
    run: ({ open, query }) =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        yield* store.lease(ref)
        yield* query("UPDATE tenon_sessions SET leased_until = 1")
        yield* TestClock.adjust("10 seconds")
        const renewed = Effect.map(
          query("SELECT 1 FROM tenon_sessions WHERE leased_until > 1"),
          ({ length }) => length === 1
        )
        yield* Effect.repeat(renewed, { until: (is) => is })
        assert.strictEqual((yield* Effect.flip(Effect.scoped(store.lease(ref))))._tag, "SessionBusy")
      }).pipe(Effect.scoped, Effect.provide(open({ lease: "30 seconds" })))
  }
]
