/**
 * States of Sagents agents, in and out: its messages as a log that a run can go on in, its todos and metadata as fields.
 *
 * Versions 1 and 2 are read, and version 2 is written.
 *
 * Layer 6, edge `interop`.
 *
 * @since 0.1.0
 */
import { Clock, DateTime, Effect, Option, Result, Schema } from "effect"
import type { Prompt } from "effect/ai"
import type { FieldDefinition } from "../internal/field.ts"
import { byKey } from "../internal/json.ts"
import type * as Session from "../Session.ts"
import type { Ref, Waiting } from "../SessionStore.ts"
import * as State from "../State.ts"
import { type Imported, InteropError, type Reported } from "./Imported.ts"
import { Builder, nothingWritten } from "./internal/builder.ts"
import { Conversation, reportClosed } from "./internal/conversation.ts"
import { isRecord, type Json, jsonReader, putEntry, reader, Report } from "./internal/json.ts"
import { definitionIn, KeyMap, sectionsWith } from "./internal/keys.ts"
import { Origin, originsOf, patchOf } from "./internal/origins.ts"
import { messagesOf } from "./internal/sagents-out.ts"
import * as Wire from "./internal/sagents-wire.ts"

// ===== models ================================================================

/**
 * The fields that the state of an agent is kept in. All are `session` fields.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fields {
  /** The list of things to do: `TodoList.Todos.items` of `tenon/middleware`, or a field of its form. */
  readonly todos?: State.AnyField
  /** Fields by keys of the metadata; other keys are carried in `Carried`. */
  readonly metadata?: Readonly<Record<string, State.AnyField>>
}

/**
 * How a state is imported.
 *
 * @category models
 * @since 0.1.0
 */
export interface ImportOptions extends Fields {
  /** The session that it becomes; its app is the agent's name. */
  readonly ref: Ref
}

/**
 * How a session is exported.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExportOptions extends Fields {
  /** What the session's inbox holds: the first message becomes the pending one. */
  readonly waiting?: ReadonlyArray<Waiting>
}

// ===== state =================================================================

/**
 * What a state has that nothing here stands for: todos and metadata that no field is given for, and what its messages have
 * besides.
 *
 * @category state
 * @since 0.1.0
 */
export const Carried = State.make("sagents", {
  todos: State.optional(Schema.Array(Schema.Json)),
  metadata: State.record(Schema.String, Schema.Json),
  messages: State.record(Schema.String, Origin)
})

const carried = { todos: definitionIn(Carried.todos), metadata: definitionIn(Carried.metadata) }

const keyMap = (keys: Readonly<Record<string, State.AnyField>>) => new KeyMap("sagents", keys, () => "session")

const readJson = jsonReader("sagents")
const readEnvelope = reader("sagents", Wire.Envelope)
const readMessage = reader("sagents", Wire.Message)

const currentVersion = 2

const versionIn = (version: Json = 1): Result.Result<number, InteropError> =>
  version === 1 || version === currentVersion
    ? Result.succeed(version)
    : Result.fail(
      new InteropError({
        format: "sagents",
        path: ["version"],
        problem: typeof version === "number" && version > currentVersion
          ? `it was written by a later version, ${version}; this program reads ${currentVersion} and earlier ones`
          : "it is no version"
      })
    )

// ===== in ====================================================================

/** The values that the session begins with. */
const valuesIn = (
  { metadata = {}, todos }: (typeof Wire.Envelope.Type)["state"],
  fields: Fields
): Result.Result<ReadonlyArray<readonly [FieldDefinition, Json]>, InteropError> =>
  Result.gen(function*() {
    const map = keyMap(fields.metadata ?? {})
    const list = keyMap(fields.todos === undefined ? {} : { todos: fields.todos })
    const values: Array<readonly [FieldDefinition, Json]> = []
    if (todos !== undefined) {
      // early states had texts for ids
      const items = todos.map((todo, index): Json => typeof todo.id === "string" ? { ...todo, id: index + 1 } : todo)
      const field = list.fields.get("todos") ?? carried.todos
      values.push([field, yield* list.read(field, items, ["state", "todos"])])
    }
    const others: Array<[string, Json]> = []
    for (const [key, value] of Object.entries(metadata)) {
      const field = map.fields.get(key)
      if (field === undefined) others.push([key, value])
      else values.push([field, yield* map.read(field, value, ["state", "metadata", key])])
    }
    return [...values, [carried.metadata, Object.fromEntries(others.sort(byKey))] as const]
  })

const pendingKey = "sagents/pending_message"

const waitingIn = (
  pending: Json | null | undefined,
  report: Report
): Result.Result<ReadonlyArray<Waiting>, InteropError> => {
  if (pending === undefined || pending === null) return Result.succeed([])
  const path = ["pending_message"]
  return Result.map(readMessage(pending, path), (read) => {
    const message = Wire.messageIn(read, report, path)
    if (message.role !== "user") {
      report.add(path, "only a user's message can wait")
      return []
    }
    if (patchOf(Wire.userOut(message), pending).length > 0) {
      report.add(path, "of a message that waits, only what it says is taken")
    }
    return [{ kind: "message", key: pendingKey, message }]
  })
}

