/**
 * A whole session as one JSON document, to be kept as a file or moved to another store: written and read as a stream of
 * text, and described by a JSON Schema.
 *
 * The document holds the session's events, all of them, one on each line. State, history and open questions come of
 * those. It is what `Session.encode` gives and `Session.decode` reads, and may say besides what `user` and `app` fields
 * were worth. Nothing of a ToolContext, no credential and no `temp` field is in it. What waits in the inbox is not, nor
 * are the contents of artifacts: their names and versions are State, the contents stay in the `ArtifactStore`.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Effect, type JsonSchema, Option, Schema, Stream } from "effect"
import {
  type EventUnreadable,
  SessionExists,
  SessionMissing,
  type StateConflict,
  type StateError,
  type StoreFailed
} from "./AgentError.ts"
import { beginningOf, Document, ending, lineOf, Reader, type SharedRow } from "./internal/document.ts"
import { rowNames } from "./internal/rows.ts"
import { movedTo, namesOf, sectionsIn } from "./internal/session.ts"
import * as Session from "./Session.ts"
import { type Ref, SessionStore, type SharedWrite } from "./SessionStore.ts"

// ===== models ================================================================

/**
 * What came of an import.
 *
 * @category models
 * @since 0.1.0
 */
export interface Imported {
  /** The session that is there now. */
  readonly ref: Ref
  /** The number of its events. */
  readonly revision: number
  /** The `user` and `app` fields that were written, by full name. */
  readonly shared: ReadonlyArray<string>
}

/**
 * The JSON Schema (draft 2020-12) of a document, for those who read one with other tools. It tells the shape; that events
 * follow each other and come to a state is for who imports it.
 *
 * @category models
 * @since 0.1.0
 */
export const jsonSchema = (): JsonSchema.JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(Document)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "tenon/session",
    ...schema,
    $defs: definitions
  }
}

// ===== writing ===============================================================

/** How many events are in memory at once. */
const pageSize = 256

/** What sections have in the rows that sessions share, as it is stored. */
const sharedRows = Effect.fnUntraced(function*(store: SessionStore["Service"], ref: Ref, known: Session.Known) {
  const names = [...sectionsIn(known).values()].flatMap((section) => rowNames(section, ref))
  const rows = yield* store.shared(ref, names)
  return names.flatMap(({ field, scope }): ReadonlyArray<SharedRow> => {
    const { section = 0, value } = rows.get(field) ?? {}
    return section === 0 ? [] : [{ scope, field, section, ...(value !== undefined && { value }) }]
  })
})

/**
 * The text of a session's document, in pieces. It holds a page of events in memory, however long the session is.
 *
 * **Details**
 *
 * One log has one text, byte for byte, in whatever store it is: keys stand in the order of the schema, those of values
 * that are not ours (arguments, results, fields) in their own, which a model may have been shown. Of a session that is written
 * meanwhile the text has a beginning. `shared` names sections, or an agent, whose `user` and `app` fields are told of
 * too, with the values that they have when the export starts.
 *
 * @category encoding
 * @since 0.1.0
 */
export const exportSession = (
  ref: Ref,
  { shared = [] }: { readonly shared?: Session.Known } = {}
): Stream.Stream<string, EventUnreadable | SessionMissing | StoreFailed, SessionStore> =>
  Stream.unwrap(Effect.map(SessionStore, (store) =>
    Stream.paginate(
      0,
      Effect.fnUntraced(function*(from: number) {
        const page = yield* store.load(ref, { from, limit: pageSize })
        if (Option.isNone(page)) return yield* new SessionMissing(namesOf(ref))
        const events = page.value
        const isLast = events.length < pageSize
        const text = [
          from === 0 ? beginningOf(yield* sharedRows(store, ref, shared)) : "",
          ...events.map(lineOf),
          isLast ? ending : ""
        ]
        return [[text.join("")], isLast ? Option.none() : Option.some(from + events.length)] as const
      })
    )))

