/**
 * The document of a session: what it holds, and how it is read, whole or as a text that comes in pieces. Layer 4.
 */
import { Result, Schema } from "effect"
import { StateError } from "../AgentError.ts"
import * as Event from "../Event.ts"
import { problemOf } from "./field.ts"
import { deepFreeze } from "./freeze.ts"
import { deepestDocument, shallow, tooDeep } from "./json.ts"

const format = "tenon/session"
const version = 1

/** The row of a shared field, as it was when the document was written. */
export const SharedRow = Schema.Struct({
  scope: Schema.Literals(["user", "app"]),
  /** The field's full name. */
  field: Schema.String,
  /** The version of the section that wrote it. */
  section: Schema.Int.check(Schema.isGreaterThan(0)),
  /** Absent where it was unset. */
  value: Schema.optionalKey(Schema.Json)
})
export interface SharedRow extends Schema.Schema.Type<typeof SharedRow> {}

const rows = Schema.Array(SharedRow)
const decodeRows = Schema.decodeUnknownResult(rows)

export const Document = Schema.Struct({
  format: Schema.Literal(format),
  version: Schema.Literal(version),
  shared: Schema.optionalKey(rows),
  events: Schema.Array(Event.Event).check(Schema.isMinLength(1))
})

/** What is wrong with a document, and where. */
const wrong = (problem: string, ...path: ReadonlyArray<string | number>): StateError =>
  new StateError({ section: "session", version, path: path.map(String), problem })

// ===== writing ===============================================================

/** A whole document; its keys, and those of its events, stand in the order of their schemas. */
export const documentOf = (events: ReadonlyArray<Event.Event>): Schema.Json => ({
  format,
  version,
  events: events.map(Event.encode)
})

/** The text of a document up to its first event. */
export const beginningOf = (shared: ReadonlyArray<SharedRow>): string => {
  const lines = shared.map((row) => `\n${JSON.stringify(row)}`).join(",")
  const member = shared.length > 0 ? `"shared":[${lines}\n],` : ""
  return `{"format":"${format}","version":${version},${member}"events":[`
}

/** The text of an event in a document: a line. */
export const lineOf = (event: Event.Event): string =>
  `${event.sequence === 0 ? "" : ","}\n${JSON.stringify(Event.encode(event))}`

export const ending = "\n]}\n"

// ===== reading ===============================================================

/** What a document holds. */
interface Content {
  readonly events: ReadonlyArray<Event.Event>
  readonly shared: ReadonlyArray<SharedRow>
}

type Read = Result.Result<Content, StateError>

/** The event at a place of a document, if it can stand there. */
const eventAt = (json: unknown, place: number): Result.Result<Event.Event, StateError> => {
  const decoded = Result.flatMap(shallow(json, deepestDocument), Event.decode)
  const refused = (problem: string) => Result.fail(wrong(problem, "events", place))
  if (Result.isFailure(decoded)) return refused(decoded.failure.message)
  const event = decoded.success
  if (event.sequence !== place) return refused("an event is missing or out of place")
  if ((event.kind === "created") !== (place === 0)) return refused("'created' begins a session, and nothing else does")
  if (event.kind === "rewound" && !(event.to >= 0 && event.to < place)) {
    return refused("it goes back to no earlier event")
  }
  return Result.succeed(deepFreeze(event))
}

/** Takes a document member by member, and its events one by one, so that what is wrong is found where it stands. */
class Draft {
  private readonly begun = new Set<string>()
  private readonly events: Array<Event.Event> = []
  private shared: ReadonlyArray<SharedRow> = []

  /** The place of the next event. */
  get next(): number {
    return this.events.length
  }

  /** A member begins. Tells what is wrong with it, as all of these do. */
  begin(name: string): StateError | undefined {
    if (this.begun.has(name)) return wrong("it is there twice", name)
    this.begun.add(name)
    return undefined
  }

  event(json: unknown): StateError | undefined {
    const event = eventAt(json, this.events.length)
    if (Result.isFailure(event)) return event.failure
    this.events.push(event.success)
    return undefined
  }

  /** Takes a member that is no list of events; one that documents do not have is passed over. */
  member(name: string, json: unknown): StateError | undefined {
    if (name === "format") return json === format ? undefined : wrong(`it is not '${format}'`, name)
    if (name === "events") return wrong("it is no list", name)
    if (name === "version") {
      const isLater = typeof json === "number" && json > version
      return json === version
        ? undefined
        : wrong(isLater ? "it is one of a later program" : `it is not ${version}`, name)
    }
    if (name !== "shared") return undefined
    const decoded = Result.flatMap(shallow(json, deepestDocument), decodeRows)
    if (Result.isSuccess(decoded)) this.shared = deepFreeze(decoded.success)
    else {
      const { path, problem } = problemOf(decoded.failure)
      return wrong(problem, name, ...path)
    }
    return undefined
  }

  end(): Read {
    const lacking = ["format", "version", "events"].find((name) => !this.begun.has(name))
    if (lacking !== undefined) return Result.fail(wrong("it is missing", lacking))
    return this.events.length === 0
      ? Result.fail(wrong("a session has one event at least", "events"))
      : Result.succeed({ events: this.events, shared: this.shared })
  }
}

