/**
 * What is stored, as text and back. Layer 6, edge `sql`.
 */
import { Result, Schema } from "effect"
import { hash } from "node:crypto"
import { EventUnreadable, StoreFailed } from "../../AgentError.ts"
import * as Event from "../../Event.ts"
import { deepFreeze, freezeRead } from "../../internal/freeze.ts"
import { deepestDocument, parseJson } from "../../internal/json.ts"
import { type Ref, type Row, type SharedScope, type Snapshot, Waiting } from "../../SessionStore.ts"

// ===== names =================================================================

/**
 * A name as it is stored. Databases refuse NUL, and keep every half of a surrogate pair that stands alone as one and the
 * same character: two names would be one.
 */
export const storedOf = (name: string): string =>
  name.replace(/[\\\0\p{Surrogate}]/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The name that was stored so; a damaged database may give something else than text. */
export const nameOf = (stored: unknown): string =>
  typeof stored === "string"
    ? stored.replace(/\\u([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    : "?"

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

// ===== checksums =============================================================

/** It holds the place of what is stored too: a row that was moved is as damaged as one that was changed. */
export const checksumOf = (...row: ReadonlyArray<unknown>): string => hash("sha256", JSON.stringify(row), "base64url")

// ===== events ================================================================

export interface EventRecord {
  readonly sequence: number
  readonly data: string
  readonly checksum: string
}

const eventChecksum = (ref: Ref, sequence: number, data: string): string =>
  checksumOf(ref.app, ownerOf(ref), ref.session, sequence, data)

export const recordOf = (ref: Ref, sequence: number, event: Event.Event): EventRecord => {
  const data = JSON.stringify(Event.encode(event))
  return { sequence, data, checksum: eventChecksum(ref, sequence, data) }
}

const parse = (text: string) => parseJson(text, deepestDocument)

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
    if (checksum !== eventChecksum(ref, sequence, data)) return unreadable(sequence, "its checksum does not fit")
    const event = Result.flatMap(
      parse(data),
      (json) => Result.mapError(Event.decode(json), ({ message }) => message)
    )
    if (Result.isFailure(event)) return unreadable(sequence, event.failure)
    if (event.success.sequence !== sequence) return unreadable(sequence, "it is of another place")
    events.push(freezeRead(event.success))
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
  checksumOf(ref.app, ownerOf(ref), ref.session, "snapshot", taken, data)

export const snapshotRecord = (ref: Ref, { data, revision: taken }: Snapshot): SnapshotRecord => {
  const text = JSON.stringify(data)
  return { taken, data: text, checksum: snapshotSum(ref, taken, text) }
}

/** A snapshot of a log of so many events as it was stored; none where it is damaged. */
export const snapshotOf = (
  ref: Ref,
  revision: number,
  { checksum, data, taken }: SnapshotRecord
): Snapshot | undefined =>
  taken <= revision && checksum === snapshotSum(ref, taken, data)
    ? Result.getOrUndefined(Result.map(parse(data), (json) => ({ revision: taken, data: json })))
    : undefined

// ===== inbox =================================================================

const waitingCodec = Schema.toCodecJson(Waiting)
const decodeWaiting = Schema.decodeUnknownResult(waitingCodec)
const encodeWaiting = Schema.encodeSync(waitingCodec)

/** What waits, or the key of what was taken. */
export interface WaitingRecord {
  readonly key: string
  readonly kind: string | null
  readonly content: string | null
  readonly checksum: string | null
}

const waitingChecksum = (ref: Ref, { content, key, kind }: Omit<WaitingRecord, "checksum">): string => {
  const { app, owner, session } = columnsOf(ref)
  return checksumOf(app, owner, session, key, kind, content)
}

export const waitingRecordOf = (ref: Ref, waiting: Waiting): WaitingRecord => {
  const record = { key: storedOf(waiting.key), kind: waiting.kind, content: JSON.stringify(encodeWaiting(waiting)) }
  return { ...record, checksum: waitingChecksum(ref, record) }
}

/** One without a checksum was stored before there were any. */
export const waitingOf = (ref: Ref, record: WaitingRecord): Result.Result<Waiting, StoreFailed> => {
  const problem = (words: string) =>
    new StoreFailed({ problem: `what waits for '${ref.session}' as '${nameOf(record.key)}' cannot be read: ${words}` })
  if (record.checksum !== null && record.checksum !== waitingChecksum(ref, record)) {
    return Result.fail(problem("its checksum does not fit"))
  }
  const decoded = Result.flatMap(
    parse(record.content ?? ""),
    (json) => Result.mapError(decodeWaiting(json), ({ message }) => message)
  )
  // under another key it would be taken, and wait on, for ever
  const own = Result.filterOrFail(
    decoded,
    ({ key, kind }) => storedOf(key) === record.key && (record.kind === null || kind === record.kind),
    () => "it is another"
  )
  return Result.mapBoth(own, { onSuccess: (waiting) => deepFreeze(waiting), onFailure: problem })
}

// ===== shared rows ===========================================================

export interface RowRecord {
  readonly owner: string
  readonly field: string
  readonly value: string | null
  readonly version: number
  readonly section: number
  readonly checksum: string | null
}

const rowChecksum = (app: string, { field, owner, section, value, version }: Omit<RowRecord, "checksum">): string =>
  checksumOf(storedOf(app), owner, field, value, version, section)

export const rowRecordOf = (ref: Ref, scope: SharedScope, field: string, { section, value, version }: Row) => {
  const record = {
    owner: ownerOf(ref, scope),
    field: storedOf(field),
    value: value === undefined ? null : JSON.stringify(value),
    version,
    section
  }
  return { app: storedOf(ref.app), ...record, checksum: rowChecksum(ref.app, record) }
}

/** One without a checksum was stored before there were any, or nobody wrote it yet. */
export const rowOf = (app: string, record: RowRecord): Result.Result<Row, StoreFailed> => {
  const { checksum, section, value, version } = record
  const failed = (words: string) =>
    Result.fail(new StoreFailed({ problem: `the row of '${nameOf(record.field)}' cannot be read: ${words}` }))
  if (checksum !== null && checksum !== rowChecksum(app, record)) return failed("its checksum does not fit")
  if (value === null) return Result.succeed({ value: undefined, version, section })
  const json = parse(value)
  return Result.isFailure(json)
    ? failed(json.failure)
    : Result.succeed({ value: deepFreeze(json.success), version, section })
}
