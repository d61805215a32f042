/**
 * What every session store must do, as test cases for whichever test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Deferred, Effect, Exit, Fiber, Option, type Schema, Stream } from "effect"
import { Prompt } from "effect/ai"
import * as Event from "../Event.ts"
import {
  type Append,
  type Lease,
  type Page,
  type Ref,
  SessionStore,
  type SharedWrite,
  type Waiting
} from "../SessionStore.ts"
import { CaseFailed, hardNames, is, ownApp, type StoreCase } from "./internal/cases.ts"

// ===== models ================================================================

/**
 * One thing that a store must do. It fails, or dies, where the store does not.
 *
 * @category models
 * @since 0.1.0
 */
export type Case = StoreCase<SessionStore>

export { CaseFailed }

// ===== helpers ===============================================================

/** An event that stores take for any other. */
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

/** An event that holds a message. */
const input = (sequence: number, content: Event.Input["message"], more: Partial<Event.Input> = {}): Event.Event => {
  const { agent, id, invocation, path, time } = event(sequence)
  const delta = { versions: {}, operations: [] }
  return { kind: "input", id, sequence, invocation, agent, path, time, message: content, delta, ...more }
}

const message = (text: string): Prompt.UserMessage => Prompt.userMessage({ content: [Prompt.textPart({ text })] })

const posted = (key: string, text = key): Waiting => ({ kind: "message", key, message: message(text) })
const answer = (key: string): Waiting => ({ kind: "answer", key, question: "q", json: { yes: true }, progress: true })
const cancellation = (key: string): Waiting => ({ kind: "cancellation", key })

/** One write of a shared field. */
const writing = (operation: SharedWrite["operation"], more: Partial<SharedWrite> = {}): SharedWrite => ({
  scope: "user",
  operation,
  initial: undefined,
  section: 1,
  ...more
})

const setting = (field: string, value: Schema.Json, more: Partial<SharedWrite> = {}) =>
  writing({ op: "set", field, value }, more)

const adding = (field: string, value: number, more: Partial<SharedWrite> = {}) =>
  writing({ op: "sum", field, value }, { initial: 0, ...more })

