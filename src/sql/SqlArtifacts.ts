/**
 * Keeps contents of artifacts in a SQL database, beside sessions or apart.
 *
 * Layer 6, edge `sql`.
 *
 * @since 0.1.0
 */
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { ArtifactStore, ArtifactStoreFailed, make } from "../ArtifactStore.ts"
import { failingAs, opened } from "./internal/client.ts"
import { storedOf } from "./internal/records.ts"
import * as Sqlite from "./internal/sqlite.ts"

const inStore = failingAs((problem) => new ArtifactStoreFailed({ problem }))

/**
 * Keeps contents in the database of a `SqlClient`, one row for each, in the table `tenon_artifacts`.
 *
 * **Details**
 *
 * A content is checked against its address when it is read; one that was damaged is a failure, until it is put again.
 * Contents that no version names any more stay: a rewound, forked or exported session may still name them. Who removes
 * sessions for good may remove their contents too, by `ArtifactStore.remove`.
 *
 * **Example** (A content in a file of SQLite)
 *
 * ```ts
 * import { Effect, Option } from "effect"
 * import { ArtifactStore } from "tenon"
 * import { SqlArtifacts } from "tenon/sql"
 *
 * const program = Effect.gen(function*() {
 *   const store = yield* ArtifactStore.ArtifactStore
 *   return yield* store.get(yield* store.put(Uint8Array.of(1, 2, 3)))
 * })
 *
 * const Store = SqlArtifacts.layerSqlite({ filename: ":memory:" }) // or "sessions.sqlite"
 * const found = await Effect.runPromise(Effect.provide(program, Store))
 * Option.getOrThrow(found) // => Uint8Array.of(1, 2, 3)
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<ArtifactStore, ArtifactStoreFailed, SqlClient.SqlClient> = Layer.effect(
  ArtifactStore,
  Effect.flatMap(inStore(opened), (sql) =>
    make({
      // the same bytes change nothing; torn ones are made whole
      set: (hash, bytes) =>
        inStore(Effect.asVoid(
          sql`INSERT INTO tenon_artifacts ${sql.insert({ hash, bytes })}
            ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes WHERE tenon_artifacts.bytes <> excluded.bytes`
        )),
      get: (hash) =>
        inStore(Effect.map(
          sql<{ readonly bytes: Uint8Array }>`SELECT bytes FROM tenon_artifacts WHERE hash = ${storedOf(hash)}`,
          ([found]) => found?.bytes
        )),
      remove: (hash) => inStore(Effect.asVoid(sql`DELETE FROM tenon_artifacts WHERE hash = ${storedOf(hash)}`))
    }))
).pipe(Layer.provide(Digest.layerWebCrypto))

/**
 * Keeps contents in a file of SQLite, which may be the one that sessions are kept in. Processes of one machine may share
 * the file.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (options: { readonly filename: string }): Layer.Layer<ArtifactStore, ArtifactStoreFailed> =>
  layer.pipe(
    Layer.provide(Sqlite.layer(options.filename)),
    Layer.catchTag(
      "SqlError",
      ({ message }) => Layer.effect(ArtifactStore, new ArtifactStoreFailed({ problem: message }))
    )
  )