/** Reads a document that was parsed already. */
export const readDocument = (input: unknown): Read => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return Result.fail(wrong("it is no object"))
  const draft = new Draft()
  for (const [name, json] of Object.entries(input)) {
    const isList = name === "events" && Array.isArray(json)
    let problem = draft.begin(name) ?? (isList ? undefined : draft.member(name, json))
    for (const event of isList ? json as ReadonlyArray<unknown> : []) problem ??= draft.event(event)
    if (problem !== undefined) return Result.fail(problem)
  }
  return draft.end()
}

// ===== reading a text in pieces ==============================================

const noJson = "it is no JSON"

/** The parser's own message would show the text. */
const parse = (text: string): Result.Result<unknown, string> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => noJson })

const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

const quote = 0x22
const backslash = 0x5c

/** Where a text stands: before the object, at a member's name or value or an event, after the list, after the object. */
type Place = "before" | "name" | "value" | "event" | "between" | "after"

/**
 * Reads the text of a document as it comes, however it is laid out and cut into pieces: of what came it keeps the events,
 * and the text of the one that is not there whole.
 *
 * At its own level the text is `{`, members, `}`; a member is a name, `:` and a value; and the value of `events` is `[`,
 * values, `]`. Whatever stands between two of these signs is JSON for the parser.
 */
export class Reader {
  private readonly draft = new Draft()
  private place: Place = "before"
  /** Is the member or the event at hand the first one? */
  private isFirst = true
  private name = ""
  /** What came of the name or value at hand, and where in it the text stands. */
  private held = ""
  private depth = 0
  private inText = false
  private isEscaped = false

  /** Takes a piece; tells what is wrong with it. */
  push(piece: string): StateError | undefined {
    let at = 0
    while (at < piece.length) {
      const end = this.endOf(piece, at)
      if (typeof end !== "number") return end
      this.held += piece.slice(at, end)
      if (end === piece.length) return undefined
      const problem = this.sign(piece[end] as string)
      if (problem !== undefined) return problem
      at = end + 1
    }
    return undefined
  }

  end(): Read {
    if (this.place !== "after") return Result.fail(this.wrong("the text ends here"))
    return isBlank(this.held) ? this.draft.end() : Result.fail(this.wrong("the text goes on after the document"))
  }

  /** Where the next sign of the document's own level stands, or the end of the piece. */
  private endOf(piece: string, from: number): number | StateError {
    for (let at = from; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (this.inText) {
        if (this.isEscaped) this.isEscaped = false
        else if (code === backslash) this.isEscaped = true
        else if (code === quote) this.inText = false
      } else if (code === quote) this.inText = true
      else if (code === 0x7b || code === 0x5b) { // { [
        if (this.depth === 0) {
          const isList = this.place === "value" && this.name === "events" && code === 0x5b
          const isOpening = isList || (this.place === "before" && code === 0x7b)
          const isValue = this.place === "value" || this.place === "event"
          if (!isBlank(this.held + piece.slice(from, at)) || !(isOpening || isValue)) return this.wrong(noJson)
          if (isOpening) return at
        }
        if (++this.depth > deepestDocument) return this.wrong(tooDeep(deepestDocument))
      } else if (code === 0x7d || code === 0x5d) { // } ]
        if (this.depth === 0) return at
        this.depth--
      } else if ((code === 0x2c || code === 0x3a) && this.depth === 0) return at // , :
    }
    return piece.length
  }

  /** Takes a sign of the document's own level, and what stood before it. */
  private sign(sign: string): StateError | undefined {
    const { held, isFirst, place } = this
    this.held = ""
    this.isFirst = false
    const isNone = isFirst && isBlank(held)
    if (place === "before" && sign === "{" && isBlank(held)) return this.goOn("name", true)
    if (place === "value" && sign === "[") return this.goOn("event", true)
    if (place === "name" && sign === "}" && isNone) return this.goOn("after")
    if (place === "name" && sign === ":") return this.named(parse(held))
    if (place === "event" && (sign === "," || sign === "]")) {
      const problem = sign === "]" && isNone ? undefined : this.taken(held, (json) => this.draft.event(json))
      return problem ?? this.goOn(sign === "," ? "event" : "between")
    }
    if (sign === "," || sign === "}") {
      const next = sign === "," ? "name" : "after"
      if (place === "between" && isBlank(held)) return this.goOn(next)
      if (place === "value") return this.taken(held, (json) => this.draft.member(this.name, json)) ?? this.goOn(next)
    }
    return this.wrong(noJson)
  }

  private goOn(place: Place, isFirst = false): undefined {
    this.place = place
    this.isFirst = isFirst
  }

  private named(name: Result.Result<unknown, string>): StateError | undefined {
    if (Result.isFailure(name) || typeof name.success !== "string") return this.wrong(noJson)
    this.name = name.success
    this.place = "value"
    return this.draft.begin(this.name)
  }

  private taken(text: string, take: (json: unknown) => StateError | undefined): StateError | undefined {
    const json = parse(text)
    return Result.isFailure(json) ? this.wrong(json.failure) : take(json.success)
  }

  private wrong(problem: string): StateError {
    if (this.place === "event") return wrong(problem, "events", this.draft.next)
    return this.place === "value" ? wrong(problem, this.name) : wrong(problem)
  }
}