/** A store with an app of the case's own, so that cases can share a database. */
interface World {
  readonly store: SessionStore["Service"]
  readonly ref: Ref
  /** Appends one event. */
  readonly append: (
    expected: number,
    more?: Partial<Omit<Append, "expected">>,
    to?: Ref
  ) => ReturnType<SessionStore["Service"]["append"]>
  /** The log as JSON; `undefined` where there is no session. */
  readonly log: (of?: Ref) => Effect.Effect<ReadonlyArray<Schema.Json> | undefined, unknown>
  /** The value and the version of each row. */
  readonly rows: (
    of: Ref,
    ...fields: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<readonly [Schema.Json | undefined, number | undefined]>, unknown>
}

const worldOf = Effect.gen(function*() {
  const store = yield* SessionStore
  const app = yield* ownApp
  const ref: Ref = { app, user: "u", session: "s" }
  const world: World = {
    store,
    ref,
    append: (expected, more = {}, to = ref) => store.append(to, { expected, events: () => [event(expected)], ...more }),
    log: (of = ref) => Effect.map(store.load(of), (loaded) => Option.getOrUndefined(loaded)?.map(Event.encode)),
    rows: (of, ...fields) =>
      Effect.map(
        store.shared(of, fields.map((field) => ({ scope: "user", field }))),
        (rows) => fields.map((field) => [rows.get(field)?.value, rows.get(field)?.version] as const)
      )
  }
  return world
})

const on = (name: string, run: (world: World) => Effect.Effect<void, unknown>): Case => ({
  name,
  run: Effect.flatMap(worldOf, run)
})

const encoded = (...events: ReadonlyArray<Event.Event>) => events.map(Event.encode)

// ===== cases =================================================================

const loading: ReadonlyArray<Case> = [
  on("load finds no session that nobody wrote", ({ log }) => Effect.flatMap(log(), (events) => is(events, undefined))),

  on(
    "load gives the events in order, in a list of the reader's own",
    ({ append, log, ref, store }) =>
      Effect.gen(function*() {
        yield* append(0, { events: () => [event(0), event(1)] })
        const first = Option.getOrThrow(yield* store.load(ref)) as Array<Event.Event>
        first.pop()
        yield* append(2, {}, { ...ref })
        yield* is(yield* log({ ...ref }), encoded(event(0), event(1), event(2)))
      })
  ),

  on("load tells sessions apart by app, user and name", ({ append, log, ref }) =>
    Effect.gen(function*() {
      yield* append(0)
      const others: ReadonlyArray<Ref> = [
        { ...ref, app: `${ref.app}'` },
        { ...ref, user: "v" },
        { ...ref, user: "" },
        { ...ref, user: "U" },
        { app: ref.app, session: ref.session },
        { ...ref, session: "s " }
      ]
      for (const other of others) yield* is(yield* log(other), undefined)
      for (const other of others) yield* append(0, {}, other)
      for (const each of [ref, ...others]) yield* is((yield* log(each))?.length, 1)
    })),

  on(
    "load tells sessions apart by whatever names, and list gives those back",
    ({ append, log, ref, store }) =>
      Effect.gen(function*() {
        const all = hardNames.flatMap((name): ReadonlyArray<Ref> => [
          { ...ref, session: name },
          { ...ref, user: name },
          { ...ref, app: `${ref.app} ${name}` }
        ])
        for (const each of all) yield* append(0, {}, each)
        for (const each of all) yield* is((yield* log(each))?.length, 1)
        const { sessions } = yield* store.list({ app: ref.app })
        const ofApp = all.filter(({ app }) => app === ref.app)
        yield* is(sessions.map((session) => session.ref), ofApp.toReversed())
      })
  ),

  on("load gives every value back as it was appended", ({ append, log }) =>
    Effect.gen(function*() {
      const hard = "'\"\\ %_$1? \u0000 \ud800 \u2028 ä 😀"
      const { agent, invocation, path, time } = event(2)
      const events: ReadonlyArray<Event.Event> = [
        input(0, message(hard)),
        input(
          1,
          Prompt.userMessage({
            content: [Prompt.filePart({ mediaType: "image/png", data: new Uint8Array([0, 1, 255]) })]
          }),
          {
            delta: {
              versions: { [hard]: 1 },
              operations: [{ op: "set", field: hard, value: { [hard]: [null, true, 1e21, -0.1, ""] } }]
            }
          }
        ),
        {
          kind: "model",
          id: "s/2",
          sequence: 2,
          invocation,
          agent,
          path,
          time,
          step: 1,
          messages: [],
          calls: [{ id: "i1.1.1", providerId: "", tool: "t", parameters: { a: null } }],
          usage: { inputTokens: 2 ** 40, outputTokens: 0 },
          finish: "stop"
        }
      ]
      yield* append(0, { events: () => events })
      yield* is(yield* log(), encoded(...events))
    })),

  on("load gives a log of thousands of events, appended at once", ({ append, log }) =>
    Effect.gen(function*() {
      const events = Array.from({ length: 2_345 }, (_, index) => event(index))
      yield* append(0, { events: () => events })
      yield* is(yield* log(), encoded(...events))
    }))
]

/** What a snapshot may hold: a store does not look into it. */
const data = { format: "f", values: [["s.\u0000\ud800", { "": [1, null, "é"] }]] }

const snapshots: ReadonlyArray<Case> = [
  on("load gives a part of the events", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* append(0, { events: () => Array.from({ length: 10 }, (_, sequence) => event(sequence)) })
      const part = (from: number | undefined, limit?: number) =>
        Effect.map(store.load(ref, { from, limit }), (events) => Option.getOrThrow(events).map((each) => each.sequence))
      yield* is(yield* part(undefined, 3), [0, 1, 2])
      yield* is(yield* part(8), [8, 9])
      yield* is(yield* part(4, 2), [4, 5])
      yield* is(yield* part(8, 5), [8, 9])
      yield* is(yield* part(0, 0), [])
      yield* is(yield* part(10), [])
      yield* is(yield* part(99, 1), [])
      yield* is(Option.isNone(yield* store.load({ ...ref, session: "none" }, { from: 1, limit: 1 })), true)
    })),

  on("newest gives all events while there is no snapshot", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* is(Option.isNone(yield* store.newest(ref)), true)
      yield* append(0, { events: () => [event(0), event(1)] })
      const { events, snapshot } = Option.getOrThrow(yield* store.newest(ref))
      yield* is([snapshot, events.map(Event.encode)], [undefined, encoded(event(0), event(1))])
    })),

  on("newest gives the last snapshot, and the events since", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* Effect.scoped(Effect.gen(function*() {
        const lease = yield* store.lease(ref)
        yield* append(0, { events: () => [event(0), event(1)], lease })
        yield* store.saveSnapshot(ref, { revision: 1, data: null }, lease)
        yield* store.saveSnapshot(ref, { revision: 2, data }, lease)
      }))
      yield* append(2)
      const { events, snapshot } = Option.getOrThrow(yield* store.newest(ref))
      yield* is(snapshot, { revision: 2, data })
      yield* is(events.map(Event.encode), encoded(event(2)))
      yield* is(Option.isNone(yield* store.newest({ ...ref, user: "other" })), true)
    })),

  on("saveSnapshot is refused under a lease that is over", ({ append, ref, store }) =>
    Effect.gen(function*() {
      const lease = yield* Effect.scoped(store.lease(ref))
      yield* append(0)
      const error = yield* Effect.flip(store.saveSnapshot(ref, { revision: 1, data }, lease))
      yield* is(error._tag, "LeaseLost")
      yield* is(Option.getOrThrow(yield* store.newest(ref)).snapshot, undefined)
    })),

  on(
    "remove takes the snapshot too: a later session of the name has none of it",
    ({ append, ref, store }) =>
      Effect.gen(function*() {
        yield* append(0)
        yield* Effect.scoped(
          Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, { revision: 1, data }, lease))
        )
        yield* store.remove(ref)
        yield* is(Option.isNone(yield* store.newest(ref)), true)
        yield* append(0)
        yield* is(Option.getOrThrow(yield* store.newest(ref)).snapshot, undefined)
      })
  )
]

