/**
 * Where the contents of artifacts are kept: bytes, each under the hash of what it holds.
 *
 * A content never changes under its address, so a store has nothing to merge, to lock or to version: which name has
 * which contents is State (`Artifacts`). A content is kept before the event that names it; one that no event names is
 * harmless.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { KeyValueStore } from "effect/persistence"

/** The store of artifacts failed. @category errors @since 0.1.0 */
export class ArtifactStoreFailed
  extends Schema.TaggedError<ArtifactStoreFailed>()("ArtifactStoreFailed", { problem: Schema.String })
{
  override get message(): string {
    return `the store of artifacts failed: ${this.problem}`
  }
}

/** What a store of contents does. @category models @since 0.1.0 */
export interface Shape {
  /** Keeps a content, and gives its address: the SHA-256 of its bytes, in hex. The same bytes are kept once. */
  readonly put: (bytes: Uint8Array) => Effect.Effect<string, ArtifactStoreFailed>
  /** The content under an address, or none. One that was damaged is a failure. */
  readonly get: (hash: string) => Effect.Effect<Option.Option<Uint8Array>, ArtifactStoreFailed>
  /** Forgets a content, once nothing that is to be read names it. */
  readonly remove: (hash: string) => Effect.Effect<void, ArtifactStoreFailed>
}

/**
 * Keeps bytes under the hash of what they are.
 *
 * @category services
 * @since 0.1.0
 */
export class ArtifactStore extends Context.Service<ArtifactStore, Shape>()("tenon/ArtifactStore") {}

/**
 * What a store of its own must do: keep bytes under a key. Several writers of one key write the same bytes.
 *
 * @category models
 * @since 0.1.0
 */
export interface Blobs {
  readonly set: (hash: string, bytes: Uint8Array) => Effect.Effect<void, ArtifactStoreFailed>
  readonly get: (hash: string) => Effect.Effect<Uint8Array | undefined, ArtifactStoreFailed>
  readonly remove: (hash: string) => Effect.Effect<void, ArtifactStoreFailed>
}

/** A copy: `slice` of a `Buffer` is a view of the same bytes. */
const copyOf = (bytes: Uint8Array) => new Uint8Array(bytes)

/**
 * Makes a store of one that keeps bytes under keys.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (blobs: Blobs): Effect.Effect<ArtifactStore["Service"], never, Digest.Digest> =>
  Effect.map(Digest.Digest, ({ digestHex }) => ({
    put: Effect.fnUntraced(function*(bytes) {
      // the caller may go on writing into its own
      const own = copyOf(bytes)
      const hash = yield* digestHex(Digest.sha256, own)
      yield* blobs.set(hash, own)
      return hash
    }),
    get: Effect.fnUntraced(function*(hash) {
      const bytes = yield* blobs.get(hash)
      if (bytes === undefined) return Option.none()
      const own = copyOf(bytes)
      if (hash === (yield* digestHex(Digest.sha256, own))) return Option.some(own)
      return yield* new ArtifactStoreFailed({ problem: `the content under '${hash}' is not what was put there` })
    }),
    remove: blobs.remove
  }))

const orFailed = <A>(
  effect: Effect.Effect<A, KeyValueStore.KeyValueStoreError>
): Effect.Effect<A, ArtifactStoreFailed> =>
  Effect.mapError(effect, ({ message }) => new ArtifactStoreFailed({ problem: message }))

/**
 * Keeps contents in a `KeyValueStore` of effect: files, a table of a database, or memory.
 *
 * **Example** (One content, one address)
 *
 * ```ts
 * import { Effect, Layer, Option } from "effect"
 * import { KeyValueStore } from "effect/persistence"
 * import { ArtifactStore } from "tenon"
 *
 * const program = Effect.gen(function*() {
 *   const store = yield* ArtifactStore.ArtifactStore
 *   const hash = yield* store.put(Uint8Array.of(1, 2, 3))
 *   return [hash === (yield* store.put(Uint8Array.of(1, 2, 3))), Option.isSome(yield* store.get(hash))]
 * })
 *
 * const store = Layer.provide(ArtifactStore.layerKvs, KeyValueStore.layerMemory)
 * const found = await Effect.runPromise(Effect.provide(program, store))
 * found // => [true, true]
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerKvs: Layer.Layer<ArtifactStore, never, KeyValueStore.KeyValueStore> = Layer.effect(
  ArtifactStore,
  Effect.flatMap(KeyValueStore.KeyValueStore, (whole) => {
    const store = KeyValueStore.prefix(whole, "tenon.artifacts.")
    return make({
      set: (hash, bytes) => orFailed(store.set(hash, bytes)),
      get: (hash) => orFailed(store.getUint8Array(hash)),
      remove: (hash) => orFailed(store.remove(hash))
    })
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

/**
 * Keeps contents in memory, for tests and for programs that need no more.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<ArtifactStore> = Layer.provide(layerKvs, KeyValueStore.layerMemory)
