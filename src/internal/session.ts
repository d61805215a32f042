/**
 * A session out of what the folds made. Layer 4; its public face is `Session`.
 */
import type * as Event from "../Event.ts"
import type * as Session from "../Session.ts"
import type { Ref } from "../SessionStore.ts"
import { oneByName } from "./contract.ts"
import { definitionOf, type FieldDefinition } from "./field.ts"
import { foldQuestions, type Sections } from "./fold.ts"
import { decodeField, isShared } from "./fork.ts"
import { deepFreeze } from "./freeze.ts"
import { transcriptOf } from "./history.ts"
import type { Log } from "./log.ts"

const definitionIn = (field: unknown): FieldDefinition => (field as { readonly "~field": FieldDefinition })["~field"]

/** The sections that a reader knows, by name. */
export const sectionsIn = (known: Session.Known): Sections =>
  "definition" in known ? known.definition.sections : oneByName("sections", known.map(definitionOf))

/** What a fold of State leaves. */
export type Folded = Pick<Session.SessionState, "values" | "versions" | "unreadable">

/** State out of encoded values. */
export const stateOf = ({ values, versions, unreadable }: Folded, hasRows = true): Session.SessionState => ({
  values,
  versions,
  unreadable,
  get: (field) => {
    const definition = definitionIn(field)
    const lost = unreadable.get(definition.section.name)
    if (lost !== undefined) throw lost
    if (!hasRows && isShared(definition)) {
      throw new TypeError(`'${definition.name}' is shared by sessions: load the session from its store to read it`)
    }
    return decodeField(definition, values.get(definition.name)) as never
  }
})

/** The id of a session's root agent. */
export const rootOf = (events: ReadonlyArray<Event.Event>): string => events[0]?.agent ?? ""

/**
 * What is folded when somebody asks, since most callers want the answer alone. One function each for all sessions: an
 * object with getters of its own has a hidden class of its own, which holds the log until all of memory is swept.
 */
const foldedAtLast = (fold: (events: ReadonlyArray<Event.Event>) => unknown): PropertyDescriptor => ({
  enumerable: true,
  get(this: Pick<Session.Session, "events">) {
    return fold(this.events)
  }
})
const views = {
  history: foldedAtLast((events) => transcriptOf(events, rootOf(events)).messages),
  transcript: foldedAtLast((events) =>
    transcriptOf(events, rootOf(events)).entries.flatMap(({ messages }) => messages)
  ),
  open: foldedAtLast(foldQuestions)
}

/** A session out of its log and the state that was folded already. */
export const ofFolds = (
  ref: Ref,
  { events, revision }: Log,
  folded: Folded,
  hasRows = true
): Session.Session =>
  Object.defineProperties<object>({ ref, revision, events, state: stateOf(folded, hasRows) }, views) as Session.Session

/** The names of a session, as an event or an error holds them. */
export const namesOf = ({ app, user, session }: Ref): { app: string; user?: string; session: string } => ({
  app,
  ...(user !== undefined && { user }),
  session
})

/** An event as one of another session. */
export const movedTo = (ref: Ref) => (event: Event.Event): Event.Event => {
  const moved = { ...event, id: `${ref.session}/${event.sequence}` }
  if (moved.kind !== "created") return deepFreeze(moved)
  const { user: _, ...created } = moved
  return deepFreeze({ ...created, ...namesOf(ref) })
}
