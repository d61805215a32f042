/**
 * What every store of artifacts must do, as test cases for whichever test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Effect, Option, Random } from "effect"
import { ArtifactStore } from "../ArtifactStore.ts"
import { CaseFailed, is, type StoreCase } from "./internal/cases.ts"

/**
 * One thing that a store must do. It fails, or dies, where the store does not.
 *
 * @category models
 * @since 0.1.0
 */
export type Case = StoreCase<ArtifactStore>

export { CaseFailed }

const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

const on = (name: string, run: (store: ArtifactStore["Service"]) => Effect.Effect<void, unknown>): Case => ({
  name,
  run: Effect.flatMap(ArtifactStore, run)
})

/** What a list of numbers says of bytes, so that it is compared by value. */
const shown = (found: Option.Option<Uint8Array>) => Option.getOrUndefined(Option.map(found, (bytes) => [...bytes]))

/** A content that no other case has. */
const fresh = Effect.map(
  Effect.all(Array.from({ length: 24 }, () => Random.nextIntBetween(0, 255))),
  (numbers) => Uint8Array.from(numbers)
)

/**
 * What every store must do. The cases may run on one database.
 *
 * **Example** (A store of your own)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { ArtifactStore } from "tenon"
 * import { ArtifactStoreTest } from "tenon/testing"
 *
 * // your test runner's; with "@effect/vitest": it.effect(name, () => Effect.provide(run, layer))
 * const test = (_name: string, body: () => Promise<void>) => body()
 *
 * for (const { name, run } of ArtifactStoreTest.cases) {
 *   await test(name, () => Effect.runPromise(Effect.provide(run, ArtifactStore.layerMemory)))
 * }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cases: ReadonlyArray<Case> = [
  on("put keeps bytes under their SHA-256 until they are removed", (store) =>
    Effect.gen(function*() {
      yield* store.remove(abc)
      yield* is(shown(yield* store.get(abc)), undefined)
      yield* is(yield* store.put(Uint8Array.from([97, 98, 99])), abc)
      yield* is(shown(yield* store.get(abc)), [97, 98, 99])
      yield* store.remove(abc)
      yield* is(shown(yield* store.get(abc)), undefined)
      yield* store.remove(abc)
    })),

  on("put keeps the same bytes once, also of many that put them at once", (store) =>
    Effect.gen(function*() {
      const bytes = yield* fresh
      const puts = Array.from({ length: 8 }, () => store.put(bytes))
      const hashes = new Set(yield* Effect.all(puts, { concurrency: "unbounded" }))
      yield* is(hashes.size, 1)
      for (const hash of hashes) {
        yield* store.remove(hash)
        yield* is(shown(yield* store.get(hash)), undefined)
      }
    })),

  on("put and get share no bytes with who calls them", (store) =>
    Effect.gen(function*() {
      const bytes = yield* fresh
      const before = [...bytes]
      const hash = yield* store.put(bytes)
      bytes.fill(0)
      const got = Option.getOrThrow(yield* store.get(hash))
      yield* is([...got], before)
      got.fill(0)
      yield* is(shown(yield* store.get(hash)), before)
    })),

  on("get gives empty contents, every byte, and contents of a megabyte", (store) =>
    Effect.gen(function*() {
      const contents = [
        new Uint8Array(),
        Uint8Array.from([0]),
        Uint8Array.from({ length: 256 }, (_, index) => index),
        Uint8Array.from([255, 254, 0, 192, 128]),
        new Uint8Array(1_000_003).fill(7)
      ]
      for (const bytes of contents) {
        yield* is((yield* store.get(yield* store.put(bytes))).pipe(Option.map(String)), Option.some(String(bytes)))
      }
    })),

  on(
    "get finds nothing under what is no address",
    (store) =>
      Effect.forEach(
        ["", "x", abc.toUpperCase(), `${abc}0`, "\u0000"],
        (hash) => Effect.flatMap(store.get(hash), (found) => is(shown(found), undefined)),
        { discard: true }
      )
  )
]
