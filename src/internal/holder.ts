/**
 * A store that has only get and set, held by one process at a time. Layer 4.
 *
 * Who holds it says so under `holder`, and counts on under a key of its own, three times in a term. Nobody's clock is
 * compared with another's: who comes and sees the holder count is refused; who sees nothing counted for a whole term of
 * its own takes over. Of two that take over at once the one that wrote last has it, which both learn by looking again. A
 * holder that could not count for half a term looks whether it holds the store still, before it changes anything.
 */
import { Clock, Duration, Effect, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { KeyValueStore } from "effect/persistence"
import { StoreFailed, StoreHeld } from "../AgentError.ts"
import { orFailed } from "./journal.ts"

const beatOf = (id: string) => `beat.${id}`

/** Gives what fails once another process holds the store. */
export const hold = Effect.fnUntraced(function*(
  store: KeyValueStore.KeyValueStore,
  term: Duration.Duration
): Effect.fn.Return<Effect.Effect<void, StoreFailed>, StoreFailed | StoreHeld, Scope.Scope> {
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

  return Effect.gen(function*() {
    if (!isLost && elapsed() > nanos / 2) yield* beat
    if (isLost) return yield* new StoreFailed({ problem: "another process has taken it over" })
  })
})
