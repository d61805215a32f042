/**
 * Who watches the inboxes of sessions in this process. Layer 4.
 */
import { type Cause, Effect, Queue, Stream } from "effect"
import type { Ref } from "../SessionStore.ts"

/** Tells whoever watches a session in this process, and lets one watch. */
export interface Watchers {
  readonly tell: (ref: Ref) => void
  readonly watch: (ref: Ref) => Stream.Stream<void>
}

export const makeWatchers = (): Watchers => {
  const queues = new Map<string, Set<Queue.Enqueue<void, Cause.Done>>>()
  const keyOf = ({ app, session, user }: Ref): string => JSON.stringify([app, user ?? null, session])
  return {
    tell: (ref) => {
      for (const queue of queues.get(keyOf(ref)) ?? []) Queue.offerUnsafe(queue, undefined)
    },
    watch: (ref) =>
      Stream.callback<void>((queue) => {
        const key = keyOf(ref)
        const own = queues.get(key) ?? new Set()
        return Effect.acquireRelease(
          Effect.sync(() => {
            queues.set(key, own.add(queue))
            Queue.offerUnsafe(queue, undefined)
          }),
          () => Effect.sync(() => own.delete(queue) && own.size === 0 && queues.delete(key))
        )
      }, { bufferSize: 1, strategy: "sliding" })
  }
}
