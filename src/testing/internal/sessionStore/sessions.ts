/**
 * Sessions as a whole: who may write them, which there are, and how one goes. Layer 6.
 */
import { Effect, Exit } from "effect"
import type { Lease, Page, Ref, SessionStore } from "../../../SessionStore.ts"
import { is, type StoreCase } from "../cases.ts"
import { event, on, posted, setting } from "./world.ts"

type Case = StoreCase<SessionStore>

export const leasing: ReadonlyArray<Case> = [
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

export const listing: ReadonlyArray<Case> = [
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

export const removing: ReadonlyArray<Case> = [
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