const rewriting: ReadonlyArray<Case> = [
  on(
    "rewrite puts events in place of others, and takes the snapshot away",
    ({ append, log, ref, store }) =>
      Effect.scoped(Effect.gen(function*() {
        const lease = yield* store.lease(ref)
        yield* append(0, { events: () => [event(0), event(1), event(2)], lease })
        yield* store.saveSnapshot(ref, { revision: 2, data }, lease)
        const other = { ...event(1), time: 5, redacted: 6 }
        yield* store.rewrite(ref, { expected: 3, lease, events: [other] })
        yield* is(yield* log(), encoded(event(0), other, event(2)))
        yield* is(Option.getOrThrow(yield* store.newest(ref)).snapshot, undefined)
        yield* append(3, { lease })
        yield* is((yield* log())?.length, 4)
      }))
  ),

  on(
    "rewrite is refused at another revision, and under a lease that is over",
    ({ append, log, ref, store }) =>
      Effect.gen(function*() {
        const over = yield* Effect.scoped(store.lease(ref))
        yield* append(0)
        const other = { ...event(0), time: 5 }
        const lost = yield* Effect.flip(store.rewrite(ref, { expected: 1, lease: over, events: [other] }))
        const stale = yield* Effect.scoped(Effect.flatMap(
          store.lease(ref),
          (lease) => Effect.flip(store.rewrite(ref, { expected: 2, lease, events: [other] }))
        ))
        yield* is([lost._tag, stale._tag], ["LeaseLost", "StaleSession"])
        yield* is(yield* log(), encoded(event(0)))
      })
  )
]