// ===== reading ===============================================================

/** Writes what sections had in rows that sessions share, where nobody has written those. */
const lackingRows = Effect.fnUntraced(
  function*(store: SessionStore["Service"], ref: Ref, rows: ReadonlyArray<SharedRow>) {
    const owned = rows.filter(({ scope }) => scope === "app" || ref.user !== undefined)
    const there = yield* store.shared(ref, owned)
    const lacking = owned.filter(({ field }) => (there.get(field)?.section ?? 0) === 0)
    const writes = lacking.map(({ field, scope, section, value }): SharedWrite => ({
      scope,
      operation: value === undefined ? { op: "unset", field } : { op: "set", field, value },
      initial: undefined,
      section
    }))
    return { writes, unchanged: new Map(lacking.map(({ field, scope }) => [field, { scope, version: 0 }])) }
  }
)

/**
 * Makes a session out of the text of a document: all of it by one append, or nothing. It is the session that the document
 * names, or `as`.
 *
 * **Details**
 *
 * The text is read as it comes, however it is laid out; a stream of bytes becomes one by `Stream.decodeText`. What does not
 * fit is a `StateError` that names the place: another format, one of a later program, an event that is missing, out of
 * order or none, a log whose state cannot be folded. A session that is there already is refused with `SessionExists`. Open
 * questions stay open and are answered in the new session; an invocation that was under way is as after a crash.
 *
 * Rows of `user` and `app` fields, which other sessions share, are left alone. With `shared: true` those that the document
 * tells of are written where the store has none, in the same append; `StateConflict` if somebody else was faster.
 *
 * **Gotchas**
 *
 * The events are in memory until the append, as they are for whoever runs the session.
 *
 * **Example** (To another store, for another user)
 *
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Agent, AgentRunner, Session, SessionDocument, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help." })
 * const there = { app: "assistant", user: "ann", session: "s-1" }
 * const here = { app: "assistant", user: "ben", session: "s-1" }
 * const exported = Effect.gen(function*() {
 *   yield* AgentRunner.run(Assistant, { user: "ann", session: "s-1", input: "Good day." })
 *   return yield* Stream.mkString(SessionDocument.exportSession(there))
 * }).pipe(Effect.provide([ScriptedModel.layer([ScriptedModel.text("Good day.")]), SessionStore.layerMemory]))
 * const imported = Effect.gen(function*() {
 *   yield* SessionDocument.importSession(Stream.succeed(yield* exported), { as: here })
 *   return (yield* Session.load(here)).history.length
 * }).pipe(Effect.provide(SessionStore.layerMemory))
 *
 * const messages = await Effect.runPromise(imported)
 * messages // => 2
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const importSession = Effect.fnUntraced(function*<E, R>(
  text: Stream.Stream<string, E, R>,
  { as, shared = false }: { readonly as?: Ref; readonly shared?: boolean } = {}
): Effect.fn.Return<Imported, E | SessionExists | StateConflict | StateError | StoreFailed, R | SessionStore> {
  const store = yield* SessionStore
  const reader = new Reader()
  yield* Stream.runForEach(text, (piece) => {
    const problem: StateError | undefined = reader.push(piece)
    return problem === undefined ? Effect.void : Effect.fail(problem)
  })
  const content = yield* Effect.fromResult(reader.end())
  const { ref: named } = yield* Effect.fromResult(Session.fold(content.events))
  const ref = as ?? named
  const events = as === undefined ? content.events : content.events.map(movedTo(as))
  const rows = yield* lackingRows(store, ref, shared ? content.shared : [])
  yield* store.append(ref, { expected: 0, events: () => events, ...rows }).pipe(
    Effect.catchTags({
      StaleSession: () => Effect.fail(new SessionExists(namesOf(ref))),
      // there is none: an import is no run
      LeaseLost: Effect.die
    })
  )
  return {
    ref,
    revision: events.length,
    shared: rows.writes.map(({ operation }) => operation.field)
  }
})
