import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import { ArtifactStore } from "tenon"
import { ArtifactStoreTest } from "tenon/testing"

const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

describe("ArtifactStore.layerMemory", () => {
  for (const { name, run } of ArtifactStoreTest.cases) {
    it.effect(name, () => Effect.provide(run, ArtifactStore.layerMemory))
  }
})

describe("ArtifactStore", () => {
  it.effect("keeps bytes under their SHA-256, and gives them back until they are removed", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      assert.deepStrictEqual(yield* store.get(abc), Option.none())
      assert.strictEqual(yield* store.put(Uint8Array.from([97, 98, 99])), abc)
      assert.deepStrictEqual(yield* store.get(abc), Option.some(Uint8Array.from([97, 98, 99])))
      yield* store.remove(abc)
      assert.deepStrictEqual(yield* store.get(abc), Option.none())
    }).pipe(Effect.provide(ArtifactStore.layerMemory)))

  it.effect("shares no bytes with who puts or gets them", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      // a Buffer's own `slice` copies nothing
      for (const given of [Uint8Array.from([97, 98, 99]), Buffer.from("abc")]) {
        yield* store.put(given)
        given[0] = 0
        const got = Option.getOrThrow(yield* store.get(abc))
        got[1] = 0
        assert.deepStrictEqual(yield* store.get(abc), Option.some(Uint8Array.from([97, 98, 99])))
      }
    }).pipe(Effect.provide(ArtifactStore.layerMemory)))

  it.effect("keeps empty contents, and bytes that are no text", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      for (const bytes of [new Uint8Array(), Uint8Array.from([255, 0, 254])]) {
        assert.deepStrictEqual(yield* store.get(yield* store.put(bytes)), Option.some(bytes))
      }
    }).pipe(Effect.provide(ArtifactStore.layerMemory)))

  it.effect("keeps to names of its own in a store that others use too", () =>
    Effect.gen(function*() {
      const kvs = yield* KeyValueStore.KeyValueStore
      yield* kvs.set(abc, "somebody else's")
      const store = yield* ArtifactStore.ArtifactStore
      assert.deepStrictEqual(yield* store.get(abc), Option.none())
      yield* store.put(Uint8Array.from([97, 98, 99]))
      assert.sameMembers([...yield* kvs.keys], [abc, `tenon.artifacts.${abc}`])
    }).pipe(Effect.provide(Layer.provideMerge(ArtifactStore.layerKvs, KeyValueStore.layerMemory))))

  it.effect("tells of a content that was torn, and keeps it whole when it is put again", () =>
    Effect.gen(function*() {
      const kvs = yield* KeyValueStore.KeyValueStore
      const store = yield* ArtifactStore.ArtifactStore
      const bytes = Uint8Array.from([97, 98, 99])
      yield* store.put(bytes)
      yield* kvs.set(`tenon.artifacts.${abc}`, bytes.slice(0, 2))
      assert.deepInclude(yield* Effect.flip(store.get(abc)), {
        _tag: "ArtifactStoreFailed",
        message: `the store of artifacts failed: the content under '${abc}' is not what was put there`
      })
      yield* store.put(bytes)
      assert.deepStrictEqual(yield* store.get(abc), Option.some(bytes))
    }).pipe(Effect.provide(Layer.provideMerge(ArtifactStore.layerKvs, KeyValueStore.layerMemory))))

  it.effect("fails as itself where what it stands on fails", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      const error = yield* Effect.flip(store.put(new Uint8Array()))
      assert.deepInclude(error, { _tag: "ArtifactStoreFailed", message: "the store of artifacts failed: disk full" })
    }).pipe(
      Effect.provide(Layer.provide(
        ArtifactStore.layerKvs,
        Layer.mock(KeyValueStore.KeyValueStore, {
          "~effect/persistence/KeyValueStore": "~effect/persistence/KeyValueStore",
          set: (key) => Effect.fail(new KeyValueStore.KeyValueStoreError({ message: "disk full", method: "set", key }))
        })
      ))
    ))
})
