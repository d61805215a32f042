/** What the stores beside sessions must do in a database, whichever it is. */
import { assert } from "@effect/vitest"
import { Config, ConfigProvider, Deferred, Effect, Fiber, type Layer, Option, Redacted } from "effect"
import { ArtifactStore, CredentialStore, MemoryStore } from "tenon"
import { SqlCredentials } from "tenon/sql"

/** The stores beside sessions, each by a connection of its own to one database. */
export interface Stores {
  readonly artifacts: Layer.Layer<ArtifactStore.ArtifactStore, ArtifactStore.ArtifactStoreFailed>
  readonly credentials: (
    options: SqlCredentials.Options
  ) => Layer.Layer<CredentialStore.CredentialStore, CredentialStore.CredentialStoreFailed>
  readonly memories: Layer.Layer<MemoryStore.MemoryStore, MemoryStore.MemoryStoreFailed>
  /** A statement past the stores. */
  readonly query: (sql: string) => Effect.Effect<ReadonlyArray<object>>
}

const keyOf = (id: string, byte: number): SqlCredentials.Key => ({
  id,
  secret: Redacted.make(Buffer.alloc(32, byte).toString("base64"))
})
export const first = keyOf("first", 1)
const second = keyOf("second", 2)

const ada = { app: "app", user: "ada" }
const bob = { app: "app", user: "bob" }
const words = "a-very-secret-token"
const token = { secret: Redacted.make(words), refresh: Redacted.make(`${words}-again`) }

const { CredentialStore: Store } = CredentialStore
const put = (owner: CredentialStore.Owner, name: string, credential: CredentialStore.Credential = token) =>
  Effect.flatMap(Store, (store) => store.put(owner, name, credential))
const get = (owner: CredentialStore.Owner, name: string) =>
  Effect.map(
    Effect.flatMap(Store, (store) => store.get(owner, name)),
    Option.map(({ secret }) => Redacted.value(secret))
  )

interface Check {
  readonly name: string
  readonly run: (stores: Stores) => Effect.Effect<void, unknown>
}

const refused = "it was changed or moved, or 'first' is another key now"

