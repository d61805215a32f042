/**
 * A session's log: what is appended to it, rewritten in it, and read of it again. Layer 6.
 */
import { Effect, Exit, Option } from "effect"
import { Prompt } from "effect/ai"
import * as Event from "../../../Event.ts"
import type { Ref, SessionStore } from "../../../SessionStore.ts"
import { hardNames, is, type StoreCase } from "../cases.ts"
import { adding, encoded, event, input, message, on, setting, writing } from "./world.ts"

type Case = StoreCase<SessionStore>

export const loading: ReadonlyArray<Case> = [
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

export const snapshots: ReadonlyArray<Case> = [
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

export const rewriting: ReadonlyArray<Case> = [
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

export const appending: ReadonlyArray<Case> = [
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
