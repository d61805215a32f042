/**
 * A message that is sent again under its key is no new one: where it went, and what became of it. Layer 5.
 */
import { Effect, Option, Schedule } from "effect"
import { InputTaken, RunCancelled } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Ref, SessionStore } from "../SessionStore.ts"

/** The message of that key, once it is in the log. */
export const inputWith = (events: ReadonlyArray<Event.Event>, key: string): Event.Input | undefined =>
  events.find((event): event is Event.Input => event.kind === "input" && event.key === key)

/** Is a message with a key part of an invocation, so that its answer is to be stored? */
export const isKeyed = (events: ReadonlyArray<Event.Event>, invocation: string): boolean =>
  events.some((event) => event.kind === "input" && event.key !== undefined && event.invocation === invocation)

/** Does a session wait for answers, and for nothing else? */
export const isPaused = (events: ReadonlyArray<Event.Event>): boolean => {
  const last = events.at(-1)
  return last?.kind === "ended" && last.status === "paused"
}

/** What became of a message: its answer, or an invocation that can go on, or why neither. */
export const fateOf = (
  events: ReadonlyArray<Event.Event>,
  { invocation, key = "", sequence }: Event.Input
): Effect.Effect<Event.Answer | undefined, InputTaken | RunCancelled> => {
  const ends = events.filter((event): event is Event.Ended =>
    event.kind === "ended" && event.invocation === invocation && event.sequence > sequence
  )
  const answer = ends.find((end) => end.answer !== undefined)?.answer
  if (answer !== undefined) return Effect.succeed(answer)
  const cancelled = ends.at(-1)?.key
  if (cancelled !== undefined) return Effect.fail(new RunCancelled({ key: cancelled }))
  return events.at(-1)?.invocation === invocation
    ? Effect.succeed(undefined)
    : Effect.fail(new InputTaken({ key, invocation }))
}

/**
 * The right to write the session. Where another run has it, one looks again for a second, since the message may be its own
 * and not taken yet; where it is, one waits for its end.
 */
export const leaseFor = (store: SessionStore["Service"], ref: Ref, key: string | undefined) => {
  const lease = store.lease(ref)
  if (key === undefined) return lease
  const isTaken = Effect.map(
    store.newest(ref),
    Option.exists(({ events }) => inputWith(events, key) !== undefined)
  )
  const atLast = (times?: number) =>
    Effect.retry(lease, {
      schedule: Schedule.spaced("100 millis"),
      while: ({ _tag }) => _tag === "SessionBusy",
      ...(times !== undefined && { times })
    })
  return atLast(10).pipe(
    Effect.catchTag(
      "SessionBusy",
      (busy) => Effect.flatMap(isTaken, (taken) => taken ? atLast() : Effect.fail(busy))
    )
  )
}
