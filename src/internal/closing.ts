/**
 * What a log gets where nobody goes on with what is open in it. Layer 5.
 */
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import { foldQuestions } from "./fold.ts"
import { failure } from "./results.ts"
import { endOfLog, type Entry } from "./stamp.ts"
import { unfinishedCalls } from "./start.ts"
import { closed } from "./step.ts"

/** Results for calls that no attempt will end any more. */
export const closing = (
  events: ReadonlyArray<Event.Event>,
  result: Event.CallResult,
  waiting?: ReadonlyArray<Interrupt.Open>
): ReadonlyArray<Entry> =>
  unfinishedCalls(events, waiting).map(({ event, call }) => ({
    author: { id: event.agent, path: event.path },
    body: closed(call, result)
  }))

/** The end of what nobody goes on with. */
export const cutShort = (events: ReadonlyArray<Event.Event>): Entry => ({
  author: endOfLog(events).author,
  body: { kind: "ended", status: "cancelled", elapsed: 0 }
})

/** Gives up what a log waits for, calls and hooks alike; what a call left pending stays open. */
export const abandoning = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Entry> => {
  const result = failure("Abandoned", "the question that this call waited for was abandoned")
  // a hook's question has no call: the end of its run closes it
  const ended = foldQuestions(events).some(({ hook }) => hook !== undefined) ? [cutShort(events)] : []
  return [...closing(events, result, []), ...ended]
}