const appending: ReadonlyArray<Case> = [
  on(
    "append refuses a revision that is not the session's, and says which it is",
    ({ append, log }) =>
      Effect.gen(function*() {
        yield* append(0)
        for (const expected of [0, 2]) {
          const error = yield* Effect.flip(append(expected))
          yield* is(error._tag === "StaleSession" && [error.session, error.expected, error.actual], ["s", expected, 1])
        }
        yield* is(yield* log(), encoded(event(0)))
      })
  ),

  on("append lets one of many through that expect one revision", ({ append, log }) =>
    Effect.gen(function*() {
      const exits = yield* Effect.forEach(
        Array.from({ length: 16 }),
        () => Effect.exit(append(0)),
        { concurrency: "unbounded" }
      )
      yield* is(exits.filter(Exit.isSuccess).length, 1)
      yield* is(yield* log(), encoded(event(0)))
    })),

  on("append gives the events that it stored", ({ append }) =>
    Effect.gen(function*() {
      yield* is(encoded(...yield* append(0)), encoded(event(0)))
    })),

  on("append of no events makes no session", ({ append, log, ref, rows, store }) =>
    Effect.gen(function*() {
      yield* append(0, { events: () => [], writes: [setting("p.a", 1)] })
      yield* is(yield* log(), undefined)
      yield* is(yield* store.list({ app: ref.app }), { sessions: [] })
      yield* is(yield* rows(ref, "p.a"), [[1, 1]])
    })),

  on(
    "append writes rows with the events, tells them their versions, and raises those by every write",
    (world) =>
      Effect.gen(function*() {
        const seen: Array<unknown> = []
        yield* world.append(0, {
          writes: [setting("p.a", 1), setting("p.a", 2), setting("p.b", null)],
          events: (versions) => {
            seen.push(versions)
            return [event(0)]
          }
        })
        yield* is(seen, [{ "p.a": 2, "p.b": 1 }])
        yield* is(yield* world.rows(world.ref, "p.a", "p.b", "p.c"), [[2, 2], [null, 1], [undefined, 0]])
      })
  ),

  on(
    "append writes nothing at all where a row has changed, and names it",
    ({ append, log, ref, rows }) =>
      Effect.gen(function*() {
        yield* append(0, { writes: [setting("p.a", 1)] })
        const error = yield* Effect.flip(append(1, {
          writes: [setting("p.b", 9)],
          unchanged: new Map([["p.a", { scope: "user", version: 0 }], ["p.b", { scope: "user", version: 0 }]])
        }))
        yield* is(error._tag === "StateConflict" && error.fields, ["p.a"])
        yield* is(yield* rows(ref, "p.b"), [[undefined, 0]])
        yield* is(yield* log(), encoded(event(0)))
      })
  ),

  on(
    "append lets one of two through that each write what the other has read",
    ({ append, ref }) =>
      Effect.gen(function*() {
        const seen = { scope: "user", version: 0 } as const
        const unchanged = new Map([["p.a", seen], ["p.b", seen]])
        const exits = yield* Effect.forEach(
          ["p.a", "p.b"],
          (field) => Effect.exit(append(0, { writes: [setting(field, 1)], unchanged }, { ...ref, session: field })),
          { concurrency: "unbounded" }
        )
        yield* is(exits.filter(Exit.isSuccess).length, 1)
      })
  ),

  on(
    "append writes nothing at all where an operation does not fit its row",
    ({ append, log, ref, rows }) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(append(0, {
          writes: [setting("p.b", 1), setting("p.a", "text"), adding("p.a", 1)]
        }))
        yield* is(error._tag, "StoreFailed")
        yield* is(error.message, "the session store failed: 'sum' on 'p.a': the stored value is not a number")
        yield* is(yield* rows(ref, "p.a", "p.b"), [[undefined, 0], [undefined, 0]])
        yield* is(yield* log(), undefined)
      })
  ),

  on(
    "append writes nothing at all where its events cannot be made",
    ({ append, log, ref, rows }) =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(append(0, {
          writes: [setting("p.a", 1)],
          events: () => {
            throw new TypeError("no events")
          }
        }))
        yield* is(Exit.isFailure(exit), true)
        yield* is(yield* rows(ref, "p.a"), [[undefined, 0]])
        yield* is(yield* log(), undefined)
      })
  ),

  on(
    "append stores an initial value as no write: it meets no version that somebody saw",
    ({ append, ref, store }) =>
      Effect.gen(function*() {
        yield* append(0, { writes: [setting("p.name", "none", { initial: "none", ifAbsent: true })] })
        yield* append(1, {
          writes: [setting("p.name", "Ada", { initial: "none" })],
          unchanged: new Map([["p.name", { scope: "user", version: 0 }]])
        })
        const rows = yield* store.shared(ref, [{ scope: "user", field: "p.name" }])
        yield* is(rows.get("p.name"), { value: "Ada", version: 1, section: 1 })
      })
  ),

  on(
    "append refuses a row that another version of its section wrote, until it is migrated",
    (world) =>
      Effect.gen(function*() {
        const { append, ref, store } = world
        yield* append(0, { writes: [setting("p.a", 1)] })
        const error = yield* Effect.flip(append(1, { writes: [setting("p.a", 2, { section: 2 })] }))
        yield* is(error._tag === "StateConflict" && error.fields, ["p.a"])
        yield* append(1, { writes: [writing({ op: "unset", field: "p.a" }, { section: 2, migrates: true })] })
        const rows = yield* store.shared(ref, [{ scope: "user", field: "p.a" }])
        yield* is(rows.get("p.a"), { value: undefined, version: 2, section: 2 })
      })
  ),

  on(
    "append loses no operand of many sessions that combine at once",
    ({ append, ref, rows, store }) =>
      Effect.gen(function*() {
        const sessions = Array.from({ length: 16 }, (_, index): Ref => ({ ...ref, session: `s${index}` }))
        yield* Effect.forEach(
          sessions,
          (each, index) => {
            const writes = [adding("p.a", 1), adding("p.b", index, { scope: "app" })]
            return Effect.forEach(
              [0, 1, 2],
              // in two orders
              (revision) => append(revision, { writes: index % 2 === 0 ? writes : writes.toReversed() }, each)
            )
          },
          { concurrency: "unbounded" }
        )
        yield* is(yield* rows(ref, "p.a"), [[48, 48]])
        const ofApp = yield* store.shared(ref, [{ scope: "app", field: "p.b" }])
        yield* is(ofApp.get("p.b"), { value: 360, version: 48, section: 1 })
      })
  )
]

