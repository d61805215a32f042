/**
 * What an export alone would not give back of something imported, event by event, as a patch: so what comes in goes out
 * again as it was, and nothing is kept twice. Layer 6, edge `interop`.
 */
import { JsonPatch, Result, Schema } from "effect"
import type * as Event from "../../Event.ts"
import type { Json, Report } from "./json.ts"

/** What an event stands for there: with the events after it for one thing, or for nothing. */
export const Origin = Schema.NullOr(Schema.Struct({
  /** How many events of the log stand for the one thing. */
  count: Schema.Int,
  patch: Schema.Json
}))

export type Origins = Readonly<Record<string, typeof Origin.Type>>

/** Where in the log the events begin that stand for a thing there, and how many they are. */
export interface Place {
  readonly first: number
  readonly count: number
}

/** Events that stand for one thing on the other side. */
export interface Group {
  readonly events: readonly [Event.Event, ...Array<Event.Event>]
  readonly patch: JsonPatch.JsonPatch
  /** Was it imported from there? */
  readonly isImported: boolean
}

/** The events of a log, those together that stand for one thing. */
export const groupsOf = (events: ReadonlyArray<Event.Event>, origins: Origins): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  let index = 0
  while (index < events.length) {
    const first = events[index] as Event.Event
    const origin = Object.hasOwn(origins, String(first.sequence)) ? origins[String(first.sequence)] : undefined
    const end = first.sequence + (origin?.count ?? 1)
    const rest: Array<Event.Event> = []
    index++
    while (index < events.length && (events[index] as Event.Event).sequence < end) {
      rest.push(events[index] as Event.Event)
      index++
    }
    if (origin === null) continue
    const isRedacted = [first, ...rest].some(({ redacted }) => redacted !== undefined)
    groups.push({
      events: [first, ...rest],
      isImported: origin !== undefined,
      // what was taken out of the events must not come back
      patch: isRedacted ? [] : (origin?.patch ?? []) as unknown as JsonPatch.JsonPatch
    })
  }
  return groups
}

/** What is needed to make the one of the other. */
export const patchOf = (derived: Json, original: Json): ReadonlyArray<Json> => JsonPatch.get(derived, original)

/** What a thing that stands here gives back, where that alone is not what it was. */
export const originsOf = (
  places: ReadonlyArray<Place>,
  added: ReadonlySet<number>,
  originals: ReadonlyArray<Json>,
  derive: (origins: Origins) => ReadonlyArray<Json>
): Origins => {
  const none = [...added].map((sequence) => [sequence, null] as const)
  const withPatches = (patch: (index: number) => Json): Origins =>
    Object.fromEntries([
      ...none,
      ...places.map(({ count, first }, index) => [first, { count, patch: patch(index) }] as const)
    ])
  const derived = derive(withPatches(() => []))
  return withPatches((index) => patchOf(derived[index] as Json, originals[index] as Json))
}

/** What was imported, as it came; as it is here, where what was kept of it does not fit any more. */
export const patched = (derived: Schema.JsonObject, { events, patch }: Group, report: Report): Schema.JsonObject =>
  Result.getOrElse(
    Result.try(() => JsonPatch.apply(patch, derived) as Schema.JsonObject),
    () => {
      report.add(
        ["events", String(events[0].sequence)],
        "what was kept of it does not fit what it is now: it is left out"
      )
      return derived
    }
  )
