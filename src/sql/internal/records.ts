/**
 * What is stored, as text and back. Layer 6, edge `sql`.
 */
import { Result, Schema } from "effect"
import { hash } from "node:crypto"
import { EventUnreadable, StoreFailed } from "../../AgentError.ts"
import * as Event from "../../Event.ts"
import { deepFreeze } from "../../internal/freeze.ts"
import { type Ref, type Row, type SharedScope, type Snapshot, Waiting } from "../../SessionStore.ts"

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

/** The parser's own message would show the text. */
const parse = (text: string): Result.Result<Schema.Json, string> =>
  Result.try({ try: () => JSON.parse(text) as Schema.Json, catch: () => "it is no JSON" })

/** Where a part of a log begins and ends. */
export interface Places {
  readonly from: number
  /** The place after its last event, where the log is as long as it should be. */
  readonly to: number
}

/** The events of a part of a log, in order; or the first that is not there as it was stored. */
export const eventsOf = (
  ref: Ref,
  { from, to }: Places,
  records: ReadonlyArray<EventRecord>
): Result.Result<ReadonlyArray<Event.Event>, EventUnreadable> => {
  const unreadable = (sequence: number, problem: string) =>
    Result.fail(new EventUnreadable({ session: ref.session, sequence, problem }))
  const events: Array<Event.Event> = []
  for (let sequence = from; sequence < Math.max(to, from + records.length); sequence++) {
    const record = records[sequence - from]
    if (record?.sequence !== sequence) return unreadable(sequence, "it is missing")
    const { data, checksum } = record
    if (checksum !== checksumOf(ref, sequence, data)) return unreadable(sequence, "its checksum does not fit")
    const event = Result.flatMap(
      parse(data),
      (json) => Result.mapError(Event.decode(json), ({ message }) => message)
    )
    if (Result.isFailure(event)) return unreadable(sequence, event.failure)
    events.push(deepFreeze(event.success))
  }
  return records.length > Math.max(0, to - from)
    ? unreadable(to, "the session was never told of it")
    : Result.succeed(events)
}

// ===== snapshots =============================================================

export interface SnapshotRecord {
  readonly taken: number
  readonly data: string
  readonly checksum: string
}

const snapshotSum = (ref: Ref, taken: number, data: string): string =>
  hash("sha256", JSON.stringify([ref.app, ownerOf(ref), ref.session, "snapshot", taken, data]), "base64url")

export const snapshotRecord = (ref: Ref, { data, revision: taken }: Snapshot): SnapshotRecord => {
  const text = JSON.stringify(data)
  return { taken, data: text, checksum: snapshotSum(ref, taken, text) }
}

/** A snapshot as it was stored; none where it is damaged. */
export const snapshotOf = (ref: Ref, { checksum, data, taken }: SnapshotRecord): Snapshot | undefined =>
  checksum === snapshotSum(ref, taken, data)
    ? Result.getOrUndefined(Result.map(parse(data), (json) => ({ revision: taken, data: json })))
    : undefined

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
