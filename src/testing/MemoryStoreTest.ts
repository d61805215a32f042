/**
 * What every store of memories must do, as test cases for whichever test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { type Memory, MemoryStore, type Owner } from "../MemoryStore.ts"
import { CaseFailed, hardNames, is, ownApp, type StoreCase } from "./internal/cases.ts"

/**
 * One thing that a store must do. It fails, or dies, where the store does not.
 *
 * @category models
 * @since 0.1.0
 */
export type Case = StoreCase<MemoryStore>

export { CaseFailed }

/** A store, and users of an app of the case's own. */
interface World {
  readonly store: MemoryStore["Service"]
  readonly ada: Owner
  readonly bob: Owner
  /** Keeps texts, each of them said a millisecond after the one before. */
  readonly put: (owner: Owner, source: string, ...texts: ReadonlyArray<string>) => Effect.Effect<void, unknown>
  /** The texts that a search finds. */
  readonly search: (owner: Owner, query: string, limit?: number) => Effect.Effect<ReadonlyArray<string>, unknown>
}

const on = (name: string, run: (world: World) => Effect.Effect<void, unknown>): Case => ({
  name,
  run: Effect.gen(function*() {
    const store = yield* MemoryStore
    const app = yield* ownApp
    yield* run({
      store,
      ada: { app, user: "ada" },
      bob: { app, user: "bob" },
      put: (owner, source, ...texts) => store.put(owner, source, texts.map((text, time) => ({ text, time }))),
      search: (owner, query, limit) =>
        Effect.map(store.search(owner, query, limit), (found) => found.map(({ text }) => text))
    })
  })
})

