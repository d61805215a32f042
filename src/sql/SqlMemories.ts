/**
 * Keeps memories in a SQL database, beside sessions or apart.
 *
 * Layer 6, edge `sql`.
 *
 * @since 0.1.0
 */
import { Array as Arr, Effect, Layer, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { deepFreeze } from "../internal/freeze.ts"
import { type Candidate, ranked, wordsOf } from "../internal/recall.ts"
import { Memory, MemoryStore, MemoryStoreFailed, type Owner } from "../MemoryStore.ts"
import { failingAs, opened, rowsAtOnce, type Whole } from "./internal/client.ts"
import { checksumOf, storedOf } from "./internal/records.ts"
import * as Sqlite from "./internal/sqlite.ts"

const inStore = failingAs((problem) => new MemoryStoreFailed({ problem }))

const columnsOf = ({ app, user }: Owner) => ({ app: storedOf(app), owner: storedOf(user) })

const Data = Schema.fromJsonString(Memory)
const encode = Schema.encodeSync(Data)
const decode = Schema.decodeUnknownResult(Data)

/** A word as it is stored: what is longer than any word, such as encoded bytes, would not fit an index. */
const termOf = (word: string): string => word.length > 64 ? hash("sha256", word, "base64url") : storedOf(word)

/** Where a memory stands: its source's number, and its place among what came from there. */
interface Place {
  readonly source_id: Whole
  readonly place: number
}

interface Found extends Candidate, Place {}

const keyOf = ({ place, source_id }: Place): string => `${source_id} ${place}`

const make = Effect.gen(function*(): Effect.fn.Return<
  MemoryStore["Service"],
  MemoryStoreFailed,
  SqlClient.SqlClient
> {
  const sql = yield* inStore(opened)

  /** The memories that hold some of these words, in the order in which they were kept; and how many there are at all. */
  const candidates = Effect.fnUntraced(function*(owner: Owner, words: ReadonlySet<string>) {
    const { app, owner: user } = columnsOf(owner)
    const terms = new Map([...words].map((word) => [termOf(word), word] as const))
    const places = new Map<string, Place & { readonly words: Set<string>; readonly time: number }>()
    let total = 0
    for (const some of Arr.chunksOf([...terms.keys()], rowsAtOnce)) {
      const records = yield* sql<Place & { readonly word: string; readonly time: number; readonly total: Whole }>`
        SELECT tenon_memories.source_id, tenon_memories.place, word, time,
          (SELECT count(*) FROM tenon_memories JOIN tenon_memory_sources ON source_id = id
            WHERE app = ${app} AND owner = ${user}) AS total
        FROM tenon_memory_sources
        JOIN tenon_memory_words ON tenon_memory_words.source_id = id
        JOIN tenon_memories ON tenon_memories.source_id = id AND tenon_memories.place = tenon_memory_words.place
        WHERE app = ${app} AND owner = ${user} AND ${sql.in("word", some)}
        ORDER BY tenon_memories.source_id, tenon_memories.place`
      for (const record of records) {
        total = Number(record.total)
        const found = places.get(keyOf(record)) ?? { ...record, words: new Set<string>() }
        found.words.add(terms.get(record.word) ?? record.word)
        places.set(keyOf(record), found)
      }
    }
    const found = [...places.values()].sort((a, b) => Number(a.source_id) - Number(b.source_id) || a.place - b.place)
    return { found, total }
  })

  /** The memories at these places, in order, less what was forgotten meanwhile. */
  const memoriesAt = Effect.fnUntraced(function*(found: ReadonlyArray<Found>) {
    const memories = new Map<string, Memory>()
    for (const some of Arr.chunksOf(found, rowsAtOnce / 2)) {
      const records = yield* sql<Place & { readonly data: string; readonly checksum: string }>`
        SELECT source_id, place, data, checksum FROM tenon_memories
        WHERE ${sql.in("source_id", Arr.dedupe(some.map(({ source_id }) => source_id)))}
          AND ${sql.in("place", Arr.dedupe(some.map(({ place }) => place)))}`
      for (const { checksum, data, place, source_id } of records) {
        const memory = decode(data)
        if (checksum !== checksumOf(Number(source_id), place, data) || Result.isFailure(memory)) {
          return yield* new MemoryStoreFailed({ problem: `memory ${place} of source ${source_id} was damaged` })
        }
        memories.set(keyOf({ place, source_id }), deepFreeze(memory.success))
      }
    }
    return found.flatMap((each) => memories.get(keyOf(each)) ?? [])
  })

  return {
    put: Effect.fnUntraced(
      function*(owner, source, memories) {
        const row = { ...columnsOf(owner), source: storedOf(source) }
        // locks the source: of two that put it at the same time the later one stays, whole
        const [kept] = yield* sql<{ readonly id: Whole }>`INSERT INTO tenon_memory_sources ${sql.insert(row)}
          ON CONFLICT (app, owner, source) DO UPDATE SET source = excluded.source RETURNING id`
        const id = kept?.id ?? 0
        yield* sql`DELETE FROM tenon_memories WHERE source_id = ${id}`
        const records = memories.map((memory, place) => {
          const data = encode(memory)
          return { source_id: id, place, time: memory.time, data, checksum: checksumOf(Number(id), place, data) }
        })
        for (const some of Arr.chunksOf(records, rowsAtOnce)) {
          yield* sql`INSERT INTO tenon_memories ${sql.insert(some)}`
        }
        const words = memories.flatMap(({ text }, place) =>
          [...new Set([...wordsOf(text)].map(termOf))].map((word) => ({ source_id: id, place, word }))
        )
        for (const some of Arr.chunksOf(words, rowsAtOnce)) {
          yield* sql`INSERT INTO tenon_memory_words ${sql.insert(some)}`
        }
      },
      sql.withTransaction,
      inStore
    ),
    search: Effect.fnUntraced(function*(owner, query, limit) {
      const words = wordsOf(query)
      const { found, total } = yield* candidates(owner, words)
      return yield* memoriesAt(ranked(words, found, total, limit))
    }, inStore),
    remove: Effect.fnUntraced(function*(owner, source) {
      const { app, owner: user } = columnsOf(owner)
      const one = source === undefined ? sql`1 = 1` : sql`source = ${storedOf(source)}`
      yield* sql`DELETE FROM tenon_memory_sources WHERE app = ${app} AND owner = ${user} AND ${one}`
    }, inStore)
  }
})

/**
 * Keeps memories in the database of a `SqlClient`: PostgreSQL, SQLite, or one that speaks as they do.
 *
 * **Details**
 *
 * A search finds what `MemoryStore.layerMemory` finds, in the same order: whole words in any script, without regard to
 * case, by an index of words. What a source says now takes the place of what it said before in one transaction.
 *
 * **Example** (Memories in a file of SQLite)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { MemoryStore } from "tenon"
 * import { SqlMemories } from "tenon/sql"
 *
 * const ada = { app: "assistant", user: "ada" }
 * const program = Effect.gen(function*() {
 *   const store = yield* MemoryStore.MemoryStore
 *   yield* store.put(ada, "s-1", [{ text: "I moved to Paris.", author: "user", time: 0 }])
 *   return yield* store.search(ada, "paris")
 * })
 *
 * const Store = SqlMemories.layerSqlite({ filename: ":memory:" }) // or "sessions.sqlite"
 * const found = await Effect.runPromise(Effect.provide(program, Store))
 * found.map(({ text }) => text) // => ["I moved to Paris."]
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<MemoryStore, MemoryStoreFailed, SqlClient.SqlClient> = Layer.effect(MemoryStore, make)

/**
 * Keeps memories in a file of SQLite, which may be the one that sessions are kept in. Processes of one machine may share
 * the file.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (options: { readonly filename: string }): Layer.Layer<MemoryStore, MemoryStoreFailed> =>
  layer.pipe(
    Layer.provide(Sqlite.layer(options.filename)),
    Layer.catchTag("SqlError", ({ message }) => Layer.effect(MemoryStore, new MemoryStoreFailed({ problem: message })))
  )
