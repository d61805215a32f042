/**
 * A store that has only get and set, held by one process at a time. Layer 4.
 *
 * Who holds it says so under `holder`, and counts on under a key of its own, three times in a term. Nobody's clock is
 * compared with another's: who comes and sees the holder count is refused; who sees nothing counted for a whole term of
 * its own takes over. Of two that take over at once the one that wrote last has it, which both learn by looking again. A
 * holder looks before each commit whether it is the holder still, and counts before it goes on with one that has taken
 * half a term.
 */
import { Clock, Duration, Effect, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { KeyValueStore } from "effect/persistence"
import { StoreFailed, StoreHeld } from "../AgentError.ts"
import { orFailed } from "./journal.ts"

const beatOf = (id: string) => `beat.${id}`

/** The right to change a store. Both fail once another process holds it. */
export interface Held {
  /** Looks, where it did not for half a term. */
  readonly lately: Effect.Effect<void, StoreFailed>
  /** Looks in any case. */
  readonly now: Effect.Effect<void, StoreFailed>
}

export const hold = Effect.fnUntraced(function*(
  store: KeyValueStore.KeyValueStore,
  term: Duration.Duration
): Effect.fn.Return<Held, StoreFailed | StoreHeld, Scope.Scope> {
  // other processes live in real time, whatever clock this one was given
  const clock = Clock.Clock.defaultValue()
  const inRealTime = Effect.provideService(Clock.Clock, clock)
  const nanos = Number(Duration.toNanosUnsafe(term))
  const part = (share: number) => inRealTime(Effect.sleep(Duration.nanos(BigInt(Math.ceil(nanos / share)))))
  /** Within this a `set` that was begun must stand. */
  const settling = part(50)

  const id = SecureRandom.uuidV4Unsafe()
  const holder = orFailed(store.get("holder"))

  /** Nothing was counted for a term, or the store was given back. */
  const isFree = Effect.fnUntraced(function*(other: string) {
    const counted = orFailed(store.get(beatOf(other)))
    const before = yield* counted
    const began = clock.currentTimeNanosUnsafe()
    while (Number(clock.currentTimeNanosUnsafe() - began) < nanos) {
      yield* part(12)
      const now = yield* holder
      if (now === undefined) return true
      if (now !== other || (yield* counted) !== before) return false
    }
    return true
  })

  const release = Effect.gen(function*() {
    if ((yield* holder) === id) yield* orFailed(store.remove("holder"))
    yield* orFailed(store.remove(beatOf(id)))
  })

  const take = Effect.gen(function*() {
    const other = yield* holder
    if (other !== undefined && !(yield* isFree(other))) return yield* new StoreHeld()
    yield* orFailed(store.set("holder", id))
    yield* settling
    if ((yield* holder) !== id) return yield* new StoreHeld()
    if (other !== undefined) yield* orFailed(store.remove(beatOf(other)))
  })

  yield* Effect.addFinalizer(() => Effect.ignore(release))
  let beats = 0
  let last = clock.currentTimeNanosUnsafe()
  let isLost = false
  const elapsed = () => Number(clock.currentTimeNanosUnsafe() - last)

  const beat = Effect.gen(function*() {
    const isLate = elapsed() >= nanos
    const began = clock.currentTimeNanosUnsafe()
    isLost = (yield* holder) !== id
    if (isLost) return
    yield* orFailed(store.set(beatOf(id), String(++beats)))
    if (isLate) {
      // whoever takes over just now has written by then
      yield* settling
      isLost = (yield* holder) !== id
    }
    last = began
  })

  yield* take
  last = clock.currentTimeNanosUnsafe()
  yield* Effect.forkScoped(inRealTime(Effect.schedule(
    Effect.suspend(() => isLost ? Effect.void : Effect.ignore(beat)),
    Schedule.spaced(Duration.nanos(BigInt(Math.ceil(nanos / 3))))
  )))

  const unlessLost = Effect.suspend(() =>
    isLost ? Effect.fail(new StoreFailed({ problem: "another process has taken it over" })) : Effect.void
  )
  const lately = Effect.andThen(
    Effect.suspend(() => !isLost && elapsed() > nanos / 2 ? beat : Effect.void),
    unlessLost
  )
  const look = Effect.map(holder, (found) => void (isLost ||= found !== id))
  return { lately, now: Effect.andThen(lately, Effect.andThen(look, unlessLost)) }
})
