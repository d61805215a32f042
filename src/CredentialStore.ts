/**
 * Where credentials are kept, apart from sessions: they are in no event, no State, no prompt, no log and no span.
 *
 * A credential belongs to a user of an app and has a name. It has no schema, so that nothing writes one down by the way;
 * a store of one's own that encrypts what it writes takes the secrets out itself.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option, RcMap, type Redacted, Schema, Scope, Semaphore } from "effect"

// ===== models ================================================================

/** Whose credentials. @category models @since 0.1.0 */
export interface Owner {
  readonly app: string
  readonly user: string
}

/** What lets an agent act for a user. @category models @since 0.1.0 */
export interface Credential {
  /** What is shown to who asks for it: a token, a key, a password. */
  readonly secret: Redacted.Redacted
  /** What a new one is made of, such as OAuth's refresh token. */
  readonly refresh?: Redacted.Redacted
  /** From when on it is good no more, in milliseconds since 1970; it is good for ever when absent. */
  readonly expires?: number
  /** What it is good for, where that is known. */
  readonly scopes?: ReadonlyArray<string>
}

/** The store of credentials failed. @category errors @since 0.1.0 */
export class CredentialStoreFailed
  extends Schema.TaggedError<CredentialStoreFailed>()("CredentialStoreFailed", { problem: Schema.String })
{
  override get message(): string {
    return `the store of credentials failed: ${this.problem}`
  }
}

/**
 * What a store of its own must do.
 *
 * @category models
 * @since 0.1.0
 */
export interface Kept {
  readonly get: (owner: Owner, name: string) => Effect.Effect<Option.Option<Credential>, CredentialStoreFailed>
  /** Takes the place of the credential of this name. */
  readonly put: (owner: Owner, name: string, credential: Credential) => Effect.Effect<void, CredentialStoreFailed>
  readonly remove: (owner: Owner, name: string) => Effect.Effect<void, CredentialStoreFailed>
}

/** What a store of credentials does. @category models @since 0.1.0 */
export interface Shape extends Kept {
  /** Runs an Effect while no other one runs for this credential: one that is good once is not refreshed twice. */
  readonly alone: (
    owner: Owner,
    name: string
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CredentialStoreFailed, R>
}

/**
 * Keeps credentials.
 *
 * @category services
 * @since 0.1.0
 */
export class CredentialStore extends Context.Service<CredentialStore, Shape>()("tenon/CredentialStore") {}

// ===== constructors ==========================================================

const keyOf = ({ app, user }: Owner, name: string): string => JSON.stringify([app, user, name])

/**
 * Makes a store of one that keeps credentials. What is `alone` is so within this process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (kept: Kept): Effect.Effect<CredentialStore["Service"], never, Scope.Scope> =>
  Effect.map(RcMap.make({ lookup: (_: string) => Semaphore.make(1) }), (locks) => ({
    ...kept,
    alone: (owner, name) => (effect) =>
      // the effect runs in its own scope, the lock in one around it
      Effect.scopedWith((scope) =>
        Scope.provide(RcMap.get(locks, keyOf(owner, name)), scope).pipe(
          Effect.flatMap((lock) => lock.withPermit(effect))
        )
      )
  }))

/**
 * Keeps credentials in memory, for tests and for programs that need no more.
 *
 * **Example** (What one user has, no other has)
 *
 * ```ts
 * import { Effect, Option, Redacted } from "effect"
 * import { CredentialStore } from "tenon"
 *
 * const program = Effect.gen(function*() {
 *   const store = yield* CredentialStore.CredentialStore
 *   yield* store.put({ app: "app", user: "ada" }, "github", { secret: Redacted.make("token") })
 *   return yield* store.get({ app: "app", user: "bob" }, "github")
 * })
 *
 * const found = await Effect.runPromise(Effect.provide(program, CredentialStore.layerMemory))
 * Option.isNone(found) // => true
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<CredentialStore> = Layer.effect(
  CredentialStore,
  Effect.suspend(() => {
    const credentials = new Map<string, Credential>()
    return make({
      get: (owner, name) => Effect.sync(() => Option.fromUndefinedOr(credentials.get(keyOf(owner, name)))),
      put: (owner, name, credential) => Effect.sync(() => void credentials.set(keyOf(owner, name), credential)),
      remove: (owner, name) => Effect.sync(() => void credentials.delete(keyOf(owner, name)))
    })
  })
)