export const checks: ReadonlyArray<Check> = [
  {
    name: "a credential is in the database in no form that shows it",
    run: ({ credentials, query }) =>
      Effect.gen(function*() {
        yield* Effect.provide(Effect.andThen(put(ada, "github"), put(bob, "github")), credentials({ keys: [first] }))
        const rows = yield* query("SELECT * FROM tenon_credentials")
        const text = JSON.stringify(rows)
        assert.lengthOf(rows, 2)
        for (const encoding of ["utf8", "base64", "base64url", "hex"] as const) {
          assert.notInclude(text, Buffer.from(words).toString(encoding).slice(0, 16))
        }
        // the same secret twice, and nothing shows that it is
        assert.lengthOf(new Set(rows.map((row) => "data" in row && row.data)), 2)
      })
  },
  {
    name: "a credential whose row was changed, moved or cut is a failure, which does not show it",
    run: ({ credentials, query }) =>
      Effect.gen(function*() {
        const damages = [
          [
            "UPDATE tenon_credentials SET data = substr(data, 1, 30) || 'AAAA' || substr(data, 35)",
            ada,
            "github",
            refused
          ],
          [
            "UPDATE tenon_credentials SET data = CASE substr(data, 1, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(data, 2)",
            ada,
            "github",
            refused
          ],
          ["UPDATE tenon_credentials SET data = substr(data, 1, 40)", ada, "github", refused],
          ["UPDATE tenon_credentials SET data = substr(data, 1, 8)", ada, "github", refused],
          ["UPDATE tenon_credentials SET data = ''", ada, "github", refused],
          ["UPDATE tenon_credentials SET owner = 'bob' WHERE owner = 'ada'", bob, "github", refused],
          ["UPDATE tenon_credentials SET app = 'other'", { ...ada, app: "other" }, "github", refused],
          ["UPDATE tenon_credentials SET name = 'gitlab'", ada, "gitlab", refused],
          [
            "UPDATE tenon_credentials SET key_id = 'none'",
            ada,
            "github",
            "its key 'none' is none of those that this program has"
          ]
        ] as const
        const layer = credentials({ keys: [first] })
        for (const [damage, owner, name, problem] of damages) {
          yield* Effect.provide(Effect.flatMap(Store, (store) => store.remove(owner, name)), layer)
          yield* Effect.provide(put(ada, "github"), layer)
          yield* query(damage)
          const error = yield* Effect.flip(Effect.provide(get(owner, name), layer))
          assert.deepInclude(error, {
            _tag: "CredentialStoreFailed",
            problem: `the credential '${name}' cannot be read: ${problem}`
          })
          assert.notInclude(`${JSON.stringify(error)} ${String(error)} ${error.stack}`, words)
        }
      })
  },
  {
    name: "two users' credentials that were swapped are two failures",
    run: ({ credentials, query }) =>
      Effect.gen(function*() {
        const layer = credentials({ keys: [first] })
        yield* Effect.provide(Effect.andThen(put(ada, "github"), put(bob, "github")), layer)
        for (const [from, to] of [["ada", "x"], ["bob", "ada"], ["x", "bob"]]) {
          yield* query(`UPDATE tenon_credentials SET owner = '${to}' WHERE owner = '${from}'`)
        }
        for (const owner of [ada, bob]) {
          const error = yield* Effect.flip(Effect.provide(get(owner, "github"), layer))
          assert.strictEqual(error.problem, `the credential 'github' cannot be read: ${refused}`)
        }
      })
  },
  {
    name: "an earlier key reads still what it encrypted, and the current one encrypts",
    run: ({ credentials, query }) =>
      Effect.gen(function*() {
        yield* Effect.provide(put(ada, "github"), credentials({ keys: [first] }))
        const rotated = credentials({ keys: [second, first] })
        assert.deepStrictEqual(yield* Effect.provide(get(ada, "github"), rotated), Option.some(words))
        yield* Effect.provide(put(ada, "github"), rotated)
        assert.deepStrictEqual(yield* query("SELECT key_id FROM tenon_credentials"), [{ key_id: "second" }])
        const later = yield* Effect.provide(get(ada, "github"), credentials({ keys: [second] }))
        assert.deepStrictEqual(later, Option.some(words))
        const earlier = yield* Effect.flip(Effect.provide(get(ada, "github"), credentials({ keys: [first] })))
        assert.include(earlier.message, "its key 'second' is none of those that this program has")
        const wrong = credentials({ keys: [{ ...first, id: "second" }] })
        const other = yield* Effect.flip(Effect.provide(get(ada, "github"), wrong))
        assert.include(other.message, "'second' is another key now")
      })
  },
  {
    name: "keys that are none are refused when the store is opened, and not shown",
    run: ({ credentials }) =>
      Effect.gen(function*() {
        const short = { id: "short", secret: Redacted.make("c2hvcnQ=") }
        for (
          const [keys, problem] of [
            [[short], "the key 'short' is not one of 32 bytes in base64"],
            [[first, short], "the key 'short' is not one of 32 bytes in base64"],
            [[first, { ...second, id: "first" }], "two keys have the id 'first'"]
          ] as const
        ) {
          const error = yield* Effect.flip(Effect.provide(Store, credentials({ keys })))
          assert.strictEqual(error.problem, problem)
        }
      })
  },
  {
    name: "keys come from a configuration",
    run: ({ credentials }) =>
      Effect.gen(function*() {
        const text = [second, first].map(({ id, secret }) => `${id}:${Redacted.value(secret)}`).join("  ")
        const keys = yield* SqlCredentials.keys("KEYS").parse(ConfigProvider.fromUnknown({ KEYS: text }))
        assert.deepStrictEqual(keys.map(({ id }) => id), ["second", "first"])
        yield* Effect.provide(put(ada, "github"), credentials({ keys }))
        assert.deepStrictEqual(
          yield* Effect.provide(get(ada, "github"), credentials({ keys: [second] })),
          Option.some(words)
        )
        const missing = yield* Effect.flip(SqlCredentials.keys("KEYS").parse(ConfigProvider.fromUnknown({})))
        assert.isTrue(missing instanceof Config.ConfigError)
      })
  },
  {
    name: "what runs alone for a credential does so beside another process",
    run: ({ credentials, query }) =>
      Effect.gen(function*() {
        const layer = credentials({ keys: [first] })
        const log: Array<string> = []
        const entered = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const alone = <A>(effect: Effect.Effect<A>) =>
          Effect.provide(Effect.flatMap(Store, (store) => store.alone(ada, "github")(effect)), layer)
        const one = yield* Effect.forkChild(alone(Effect.gen(function*() {
          log.push("one starts")
          yield* Deferred.succeed(entered, undefined)
          yield* Deferred.await(go)
          log.push("one ends")
        })))
        yield* Deferred.await(entered)
        assert.lengthOf(yield* query("SELECT * FROM tenon_credential_locks"), 1)
        const other = yield* Effect.forkChild(alone(Effect.sync(() => log.push("other"))))
        // a second process asks again and again, and this one goes on meanwhile
        yield* Effect.repeat(query("SELECT 1"), { times: 20 })
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.joinAll([one, other])
        assert.deepStrictEqual(log, ["one starts", "one ends", "other"])
        assert.lengthOf(yield* query("SELECT * FROM tenon_credential_locks"), 0)
      })
  },
  {
    name: "a lock of a process that was killed ends",
    run: ({ credentials, query }) =>
      Effect.gen(function*() {
        const layer = credentials({ keys: [first] })
        yield* Effect.provide(Store, layer)
        yield* query(
          "INSERT INTO tenon_credential_locks (app, owner, name, holder, held_until) VALUES ('app', 'ada', 'github', 'x', 1)"
        )
        assert.strictEqual(
          yield* Effect.provide(
            Effect.flatMap(Store, (store) => store.alone(ada, "github")(Effect.succeed("in"))),
            layer
          ),
          "in"
        )
      })
  },
  {
    name: "a content that was torn is a failure until it is put again",
    run: ({ artifacts, query }) =>
      Effect.gen(function*() {
        const store = yield* ArtifactStore.ArtifactStore
        const hash = yield* store.put(Uint8Array.from([97, 98, 99]))
        yield* query("UPDATE tenon_artifacts SET bytes = substr(bytes, 1, 2)")
        assert.strictEqual((yield* Effect.flip(store.get(hash)))._tag, "ArtifactStoreFailed")
        yield* store.put(Uint8Array.from([97, 98, 99]))
        assert.deepStrictEqual(yield* store.get(hash), Option.some(Uint8Array.from([97, 98, 99])))
        yield* query("UPDATE tenon_artifacts SET hash = 'x'")
        assert.strictEqual((yield* Effect.flip(store.get("x")))._tag, "ArtifactStoreFailed")
      }).pipe(Effect.provide(artifacts))
  },
  {
    name: "a memory that was changed is a failure",
    run: ({ memories, query }) =>
      Effect.gen(function*() {
        const store = yield* MemoryStore.MemoryStore
        yield* store.put(ada, "s", [{ text: "good news", time: 0 }])
        yield* query("UPDATE tenon_memories SET data = replace(data, 'good', 'bad ')")
        const error = yield* Effect.flip(store.search(ada, "news"))
        assert.strictEqual(error._tag, "MemoryStoreFailed")
        assert.include(error.problem, "was damaged")
      }).pipe(Effect.provide(memories))
  },
  {
    name: "fail as themselves where the database does",
    run: ({ artifacts, credentials, memories, query }) =>
      Effect.gen(function*() {
        const failures = Effect.gen(function*() {
          const artifacts = yield* ArtifactStore.ArtifactStore
          const credentials = yield* Store
          const memories = yield* MemoryStore.MemoryStore
          for (const table of ["artifacts", "credentials", "credential_locks", "memory_words", "memories"]) {
            yield* query(`DROP TABLE tenon_${table}`)
          }
          return [
            yield* Effect.flip(artifacts.get("x")),
            yield* Effect.flip(credentials.put(ada, "github", token)),
            yield* Effect.flip(credentials.alone(ada, "github")(Effect.void)),
            yield* Effect.flip(memories.search(ada, "x"))
          ]
        })
        const found = yield* Effect.provide(failures, [artifacts, credentials({ keys: [first] }), memories])
        assert.deepStrictEqual(found.map(({ _tag }) => _tag), [
          "ArtifactStoreFailed",
          "CredentialStoreFailed",
          "CredentialStoreFailed",
          "MemoryStoreFailed"
        ])
      })
  }
]
