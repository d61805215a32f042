/**
 * What is remembered of a user beyond one session: texts that are found again by their words.
 *
 * Memories belong to a user of an app, and come from a source, such as a session: what is kept of a source takes the place
 * of what was kept of it before, and is removed with it. The model searches them with a tool (`Memory` in
 * `tenon/middleware`).
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Schema } from "effect"
import { UserMissing } from "./AgentError.ts"
import type * as Event from "./Event.ts"
import { textOf } from "./internal/fold.ts"
import { ranked, wordsOf } from "./internal/recall.ts"
import { rootOf } from "./internal/session.ts"
import type { Session } from "./Session.ts"

// ===== models ================================================================

/** Whose memories. @category models @since 0.1.0 */
export interface Owner {
  readonly app: string
  readonly user: string
}

/**
 * One thing that is remembered.
 *
 * @category models
 * @since 0.1.0
 */
export const Memory = Schema.Struct({
  text: Schema.String,
  /** Who said it: the user, or an agent by its name; absent where nobody did. */
  author: Schema.optionalKey(Schema.String),
  /** When it was said, in milliseconds since 1970. */
  time: Schema.Finite
})

/** @since 0.1.0 */
export interface Memory extends Schema.Schema.Type<typeof Memory> {}

/** The store of memories failed. @category errors @since 0.1.0 */
export class MemoryStoreFailed
  extends Schema.TaggedError<MemoryStoreFailed>()("MemoryStoreFailed", { problem: Schema.String })
{
  override get message(): string {
    return `the store of memories failed: ${this.problem}`
  }
}

/** What a store of memories does. @category models @since 0.1.0 */
export interface Shape {
  /** Keeps what a source says, in place of all that was kept of it before. */
  readonly put: (
    owner: Owner,
    source: string,
    memories: ReadonlyArray<Memory>
  ) => Effect.Effect<void, MemoryStoreFailed>
  /** What speaks of some of the query's words, the best first. */
  readonly search: (
    owner: Owner,
    query: string,
    /** How many are given: 10. */
    limit?: number
  ) => Effect.Effect<ReadonlyArray<Memory>, MemoryStoreFailed>
  /** Forgets what came from a source, or all that is remembered of a user. */
  readonly remove: (owner: Owner, source?: string) => Effect.Effect<void, MemoryStoreFailed>
}

/**
 * Keeps memories.
 *
 * @category services
 * @since 0.1.0
 */
export class MemoryStore extends Context.Service<MemoryStore, Shape>()("tenon/MemoryStore") {}

// ===== sessions ==============================================================

/** What an event of a conversation says, where it says something to the user or is said by them. */
const saidIn = (conversation: string) => (event: Event.Event): ReadonlyArray<Memory> => {
  // not what sub-agents were told, and answered
  if (event.agent !== conversation) return []
  const { path, time } = event
  const said = event.kind === "input"
    ? [{ text: textOf(event.message), author: "user", time }]
    : event.kind === "model"
    ? event.messages.filter(({ role }) => role === "assistant").map((message) => ({
      text: textOf(message),
      author: path.at(-1) ?? conversation,
      time
    }))
    : []
  return said.filter(({ text }) => text.trim() !== "")
}

/**
 * Remembers what the user and the agent said in a session, in place of what was remembered of it before.
 *
 * **Example** (Found from another session)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, MemoryStore, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help." })
 * const program = Effect.gen(function*() {
 *   const { session } = yield* AgentRunner.run(Assistant, { session: "s-1", user: "ada", input: "I moved to Paris." })
 *   yield* MemoryStore.ingest(session)
 *   const store = yield* MemoryStore.MemoryStore
 *   return yield* store.search({ app: "assistant", user: "ada" }, "paris")
 * }).pipe(Effect.provide([
 *   ScriptedModel.layer([ScriptedModel.text("Noted.")]),
 *   SessionStore.layerMemory,
 *   MemoryStore.layerMemory
 * ]))
 *
 * const found = await Effect.runPromise(program)
 * found.map(({ text }) => text) // => ["I moved to Paris."]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const ingest = Effect.fnUntraced(
  function*({ events, ref }: Session): Effect.fn.Return<void, MemoryStoreFailed | UserMissing, MemoryStore> {
    const { app, session, user } = ref
    if (user === undefined) return yield* new UserMissing({ fields: ["memories"] })
    yield* (yield* MemoryStore).put({ app, user }, session, events.flatMap(saidIn(rootOf(events))))
  }
)

// ===== memory ================================================================

interface Indexed {
  readonly memory: Memory
  readonly time: number
  readonly words: ReadonlySet<string>
}

const keyOf = ({ app, user }: Owner): string => JSON.stringify([app, user])

/**
 * Keeps memories in memory, for tests and for programs that need no more. A search is for whole words, in any script,
 * without regard to case.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<MemoryStore> = Layer.sync(MemoryStore, () => {
  const owners = new Map<string, Map<string, ReadonlyArray<Indexed>>>()
  return {
    put: (owner, source, memories) =>
      Effect.sync(() => {
        const sources = owners.get(keyOf(owner)) ?? new Map<string, ReadonlyArray<Indexed>>()
        sources.set(source, memories.map((memory) => ({ memory, time: memory.time, words: wordsOf(memory.text) })))
        owners.set(keyOf(owner), sources)
      }),
    search: (owner, query, limit) =>
      Effect.sync(() => {
        const all = [...owners.get(keyOf(owner))?.values() ?? []].flat()
        return ranked(wordsOf(query), all, all.length, limit).map(({ memory }) => memory)
      }),
    remove: (owner, source) =>
      Effect.sync(() => {
        if (source === undefined) owners.delete(keyOf(owner))
        else owners.get(keyOf(owner))?.delete(source)
      })
  }
})