const sharing: ReadonlyArray<Case> = [
  on(
    "shared keeps a user's rows for all of their sessions in an app, and an app's for all of its users",
    (world) =>
      Effect.gen(function*() {
        const { append, ref, store } = world
        yield* append(0, { writes: [setting("p.a", 1), setting("p.a", 2, { scope: "app" })] })
        const valuesIn = (of: Ref) =>
          Effect.forEach(
            ["user", "app"] as const,
            (scope) => Effect.map(store.shared(of, [{ scope, field: "p.a" }]), (rows) => rows.get("p.a")?.value)
          )
        yield* is(yield* valuesIn({ ...ref, session: "other" }), [1, 2])
        yield* is(yield* valuesIn({ ...ref, user: "v" }), [undefined, 2])
        yield* is(yield* valuesIn({ ...ref, user: "app" }), [undefined, 2])
        yield* is(yield* valuesIn({ ...ref, app: `${ref.app}'` }), [undefined, undefined])
      })
  ),

  on("shared tells fields and users apart by whatever names", ({ append, ref, rows }) =>
    Effect.gen(function*() {
      const fields = hardNames.map((name) => `p.${name}`)
      const users = hardNames.map((user, index): Ref => ({ ...ref, user, session: `s${index}` }))
      for (const [index, user] of users.entries()) {
        for (const expected of [0, 1]) {
          yield* append(expected, { writes: fields.map((field) => adding(field, index)) }, user)
        }
      }
      for (const [index, user] of users.entries()) {
        yield* is(yield* rows(user, ...fields), fields.map(() => [2 * index, 2]))
      }
    })),

  on("shared gives thousands of rows at once", ({ append, ref, rows }) =>
    Effect.gen(function*() {
      const fields = Array.from({ length: 2_345 }, (_, index) => `p.${index}`)
      yield* append(0, { writes: fields.map((field, index) => setting(field, index)) })
      yield* is(yield* rows(ref, ...fields), fields.map((_, index) => [index, 1]))
    }))
]

