/**
 * Keeps credentials in a SQL database, encrypted.
 *
 * Layer 6, edge `sql`.
 *
 * @since 0.1.0
 */
import { Clock, Config, Effect, Fiber, Layer, Option, Redacted, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import * as CredentialStore from "../CredentialStore.ts"
import * as Cipher from "./internal/cipher.ts"
import { failingAs, opened } from "./internal/client.ts"
import { storedOf } from "./internal/records.ts"
import { dialectOf } from "./internal/schema.ts"
import * as Sqlite from "./internal/sqlite.ts"

// ===== models ================================================================

/**
 * What credentials are encrypted with.
 *
 * @category models
 * @since 0.1.0
 */
export interface Key {
  /** It is stored with what was encrypted, and names the key for good. */
  readonly id: string
  /** 32 random bytes, in base64. */
  readonly secret: Redacted.Redacted
}

/**
 * How credentials are kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /**
   * The first key encrypts, all of them decrypt. A new key comes to the front; an old one goes when every credential
   * was put anew, or may be asked for again.
   */
  readonly keys: readonly [current: Key, ...earlier: ReadonlyArray<Key>]
}

// ===== rows ==================================================================

const failed = (problem: string) => new CredentialStore.CredentialStoreFailed({ problem })
const inStore = failingAs(failed)

const Plain = Schema.fromJsonString(Schema.Struct({
  secret: Schema.String,
  refresh: Schema.optionalKey(Schema.String),
  expires: Schema.optionalKey(Schema.Finite),
  scopes: Schema.optionalKey(Schema.Array(Schema.String))
}))
const encode = Schema.encodeSync(Plain)
const decode = Schema.decodeResult(Plain)

const textOf = ({ refresh, secret, ...others }: CredentialStore.Credential): string =>
  encode({
    ...others,
    secret: Redacted.value(secret),
    ...(refresh !== undefined && { refresh: Redacted.value(refresh) })
  })

const credentialOf = (text: string): Result.Result<CredentialStore.Credential, string> =>
  Result.mapBoth(decode(text), {
    onSuccess: ({ refresh, secret, ...others }) => ({
      ...others,
      secret: Redacted.make(secret),
      ...(refresh !== undefined && { refresh: Redacted.make(refresh) })
    }),
    // the parser's own words could show it
    onFailure: () => "another program stored it, in another form"
  })

const columnsOf = ({ app, user }: CredentialStore.Owner, name: string) => ({
  app: storedOf(app),
  owner: storedOf(user),
  name: storedOf(name)
})

// ===== store =================================================================

/** How long a killed process is taken for one that refreshes a credential still; it renews that three times as often. */
const term = 30_000

const make = Effect.fnUntraced(function*({ keys }: { readonly keys: ReadonlyArray<Key> }) {
  const cipher = yield* Effect.mapError(Effect.fromResult(Cipher.make(keys)), failed)
  const sql = yield* inStore(opened)
  const { now } = dialectOf(sql)
  // other processes live in real time, whatever clock this one was given
  const clock = Clock.Clock.defaultValue()
  const inRealTime = Effect.provideService(Clock.Clock, clock)

  const within = yield* CredentialStore.make({
    get: Effect.fnUntraced(function*(owner, name) {
      const { app, name: stored, owner: user } = columnsOf(owner, name)
      const [found] = yield* sql<Cipher.Sealed>`SELECT key_id, data FROM tenon_credentials
        WHERE app = ${app} AND owner = ${user} AND name = ${stored}`
      if (found === undefined) return Option.none()
      const opened = Result.flatMap(cipher.open([app, user, stored], found), credentialOf)
      return Option.some(
        yield* Effect.mapError(
          Effect.fromResult(opened),
          (problem) => failed(`the credential '${name}' cannot be read: ${problem}`)
        )
      )
    }, inStore),
    put: Effect.fnUntraced(function*(owner, name, credential) {
      const { app, name: stored, owner: user } = columnsOf(owner, name)
      const sealed = cipher.seal([app, user, stored], textOf(credential))
      yield* sql`INSERT INTO tenon_credentials ${sql.insert({ app, owner: user, name: stored, ...sealed })}
        ON CONFLICT (app, owner, name) DO UPDATE SET key_id = excluded.key_id, data = excluded.data`
    }, inStore),
    remove: Effect.fnUntraced(function*(owner, name) {
      const { app, name: stored, owner: user } = columnsOf(owner, name)
      yield* sql`DELETE FROM tenon_credentials WHERE app = ${app} AND owner = ${user} AND name = ${stored}`
    }, inStore)
  })

  /** A lock that all processes see, for as long as it is renewed. */
  const locked = (owner: CredentialStore.Owner, name: string) => {
    const row = columnsOf(owner, name)
    const holder = randomUUID()
    const own = sql`app = ${row.app} AND owner = ${row.owner} AND name = ${row.name} AND holder = ${holder}`
    const take = sql`INSERT INTO tenon_credential_locks (app, owner, name, holder, held_until)
      VALUES (${row.app}, ${row.owner}, ${row.name}, ${holder}, ${now} + ${term})
      ON CONFLICT (app, owner, name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
      WHERE tenon_credential_locks.held_until < ${now} RETURNING holder`
    const renew = sql`UPDATE tenon_credential_locks SET held_until = ${now} + ${term} WHERE ${own}`
    const release = sql`DELETE FROM tenon_credential_locks WHERE ${own}`
    return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          while ((yield* inStore(take)).length === 0) yield* restore(inRealTime(Effect.sleep("20 millis")))
          const renewing = yield* Effect.forkDetach(
            inRealTime(Effect.forever(Effect.andThen(Effect.sleep(term / 3), Effect.ignore(renew))))
          )
          return yield* Effect.ensuring(
            restore(effect),
            Effect.andThen(Fiber.interrupt(renewing), Effect.ignore(release))
          )
        })
      )
  }

  return {
    ...within,
    alone: (owner, name) => (effect) => within.alone(owner, name)(locked(owner, name)(effect))
  } satisfies CredentialStore.CredentialStore["Service"]
})

