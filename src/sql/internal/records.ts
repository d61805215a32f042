/**
 * What is stored, as text and back. Layer 6, edge `sql`.
 */
import { Result, Schema } from "effect"
import { hash } from "node:crypto"
import { EventUnreadable, StoreFailed } from "../../AgentError.ts"
import * as Event from "../../Event.ts"
import { deepFreeze } from "../../internal/freeze.ts"
import { type Ref, type Row, type SharedScope, Waiting } from "../../SessionStore.ts"

// ===== names =================================================================

/**
 * A name as it is stored. Databases refuse NUL, and keep every half of a surrogate pair that stands alone as one and the
 * same character: two names would be one.
 */
export const storedOf = (name: string): string =>
  name.replace(/[\\\0\p{Surrogate}]/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The name that was stored so. */
export const nameOf = (stored: string): string =>
  stored.replace(/\\u([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))

/** Whose a session is, as it is stored; the rows of an app have an owner that no user can be. */
export const ownerOf = ({ user }: Pick<Ref, "user">, scope: SharedScope = "user"): string =>
  scope === "app" ? "app" : user === undefined ? "" : `user:${storedOf(user)}`

/** A session by its columns. */
export const columnsOf = (ref: Ref) => ({ app: storedOf(ref.app), owner: ownerOf(ref), session: storedOf(ref.session) })

/** The session that was stored so. */
export const refOf = (app: string, owner: string, session: string): Ref =>
  owner === ""
    ? { app, session: nameOf(session) }
    : { app, user: nameOf(owner.slice("user:".length)), session: nameOf(session) }

// ===== events ================================================================

export interface EventRecord {
  readonly sequence: number
  readonly data: string
  readonly checksum: string
}

/** It holds the event's place too: an event that was moved is as damaged as one that was changed. */
const checksumOf = (ref: Ref, sequence: number, data: string): string =>
  hash("sha256", JSON.stringify([ref.app, ownerOf(ref), ref.session, sequence, data]), "base64url")

export const recordOf = (ref: Ref, sequence: number, event: Event.Event): EventRecord => {
  const data = JSON.stringify(Event.encode(event))
  return { sequence, data, checksum: checksumOf(ref, sequence, data) }
}

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Json))

/** The events of a log of that many, in order; or the first that is not there as it was stored. */
export const eventsOf = (
  ref: Ref,
  revision: number,
  records: ReadonlyArray<EventRecord>
): Result.Result<ReadonlyArray<Event.Event>, EventUnreadable> => {
  const unreadable = (sequence: number, problem: string) =>
    Result.fail(new EventUnreadable({ session: ref.session, sequence, problem }))
  const events: Array<Event.Event> = []
  for (let sequence = 0; sequence < Math.max(revision, records.length); sequence++) {
    const record = records[sequence]
    if (record?.sequence !== sequence) return unreadable(sequence, "it is missing")
    const { data, checksum } = record
    if (checksum !== checksumOf(ref, sequence, data)) return unreadable(sequence, "its checksum does not fit")
    const event = Result.flatMap(parse(data), Event.decode)
    if (Result.isFailure(event)) return unreadable(sequence, event.failure.message)
    events.push(deepFreeze(event.success))
  }
  return records.length > revision
    ? unreadable(revision, "the session was never told of it")
    : Result.succeed(events)
}

// ===== inbox =================================================================

const Content = Schema.fromJsonString(Schema.toCodecJson(Waiting))
const decodeContent = Schema.decodeResult(Content)

export const textOf: (waiting: Waiting) => string = Schema.encodeSync(Content)

export const waitingOf = (
  { content, key }: { readonly key: string; readonly content: string }
): Result.Result<Waiting, StoreFailed> =>
  Result.mapBoth(decodeContent(content), {
    onSuccess: (waiting) => deepFreeze(waiting),
    onFailure: (error) =>
      new StoreFailed({ problem: `what waits as '${nameOf(key)}' cannot be read: ${error.message}` })
  })

// ===== shared rows ===========================================================

export interface RowRecord {
  readonly field: string
  readonly value: string | null
  readonly version: number
  readonly section: number
}

export const rowOf = ({ field, value, version, section }: RowRecord): Result.Result<Row, StoreFailed> =>
  value === null
    ? Result.succeed({ value: undefined, version, section })
    : Result.mapBoth(parse(value), {
      onSuccess: (json) => ({ value: deepFreeze(json), version, section }),
      onFailure: () => new StoreFailed({ problem: `the row of '${nameOf(field)}' is no JSON` })
    })