const timeOf = (text: string | undefined): number =>
  text === undefined ? 0 : Option.match(DateTime.make(text), { onNone: () => 0, onSome: DateTime.toEpochMillis })

/**
 * A log out of a state as Sagents writes it, version 1 or 2; one without a version is of the first.
 *
 * **Details**
 *
 * A later version is an error. A result of a call that was interrupted holds its question in a form that only Sagents
 * reads: the call is closed with an error. A pending message waits in the session's inbox. All events have the time when
 * the state was written.
 *
 * **Example** (What an agent knew)
 *
 * ```ts
 * import { Result, Schema } from "effect"
 * import { Session, State } from "tenon"
 * import { Sagents } from "tenon/interop"
 *
 * const Chat = State.make("chat", { title: State.field(Schema.String, { initial: "" }) })
 * const state = {
 *   version: 2,
 *   state: { messages: [{ role: "user", content: "Hi." }], todos: [], metadata: { title: "Greetings", seen: true } }
 * }
 * const { events } = Result.getOrThrow(
 *   Sagents.importState(state, { ref: { app: "guide", session: "s-1" }, metadata: { title: Chat.title } })
 * )
 *
 * Result.getOrThrow(Session.fold(events, [Chat])).state.get(Chat.title) // => "Greetings"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const importState = (
  input: unknown,
  { ref, ...fields }: ImportOptions
): Result.Result<Imported, InteropError> =>
  Result.gen(function*() {
    const report = new Report()
    const { pending_message, serialized_at, state, version } = yield* readEnvelope(yield* readJson(input))
    const isFirst = (yield* versionIn(version)) === 1
    const raise = (message: Json) => isFirst ? Wire.fromFirst(message) : message
    const originals = state.messages.map(raise)
    const time = timeOf(serialized_at)
    const builder = new Builder(ref, ref.app, time)
    const read: Array<{ readonly wire: Wire.Message; readonly message: Prompt.Message; readonly path: Array<string> }> =
      []
    for (const [index, original] of originals.entries()) {
      const path = ["state", "messages", String(index)]
      const wire = yield* readMessage(original, path)
      read.push({ wire, message: Wire.messageIn(wire, report, path), path })
    }
    const conversation = new Conversation(read.map(({ message }) => message), builder, ref.app, report)
    const places = read.map(({ message, path, wire }) => {
      const before = builder.events.length
      conversation.add(message, { time, path, finish: message.role === "assistant" ? Wire.finishIn(wire) : undefined })
      const place = builder.since(before)
      return place.count > 0 ? place : { first: builder.note(ref.app, nothingWritten, time), count: 1 }
    })
    builder.end(time)
    reportClosed(builder, report)
    const sections = sectionsWith(yield* valuesIn(state, fields))
    const messages = originsOf(
      places,
      builder.added,
      originals,
      (origins) => messagesOf(builder.events, origins, new Report())
    )
    const own = sections[Carried["~section"]]
    builder.start({
      ...sections,
      [Carried["~section"]]: { version: 1, fields: { ...own?.fields, messages } }
    })
    const waiting = yield* waitingIn(pending_message, report)
    return { ref, events: builder.events, writes: [], waiting, report: report.all }
  })

// ===== out ===================================================================

/**
 * A session as Sagents writes a state, version 2.
 *
 * **Details**
 *
 * All messages are in it, those included that a compaction stands for. Values are exact: a boolean stays one.
 *
 * @category encoding
 * @since 0.1.0
 */
export const exportState = (
  session: Session.Session,
  { metadata = {}, todos, waiting = [] }: ExportOptions = {}
): Effect.Effect<Reported<Schema.Json>> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const report = new Report()
    const map = keyMap(metadata)
    const list = todos === undefined ? carried.todos : definitionIn(todos)
    const { values } = session.state
    const kept = values.get(carried.metadata.name)
    const data: Record<string, Json> = {}
    for (const [key, value] of Object.entries(isRecord(kept) ? kept : {})) putEntry(data, key, value)
    for (const [name, value] of values) {
      const key = map.keyOf(name)
      if (key !== undefined) putEntry(data, key, value)
      else if (name !== list.name && !name.startsWith(`${Carried["~section"]}.`)) {
        report.add(["metadata", name], "the field is mapped to no key")
      }
    }
    const [pending, ...later] = waiting.filter((each) => each.kind === "message")
    for (const { key } of later) report.add(["pending_message", key], "only one message can wait")
    const value: Json = {
      version: currentVersion,
      serialized_at: DateTime.formatIso(DateTime.makeUnsafe(now)),
      state: {
        messages: messagesOf(session.events, session.state.get(Carried.messages), report),
        todos: values.get(list.name) ?? [],
        metadata: data
      },
      ...(pending !== undefined && { pending_message: Wire.userOut(pending.message) })
    }
    return { value, report: report.all }
  })