// ===== layers ================================================================

/**
 * Keeps credentials in the database of a `SqlClient`, encrypted by AES-256-GCM, in the table `tenon_credentials`.
 *
 * **Details**
 *
 * What is encrypted is bound to its app, its user and its name: a row that was moved to another place, or changed, is a
 * `CredentialStoreFailed`, as is one whose key this program has not. No error shows a secret. What the database shows is
 * who has credentials of which names. Where one is refreshed or granted, one process at a time does it (`alone`); one that
 * is killed at that holds the others up for half a minute.
 *
 * **Gotchas**
 *
 * An earlier row of the same credential that somebody puts back is good again: encryption tells places, not times.
 *
 * **Example** (A credential in a file of SQLite)
 *
 * ```ts
 * import { Effect, Option, Redacted } from "effect"
 * import { CredentialStore } from "tenon"
 * import { SqlCredentials } from "tenon/sql"
 *
 * const ada = { app: "app", user: "ada" }
 * const program = Effect.gen(function*() {
 *   const store = yield* CredentialStore.CredentialStore
 *   yield* store.put(ada, "github", { secret: Redacted.make("token") })
 *   return yield* store.get(ada, "github")
 * })
 *
 * // made by `openssl rand -base64 32`
 * const secret = Redacted.make("66+jm78RWHH4SCJGDT16kQvRX4PA1cNxpaRvbRoNV5g=")
 * const Store = SqlCredentials.layerSqlite({ filename: ":memory:", keys: [{ id: "2026-12", secret }] })
 * const found = await Effect.runPromise(Effect.provide(program, Store))
 * Redacted.value(Option.getOrThrow(found).secret) // => "token"
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: Options
): Layer.Layer<CredentialStore.CredentialStore, CredentialStore.CredentialStoreFailed, SqlClient.SqlClient> =>
  Layer.effect(CredentialStore.CredentialStore, make(options))

/**
 * The keys of a configuration, such as an environment variable: `id:secret`, the current one first, with spaces between.
 *
 * **Example** (Two keys, of which the second one only decrypts)
 *
 * ```ts no-run
 * import { PgClient } from "@effect/sql-pg"
 * import { Effect, Layer, Redacted } from "effect"
 * import { SqlCredentials } from "tenon/sql"
 *
 * const Database = PgClient.layer({ url: Redacted.make("postgres://app:secret@localhost:5432/app") })
 *
 * // CREDENTIAL_KEYS="2026-12:mXQ2… 2026-01:x8Zk…"
 * export const Store = Layer.unwrap(
 *   Effect.map(SqlCredentials.keys("CREDENTIAL_KEYS"), (keys) => SqlCredentials.layer({ keys }))
 * ).pipe(Layer.provide(Database))
 * ```
 *
 * @category configuration
 * @since 0.1.0
 */
export const keys = (name: string): Config.Config<Options["keys"]> =>
  Config.map(Config.Redacted(name), (text) => {
    const [current = "", ...earlier] = Redacted.value(text).trim().split(/\s+/)
    // the secret is what follows the last colon; what is none, the layer refuses by its id
    const keyOf = (each: string): Key => ({
      id: each.slice(0, Math.max(0, each.lastIndexOf(":"))),
      secret: Redacted.make(each.slice(each.lastIndexOf(":") + 1))
    })
    return [keyOf(current), ...earlier.map(keyOf)]
  })

/**
 * Keeps credentials in a file of SQLite, encrypted; it may be the one that sessions are kept in. Processes of one machine
 * may share the file.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (
  options: Options & { readonly filename: string }
): Layer.Layer<CredentialStore.CredentialStore, CredentialStore.CredentialStoreFailed> =>
  layer(options).pipe(
    Layer.provide(Sqlite.layer(options.filename)),
    Layer.catchTag("SqlError", ({ message }) => Layer.effect(CredentialStore.CredentialStore, failed(message)))
  )
