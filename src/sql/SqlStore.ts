/**
 * Keeps sessions in a SQL database, so that they outlive a process and many processes can share them.
 *
 * Layer 6, edge `sql`.
 *
 * @since 0.1.0
 */
import { Duration, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { StoreFailed } from "../AgentError.ts"
import { SessionStore } from "../SessionStore.ts"
import * as Sqlite from "./internal/sqlite.ts"
import { make } from "./internal/store.ts"

// ===== models ================================================================

/**
 * How a store in a database behaves.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /**
   * How long a run's right to write its session outlives its process; 30 seconds where it is not given. A run renews it
   * three times in that time. When a process is killed, its sessions are busy for so long.
   */
  readonly lease?: Duration.Input
  /**
   * How often a run looks whether another process has posted an answer or a cancellation; a second where it is not given.
   * What comes from the same process it learns at once.
   */
  readonly poll?: Duration.Input
}

// ===== layers ================================================================

/** A lease of no time is lost before its run has written, and a poll of none never rests. */
const lasting = (option: keyof Options, input: Duration.Input): Duration.Duration => {
  const duration = Duration.fromInputUnsafe(input)
  if (Duration.toMillis(duration) >= 1 && Duration.isFinite(duration)) return duration
  throw new TypeError(`'${option}' must last a millisecond at least, and end: ${Duration.format(duration)}`)
}

/**
 * Keeps sessions in the database of a `SqlClient`: PostgreSQL, SQLite, or one that speaks as they do. The layer makes the
 * tables `tenon_…` and brings them up to date, once, however many processes start at the same time.
 *
 * **Details**
 *
 * An append is one transaction: the lease and the revision are checked, events are inserted, and rows of `user` and
 * `app` fields are written under their locks. Each event has a checksum over its text and its place; one that was
 * changed, torn, moved or lost makes `load` fail with `EventUnreadable`, which names it. Leases are told by the
 * database's own clock. A run that did not renew its lease in time, and whose session another run has taken on, commits
 * nothing any more: it fails with `LeaseLost`.
 *
 * **Example** (PostgreSQL)
 *
 * ```ts no-run
 * import { PgClient } from "@effect/sql-pg"
 * import { Layer, Redacted } from "effect"
 * import { SqlStore } from "tenon/sql"
 *
 * const url = Redacted.make("postgres://app:secret@localhost:5432/app")
 *
 * export const Store = SqlStore.layer().pipe(Layer.provide(PgClient.layer({ url })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<SessionStore, StoreFailed, SqlClient.SqlClient> =>
  Layer.effect(
    SessionStore,
    make(lasting("lease", options.lease ?? "30 seconds"), lasting("poll", options.poll ?? "1 second"))
  )

/**
 * Keeps sessions in a file of SQLite, with the SQLite that comes with Node. Processes of one machine may share the file.
 * `":memory:"` keeps them in memory, as `SessionStore.layerMemory` does.
 *
 * **Details**
 *
 * What was appended is on the disk when the run goes on (`synchronous=FULL`, `journal_mode=WAL`): it outlives a killed
 * process, and the loss of power.
 *
 * **Example** (A session in a file)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner } from "tenon"
 * import { SqlStore } from "tenon/sql"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Greeter = Agent.make("greeter", { instructions: "Greet." })
 * const Model = ScriptedModel.layer([ScriptedModel.text("Good day.")])
 * const Store = SqlStore.layerSqlite({ filename: ":memory:" }) // or "sessions.sqlite"
 *
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Greeter, { session: "s-1", input: "Hello." }).pipe(Effect.provide([Model, Store]))
 * )
 * if (result._tag === "Completed") console.log(result.text) // => "Good day."
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (
  options: Options & { readonly filename: string }
): Layer.Layer<SessionStore, StoreFailed> =>
  layer(options).pipe(
    Layer.provide(Sqlite.layer(options.filename)),
    Layer.catchTag("SqlError", ({ message }) => Layer.effect(SessionStore, new StoreFailed({ problem: message })))
  )