/**
 * What every store must do that finds whole words, as `MemoryStore.layerMemory` does. Each case has an app of its own, so
 * that all may run on one database.
 *
 * **Example** (A store of your own)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { MemoryStore } from "tenon"
 * import { MemoryStoreTest } from "tenon/testing"
 *
 * // your test runner's; with "@effect/vitest": it.effect(name, () => Effect.provide(run, layer))
 * const test = (_name: string, body: () => Promise<void>) => body()
 *
 * for (const { name, run } of MemoryStoreTest.cases) {
 *   await test(name, () => Effect.runPromise(Effect.provide(run, MemoryStore.layerMemory)))
 * }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cases: ReadonlyArray<Case> = [
  on(
    "search finds nothing by no word, and what there is by any word of a query",
    ({ ada, put, search }) =>
      Effect.gen(function*() {
        yield* is(yield* search(ada, "cat"), [])
        yield* put(ada, "s", "The cat sat.", "A dog barked.")
        yield* is(yield* search(ada, ""), [])
        yield* is(yield* search(ada, "?! % _"), [])
        yield* is(yield* search(ada, "which dog, which bird?"), ["A dog barked."])
      })
  ),

  on("search finds whole words, in any case, width and script", ({ ada, put, search }) =>
    Effect.gen(function*() {
      yield* put(
        ada,
        "s",
        "Hello World",
        "Ich wohne in ZÜRICH",
        "私は東京に住んでいます",
        "ｆｕｌｌ width",
        "it's 3.14"
      )
      yield* is(yield* search(ada, "wor"), [])
      yield* is(yield* search(ada, "orld"), [])
      yield* is(yield* search(ada, "WORLD"), ["Hello World"])
      yield* is(yield* search(ada, "zürich"), ["Ich wohne in ZÜRICH"])
      yield* is(yield* search(ada, "zu\u0308rich"), ["Ich wohne in ZÜRICH"])
      yield* is(yield* search(ada, "zurich"), [])
      yield* is(yield* search(ada, "東京"), ["私は東京に住んでいます"])
      yield* is(yield* search(ada, "FULL"), ["ｆｕｌｌ width"])
      yield* is(yield* search(ada, "IT'S"), ["it's 3.14"])
      yield* is(yield* search(ada, "3.14"), ["it's 3.14"])
    })),

  on(
    "search gives what has more and rarer words first, the newer of two that are equal",
    ({ ada, put, search }) =>
      Effect.gen(function*() {
        yield* put(ada, "s", "the tea", "the coffee", "the green tea", "the house", "the coffee")
        yield* is(yield* search(ada, "the green tea", 2), ["the green tea", "the tea"])
        yield* is(yield* search(ada, "the coffee", 3), ["the coffee", "the coffee", "the house"])
        yield* is(yield* search(ada, "house coffee"), ["the house", "the coffee", "the coffee"])
      })
  ),

  on(
    "search gives equal ones of one time in the order in which their sources came",
    ({ ada, search, store }) =>
      Effect.gen(function*() {
        const say = (source: string, ...texts: ReadonlyArray<string>) =>
          store.put(ada, source, texts.map((text) => ({ text, time: 1 })))
        yield* say("b", "news b0", "news b1")
        yield* say("a", "news a")
        yield* say("c", "news c")
        yield* say("a", "news a again")
        yield* is(yield* search(ada, "news"), ["news b0", "news b1", "news a again", "news c"])
        yield* store.remove(ada, "b")
        yield* say("b", "news b")
        yield* is(yield* search(ada, "news"), ["news a again", "news c", "news b"])
      })
  ),

  on(
    "search gives ten, or as many as asked for, whatever number that is",
    ({ ada, put, search }) =>
      Effect.gen(function*() {
        yield* put(ada, "s", ...Array.from({ length: 12 }, (_, index) => `word ${index}`))
        yield* is((yield* search(ada, "word")).length, 10)
        for (const [limit, count] of [[-1, 0], [0, 0], [1, 1], [2.5, 2], [12, 12], [Infinity, 12]] as const) {
          yield* is((yield* search(ada, "word", limit)).length, count)
        }
      })
  ),

  on("search gives memories as they were put", ({ ada, store }) =>
    Effect.gen(function*() {
      const memories: ReadonlyArray<Memory> = [
        ...hardNames.map((name, index) => ({ text: `word ${name}`, author: name, time: -index })),
        { text: `word ${"z".repeat(100_000)}`, time: -100.5 }
      ]
      yield* store.put(ada, "s", memories)
      yield* is(yield* store.search(ada, "word", 100), memories)
      yield* is((yield* store.search(ada, "z".repeat(100_000))).length, 1)
      yield* is(yield* store.search(ada, "z".repeat(99_999)), [])
    })),

  on("search takes queries of thousands of words", ({ ada, put, search }) =>
    Effect.gen(function*() {
      yield* put(ada, "s", "w1 w2344", "w2000", "v")
      const query = Array.from({ length: 2_345 }, (_, index) => `w${index}`).join(" ")
      yield* is(yield* search(ada, query), ["w1 w2344", "w2000"])
    })),

  on(
    "put keeps what a source says now, a thousand memories too, and nothing else of it",
    ({ ada, put, search }) =>
      Effect.gen(function*() {
        yield* put(ada, "s", ...Array.from({ length: 1_234 }, (_, index) => `old news ${index}`))
        yield* is((yield* search(ada, "1233")).length, 1)
        yield* put(ada, "t", "other news")
        yield* put(ada, "s", "new news")
        yield* is(yield* search(ada, "old"), [])
        yield* is((yield* search(ada, "news")).toSorted(), ["new news", "other news"])
        yield* put(ada, "s")
        yield* is(yield* search(ada, "news"), ["other news"])
      })
  ),

  on("put of many at once keeps each of one whole", ({ ada, search, store }) =>
    Effect.gen(function*() {
      const puts = Array.from({ length: 8 }, (_, writer) =>
        store.put(ada, "s", Array.from({ length: 3 }, () => ({ text: `news of ${writer}`, time: 1 }))))
      yield* Effect.all(puts, { concurrency: "unbounded" })
      const found = yield* search(ada, "news")
      yield* is([found.length, new Set(found).size], [3, 1])
    })),

  on(
    "keeps apart what users said, and apps, and sources, of whatever names",
    ({ ada, bob, put, search, store }) =>
      Effect.gen(function*() {
        const owners = hardNames.flatMap((name): ReadonlyArray<Owner> => [
          { ...ada, user: name },
          { ...ada, app: `${ada.app} ${name}` }
        ])
        for (const [index, owner] of owners.entries()) yield* put(owner, "s", `news ${index}`)
        for (const [index, owner] of owners.entries()) yield* is(yield* search(owner, "news"), [`news ${index}`])
        for (const name of hardNames) yield* put(bob, name, `news of ${name}`)
        yield* is((yield* search(bob, "news", 100)).length, hardNames.length)
        for (const name of hardNames) yield* store.remove(bob, name)
        yield* is(yield* search(bob, "news"), [])
      })
  ),

  on(
    "remove forgets a source, or a user, and nothing else",
    ({ ada, bob, put, search, store }) =>
      Effect.gen(function*() {
        yield* put(ada, "s", "old news")
        yield* put(ada, "t", "other news")
        yield* put(bob, "s", "his news")
        yield* store.remove(ada, "s")
        yield* is(yield* search(ada, "news"), ["other news"])
        yield* store.remove(ada)
        yield* store.remove(ada)
        yield* is(yield* search(ada, "news"), [])
        yield* is(yield* search(bob, "news"), ["his news"])
      })
  )
]