const posting: ReadonlyArray<Case> = [
  on(
    "inbox gives the messages that wait, in the order in which they came, once each",
    ({ ref, store }) =>
      Effect.gen(function*() {
        for (const key of ["b", "a", "b"]) yield* store.post(ref, posted(key))
        yield* is((yield* store.inbox(ref)).map(({ key }) => key), ["b", "a"])
        yield* is(yield* store.inbox({ ...ref, session: "other" }), [])
        const text = (yield* store.inbox(ref)).flatMap((each) => each.kind === "message" ? each.message.content : [])
        yield* is(text.map((part) => part.type === "text" && part.text), ["b", "a"])
      })
  ),

  on(
    "inbox gives answers and cancellations as they were posted, under keys of their own",
    ({ append, ref, store }) =>
      Effect.gen(function*() {
        const all = [cancellation("c"), answer("a")]
        for (const each of [...all, answer("c"), posted("a")]) yield* store.post(ref, each)
        yield* is(yield* store.inbox(ref), all)
        yield* append(0, { takes: ["c"] })
        yield* store.post(ref, posted("c"))
        yield* is(yield* store.inbox(ref), [answer("a")])
      })
  ),

  on("watch tells to look at once, and after each post", ({ ref, store }) =>
    Effect.gen(function*() {
      yield* store.post(ref, posted("a"))
      const looked = yield* Deferred.make<void>()
      const looking = store.watch(ref).pipe(
        Stream.mapEffect(() => store.inbox(ref)),
        Stream.tap(() => Deferred.succeed(looked, undefined)),
        Stream.takeUntil(({ length }) => length === 2),
        Stream.runDrain
      )
      const fiber = yield* Effect.forkChild(looking)
      yield* Deferred.await(looked)
      yield* store.post({ ...ref, session: "other" }, posted("a"))
      yield* store.post(ref, cancellation("b"))
      yield* Fiber.join(fiber)
    })),

  on("inbox makes no session", ({ log, ref, store }) =>
    Effect.gen(function*() {
      yield* store.post(ref, posted("a"))
      yield* is(yield* log(), undefined)
      yield* is(yield* store.list({ app: ref.app }), { sessions: [] })
    })),

  on("append takes what waits with its events, for good", ({ append, ref, store }) =>
    Effect.gen(function*() {
      for (const key of ["a", "b"]) yield* store.post(ref, posted(key))
      yield* Effect.flip(append(1, { takes: ["a"] }))
      yield* is((yield* store.inbox(ref)).length, 2)
      yield* append(0, { takes: ["a"] })
      yield* store.post(ref, posted("a", "again"))
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), ["b"])
    })),

  on("append takes a message of whatever key, and no other", ({ append, ref, store }) =>
    Effect.gen(function*() {
      for (const key of hardNames) yield* store.post(ref, posted(key))
      const [first, ...others] = hardNames
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), hardNames)
      yield* append(0, { takes: first === undefined ? [] : [first] })
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), others)
    })),

  on("append takes what waits under the keys of its events", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* store.post(ref, posted("a"))
      yield* store.post(ref, posted("b"))
      yield* append(0, { events: () => [input(0, message("a"), { key: "a" })] })
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), ["b"])
    })),

  on("post adds no copy of a message that is in the log", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* append(0, { events: () => [input(0, message("a"), { key: "a" })] })
      yield* store.post(ref, posted("a"))
      yield* is(yield* store.inbox(ref), [])
    })),

  on(
    "append does nothing where something of a kind waits, if it is asked to",
    ({ append, log, ref, rows, store }) =>
      Effect.gen(function*() {
        yield* store.post(ref, posted("a"))
        yield* is(yield* append(0, { unlessWaiting: ["answer", "message"], writes: [setting("p.a", 1)] }), [])
        yield* is(yield* log(), undefined)
        yield* is(yield* rows(ref, "p.a"), [[undefined, 0]])
        yield* append(0, { unlessWaiting: ["answer", "cancellation"] })
        yield* append(1, { takes: ["a"] })
        yield* is((yield* append(2, { unlessWaiting: ["answer", "message"] })).length, 1)
      })
  )
]

