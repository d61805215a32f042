/** Every store that there is, for rows which say what any of them must do. */
import { type Cause, Console, Effect, Layer, type Scope } from "effect"
import { KeyValueStore } from "effect/persistence"
import { ArtifactStore, KvsStore, MemoryStore, SessionStore } from "tenon"
import { SqlArtifacts, SqlMemories, SqlStore } from "tenon/sql"
import { freshFile } from "../../sql/file.ts"
import { freshDatabase, type Postgres } from "../../sql/postgres.ts"

/** A layer of each kind on something empty; a database is opened anew each time, as another process would do it. */
type Backends<S> = Readonly<
  Record<string, Effect.Effect<Layer.Layer<S, unknown>, unknown, Postgres | Scope.Scope>>
>

/** What is there only as long as it is open. */
const kept = <S, E>(layer: Layer.Layer<S, E>): Effect.Effect<Layer.Layer<S>, E, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => Layer.succeedContext(context))

const sessions: Backends<SessionStore.SessionStore> = {
  memory: kept(SessionStore.layerMemory),
  "a KeyValueStore": kept(
    KvsStore.layer({ term: "2 seconds" }).pipe(Layer.provide(KeyValueStore.layerMemory))
  ),
  SQLite: Effect.map(freshFile, (filename) => SqlStore.layerSqlite({ filename })),
  PostgreSQL: Effect.map(freshDatabase, ({ client }) => Layer.provide(SqlStore.layer(), client))
}

const artifacts: Backends<ArtifactStore.ArtifactStore> = {
  memory: kept(ArtifactStore.layerMemory),
  "a KeyValueStore": kept(ArtifactStore.layerKvs.pipe(Layer.provide(KeyValueStore.layerMemory))),
  SQLite: Effect.map(freshFile, (filename) => SqlArtifacts.layerSqlite({ filename })),
  PostgreSQL: Effect.map(freshDatabase, ({ client }) => Layer.provide(SqlArtifacts.layer, client))
}

const memories: Backends<MemoryStore.MemoryStore> = {
  memory: kept(MemoryStore.layerMemory),
  SQLite: Effect.map(freshFile, (filename) => SqlMemories.layerSqlite({ filename })),
  PostgreSQL: Effect.map(freshDatabase, ({ client }) => Layer.provide(SqlMemories.layer, client))
}

const onEach = <S>(backends: Backends<S>) =>
<A, E, R>(
  test: (layer: Layer.Layer<S, unknown>) => Effect.Effect<A, E, R>
): Effect.Effect<void, unknown, Exclude<R, Scope.Scope> | Postgres> =>
  Effect.forEach(
    Object.entries(backends),
    ([name, backend]) =>
      Effect.scoped(Effect.flatMap(backend, test)).pipe(
        Effect.tapCause((_: Cause.Cause<unknown>) => Console.error(`failed on ${name}`))
      ),
    { discard: true }
  )

export const onEachSessionStore = onEach(sessions)
export const onEachArtifactStore = onEach(artifacts)
export const onEachMemoryStore = onEach(memories)