const leasing: ReadonlyArray<Case> = [
  on(
    "lease is one at a time for each session, and free again when its scope closes",
    ({ ref, store }) =>
      Effect.gen(function*() {
        const refused = yield* Effect.scoped(Effect.gen(function*() {
          yield* store.lease(ref)
          yield* store.lease({ ...ref, session: "other" })
          return yield* Effect.flip(store.lease({ ...ref }))
        }))
        yield* is([refused._tag, refused._tag === "SessionBusy" && refused.session], ["SessionBusy", "s"])
        yield* Effect.scoped(store.lease(ref))
      })
  ),

  on("lease is given to one of many that ask at once", ({ ref, store }) =>
    Effect.scoped(Effect.gen(function*() {
      const exits = yield* Effect.forEach(
        Array.from({ length: 16 }),
        () => Effect.exit(store.lease(ref)),
        { concurrency: "unbounded" }
      )
      yield* is(exits.filter(Exit.isSuccess).length, 1)
    }))),

  on("lease alone makes no session", ({ log, ref, store }) =>
    Effect.gen(function*() {
      yield* Effect.scoped(store.lease(ref))
      yield* is(yield* log(), undefined)
      yield* is(yield* store.list({ app: ref.app }), { sessions: [] })
    })),

  on("append under a lease that is over is refused", ({ append, log, ref, store }) =>
    Effect.gen(function*() {
      const within = (earlier: ReadonlyArray<Lease>, expected: number) =>
        Effect.scoped(Effect.gen(function*() {
          const lease = yield* store.lease(ref)
          for (const late of earlier) {
            yield* is((yield* Effect.flip(append(expected, { lease: late })))._tag, "LeaseLost")
          }
          yield* append(expected, { lease })
          return lease
        }))
      const first = yield* within([], 0)
      yield* is((yield* Effect.flip(append(1, { lease: first })))._tag, "LeaseLost")
      const second = yield* within([first], 1)
      yield* within([first, second], 2)
      yield* is((yield* log())?.length, 3)
    }))
]

/** The sessions on a page. */
const refsOn = ({ sessions }: Page) => sessions.map(({ ref }) => ref)

const listing: ReadonlyArray<Case> = [
  on(
    "list gives the sessions of an app, or of one of its users, the last that was written first",
    (world) =>
      Effect.gen(function*() {
        const { append, ref, store } = world
        const { app } = ref
        const all: ReadonlyArray<Ref> = [
          ref,
          { ...ref, session: "t" },
          { ...ref, user: "v" },
          { app, session: "s" },
          { ...ref, user: "" },
          { ...ref, app: `${app}'` }
        ]
        for (const each of all) yield* append(0, {}, each)
        yield* is(refsOn(yield* store.list({ app })), all.slice(0, 5).toReversed())
        yield* is(refsOn(yield* store.list({ app, user: "u" })), all.slice(0, 2).toReversed())
        yield* append(1)
        yield* is(yield* store.list({ app, user: "u" }), {
          sessions: [
            { ref, revision: 2, created: 1_000, updated: 1_001 },
            { ref: { ...ref, session: "t" }, revision: 1, created: 1_000, updated: 1_000 }
          ]
        })
        yield* is(yield* store.list({ app: `${app}''` }), { sessions: [] })
      })
  ),

  on("list gives sessions by the time of their last event", ({ append, ref, store }) =>
    Effect.gen(function*() {
      const at = (session: string): Ref => ({ ...ref, session })
      for (const time of [1, 2, 3]) yield* append(0, { events: () => [{ ...event(0), time }] }, at(`s${time}`))
      const within = (since?: number, until?: number) => store.list({ app: ref.app, since, until })
      yield* is(refsOn(yield* within(2)), [at("s3"), at("s2")])
      yield* is(refsOn(yield* within(undefined, 2)), [at("s1")])
      yield* is(refsOn(yield* within(2, 3)), [at("s2")])
      yield* is(refsOn(yield* within(1.5, 2.5)), [at("s2")])
      yield* is(refsOn(yield* within(-Infinity, Infinity)), [at("s3"), at("s2"), at("s1")])
    })),

  on("list takes whatever number for a limit", ({ append, ref, store }) =>
    Effect.gen(function*() {
      for (const session of ["s0", "s1", "s2"]) yield* append(0, {}, { ...ref, session })
      const lengths = yield* Effect.forEach(
        [-1, 0, 1, 2.5, Infinity],
        (limit) => Effect.map(store.list({ app: ref.app, limit }), ({ sessions }) => sessions.length)
      )
      yield* is(lengths, [0, 0, 1, 2, 3])
    })),

  on("list gives every session once, page by page", ({ append, ref, store }) =>
    Effect.gen(function*() {
      const sessions = Array.from({ length: 7 }, (_, index): Ref => ({ ...ref, session: `s${index}` }))
      // more sessions of one time than there are on a page
      for (const [index, each] of sessions.entries()) {
        yield* append(0, { events: () => [{ ...event(0), time: Math.floor(index / 5) }] }, each)
      }
      const pages: Array<ReadonlyArray<Ref>> = []
      let page: Page = { sessions: [], next: "" }
      while (page.next !== undefined) {
        page = yield* store.list({ app: ref.app, limit: 3, after: page.next === "" ? undefined : page.next })
        pages.push(refsOn(page))
      }
      yield* is(pages.map(({ length }) => length), [3, 3, 1])
      yield* is(pages.flat(), sessions.toReversed())
    }))
]

const removing: ReadonlyArray<Case> = [
  on("remove takes a session away, and nothing else", ({ append, log, ref, rows, store }) =>
    Effect.gen(function*() {
      const other = { ...ref, session: "t" }
      yield* append(0, { writes: [setting("p.a", 1)] })
      yield* append(0, {}, other)
      yield* store.post(ref, posted("a"))
      yield* store.remove(ref)
      yield* is(yield* log(), undefined)
      yield* is(yield* store.inbox(ref), [])
      yield* is(refsOn(yield* store.list({ app: ref.app })), [other])
      yield* is(yield* rows(ref, "p.a"), [[1, 1]])
      yield* append(0)
      yield* is((yield* log())?.length, 1)
    })),

  on("remove does nothing where there is no session", ({ ref, store }) => store.remove(ref)),

  on(
    "remove waits for nobody: a session that has a run stays",
    ({ append, log, ref, store }) =>
      Effect.gen(function*() {
        const error = yield* Effect.scoped(Effect.gen(function*() {
          const lease = yield* store.lease(ref)
          yield* append(0, { lease })
          return yield* Effect.flip(store.remove(ref))
        }))
        yield* is(error._tag, "SessionBusy")
        yield* is((yield* log())?.length, 1)
      })
  ),

  on(
    "remove ends the leases that there were: none is that of a later session of the name",
    ({ append, ref, store }) =>
      Effect.gen(function*() {
        const late = yield* Effect.scoped(store.lease(ref))
        yield* store.remove(ref)
        yield* Effect.scoped(Effect.andThen(
          store.lease(ref),
          Effect.flatMap(Effect.flip(append(0, { lease: late })), ({ _tag }) => is(_tag, "LeaseLost"))
        ))
      })
  ),

  on(
    "remove ends them also where a session of the name began with a message, or an append, before its first lease",
    ({ append, ref, store }) =>
      Effect.gen(function*() {
        const beginnings = [store.post(ref, posted("a")), append(0)]
        for (const [expected, begin] of beginnings.entries()) {
          yield* begin
          const late = yield* Effect.scoped(store.lease(ref))
          yield* store.remove(ref)
          yield* begin
          yield* Effect.scoped(Effect.andThen(
            store.lease(ref),
            Effect.flatMap(Effect.flip(append(expected, { lease: late })), ({ _tag }) => is(_tag, "LeaseLost"))
          ))
          yield* store.remove(ref)
        }
      })
  )
]

/**
 * What every store must do. Each case has an app of its own, so that all may run on one database.
 *
 * **Example** (A store of your own)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { SessionStore } from "tenon"
 * import { SessionStoreTest } from "tenon/testing"
 *
 * // your test runner's; with "@effect/vitest": it.effect(name, () => Effect.provide(run, layer))
 * const test = (_name: string, body: () => Promise<void>) => body()
 *
 * for (const { name, run } of SessionStoreTest.cases) {
 *   await test(name, () => Effect.runPromise(Effect.provide(run, SessionStore.layerMemory)))
 * }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cases: ReadonlyArray<Case> = [
  ...loading,
  ...snapshots,
  ...rewriting,
  ...appending,
  ...sharing,
  ...posting,
  ...leasing,
  ...listing,
  ...removing
]
