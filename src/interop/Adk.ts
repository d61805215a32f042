/**
 * Sessions, events and eval sets of Google's ADK, in and out, in both spellings.
 *
 * Its events become a log that a run can go on in, and a log becomes its events. What only ADK knows is kept in a section
 * of its own, so that a session which came in goes out again as it was.
 *
 * Layer 6, edge `interop`.
 *
 * @since 0.1.0
 */
import { Effect, Result, Schema } from "effect"
import { oneByName } from "../internal/contract.ts"
import { definitionOf } from "../internal/field.ts"
import * as Session from "../Session.ts"
import type { Ref } from "../SessionStore.ts"
import * as State from "../State.ts"
import type { Imported, InteropError, Reported } from "./Imported.ts"
import { build } from "./internal/adk-in.ts"
import { type Context, eventsOf, seconds, stateOf } from "./internal/adk-out.ts"
import { caseOf, EvalCase, EvalSet, readOldSet } from "./internal/evals.ts"
import { type EvaluationCase, evaluationOf } from "./internal/evaluation.ts"
import { type Json, jsonReader, reader, Report } from "./internal/json.ts"
import { definitionIn, KeyMap } from "./internal/keys.ts"
import { Origin, originsOf } from "./internal/origins.ts"
import { normalised, type Spelling, spelt, type TimeUnit } from "./internal/spelling.ts"
import * as Wire from "./internal/wire.ts"

export { EvalCase, EvalSet }
export type { EvaluationCase, Spelling, TimeUnit }

// ===== models ================================================================

/**
 * The fields that keys of ADK's state are. A key that begins with `user:` is a `user` field, one with `app:` an `app`
 * field, any other a `session` field; `temp:` keys are not imported.
 *
 * @category models
 * @since 0.1.0
 */
export type Keys = Readonly<Record<string, State.AnyField>> & { readonly [key: `temp:${string}`]: never }

/**
 * What an import may know.
 *
 * @category models
 * @since 0.1.0
 */
export interface ImportOptions {
  /** The fields that keys are mapped to; other keys are carried in `Carried`. */
  readonly keys?: Keys
  /** The session's name here, where it differs: a run finds it under the app, the user and the session that it names. */
  readonly ref?: Partial<Ref>
  /** The names that agents have here, by their names there. */
  readonly agents?: Readonly<Record<string, string>>
}

/**
 * How an export is written.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExportOptions {
  /** The keys that fields are mapped to, the same as for an import. */
  readonly keys?: Keys
  /** The names that agents have there, by their names here. */
  readonly agents?: Readonly<Record<string, string>>
  /** `snake_case` unless said otherwise, as Python writes files. */
  readonly spelling?: Spelling
  /** Seconds in snake case, milliseconds in camel case, unless said otherwise. */
  readonly times?: TimeUnit
}

// ===== state =================================================================

/**
 * What a session of ADK has that nothing here stands for: the keys of its state that are mapped to no field, and what its
 * events and the session itself have besides.
 *
 * @category state
 * @since 0.1.0
 */
export const Carried = State.make("adk", {
  state: State.record(Schema.String, Schema.Json),
  session: State.record(Schema.String, Schema.Json),
  events: State.record(Schema.String, Origin)
})

const carried = definitionIn(Carried.state)

const scopeOf = (key: string): State.Scope => {
  if (key.startsWith("temp:")) throw new TypeError(`the key '${key}' lives in one run: it can be no field's`)
  return key.startsWith("user:") ? "user" : key.startsWith("app:") ? "app" : "session"
}

const keyMap = (keys: Keys = {}): KeyMap => new KeyMap("adk", keys, scopeOf)

const readJson = jsonReader("adk")
const readSession = reader("adk", Wire.Session)

// ===== sessions ==============================================================

const known = new Set(["id", "app_name", "user_id", "state", "events"])

/**
 * A log out of a session of ADK, as JSON in either spelling.
 *
 * **Details**
 *
 * A message, an answer of the model and a result of a call are what they are here. Events that a rewind took back, and
 * parts of a stream that came whole later, are in no history. A call that got a second result was pending. One without a
 * result is closed as interrupted.
 *
 * **Gotchas**
 *
 * The values are those that `state` has in the end; what events say of `user` and `app` keys is kept for audit. A mapped
 * field that has an initial value is exported with it from the first run on. `Carried` is State: a redaction reaches it
 * where it says so.
 *
 * **Example** (A key that is a field here)
 *
 * ```ts
 * import { Effect, Result, Schema } from "effect"
 * import { Session, State } from "tenon"
 * import { Adk } from "tenon/interop"
 *
 * const Trip = State.make("trip", { city: State.optional(Schema.String) })
 * const session = {
 *   id: "s-1",
 *   appName: "travel",
 *   userId: "ada",
 *   state: { city: "Oslo" },
 *   events: [{ author: "user", invocationId: "e-1", timestamp: 1796045393775, content: { parts: [{ text: "Hi" }] } }]
 * }
 * const { events } = Result.getOrThrow(Adk.importSession(session, { keys: { city: Trip.city } }))
 *
 * Result.getOrThrow(Session.fold(events, [Trip])).state.values.get("trip.city") // => "Oslo"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const importSession = (
  input: unknown,
  { agents = {}, keys, ref }: ImportOptions = {}
): Result.Result<Imported, InteropError> => {
  const map = keyMap(keys)
  return Result.gen(function*() {
    const report = new Report()
    const json = normalised(yield* readJson(input), report)
    const session = yield* readSession(json)
    const named: Ref = { app: session.app_name, user: session.user_id, session: session.id, ...ref }
    const built = yield* build(session, { ref: named, root: named.app, keys: map, agents, report, carried })
    const { added, events } = built.builder
    const theirs = Object.fromEntries(Object.entries(agents).map(([there, here]) => [here, there]))
    built.builder.start(built.sections)
    const context = { keys: map, agents: theirs, report: new Report(), carried: carried.name }
    const origins = originsOf(
      built.places,
      added,
      session.events ?? [],
      (origins) => eventsOf({ events }, { ...context, origins })
    )
    const rest = Object.fromEntries(Object.entries(json as Schema.JsonObject).filter(([key]) => !known.has(key)))
    const own = built.sections[Carried["~section"]]
    built.builder.start({
      ...built.sections,
      [Carried["~section"]]: { version: 1, fields: { ...own?.fields, session: rest, events: origins } }
    })
    return { ref: named, events, writes: built.writes, waiting: [], report: report.all }
  })
}

const contextOf = ({ agents = {}, keys }: ExportOptions, session: Session.Session, report: Report): Context => ({
  keys: keyMap(keys),
  agents,
  origins: session.state.get(Carried.events),
  report,
  carried: carried.name
})

const written = (json: Json, { spelling = "snake_case", times }: ExportOptions): Json =>
  spelt(json, spelling, times ?? (spelling === "camelCase" ? "milliseconds" : "seconds"))

/**
 * The events of a session, as ADK writes them.
 *
 * @category encoding
 * @since 0.1.0
 */
export const exportEvents = (
  session: Session.Session,
  options: ExportOptions = {}
): Reported<ReadonlyArray<Schema.Json>> => {
  const report = new Report()
  const events = eventsOf(session, contextOf(options, session, report))
  return { value: events.map((event) => written(event, options)), report: report.all }
}

/**
 * A session out of its store, as ADK writes it: with the `user` and `app` fields that keys are mapped to as they are now.
 *
 * @category encoding
 * @since 0.1.0
 */
export const exportSession = Effect.fnUntraced(function*(ref: Ref, options: ExportOptions = {}) {
  const sections = [definitionOf(Carried), ...[...keyMap(options.keys).fields.values()].map(({ section }) => section)]
  const session = yield* Session.load(ref, { definition: { sections: oneByName("sections", sections) } })
  const report = new Report()
  const context = contextOf(options, session, report)
  const { last_update_time: kept, ...rest } = session.state.get(Carried.session)
  const time = session.events.at(-1)?.time ?? 0
  const json: Json = {
    ...rest,
    id: ref.session,
    app_name: ref.app,
    user_id: ref.user ?? "",
    state: stateOf(session.state, context, Carried["~section"]),
    events: eventsOf(session, context),
    last_update_time: typeof kept === "number" && Math.round(kept * 1000) === time ? kept : seconds(time)
  }
  if (ref.user === undefined) report.add(["user_id"], "the session has no user: it is written as an empty name")
  return { value: written(json, options), report: report.all } satisfies Reported<Schema.Json>
})

// ===== eval sets =============================================================

const readSet = reader("adk", EvalSet)

/**
 * An eval set out of JSON in either spelling, or out of the old list of cases or of rows.
 *
 * **Details**
 *
 * A set in today's form keeps what this program does not know of it. A case may begin with a state: `importSession` takes
 * it, as that of a session without events.
 *
 * @category constructors
 * @since 0.1.0
 */
export const importEvalSet = (
  input: unknown,
  /** The id of a set in the old form, which has none. */
  { id = "eval-set" }: { readonly id?: string } = {}
): Result.Result<Reported<EvalSet>, InteropError> =>
  Result.gen(function*() {
    const report = new Report()
    const json = yield* readJson(input)
    const old = Array.isArray(json) ? yield* readOldSet(json, id, report) : undefined
    const value = yield* readSet(old ?? spelt(normalised(json, report), "camelCase", "seconds"))
    return { value, report: report.all }
  })

/**
 * An eval set, as ADK writes it.
 *
 * @category encoding
 * @since 0.1.0
 */
export const exportEvalSet = (set: EvalSet, options: Pick<ExportOptions, "spelling"> = {}): Schema.Json => {
  const json = set as unknown as Json
  return spelt(normalised(json, new Report()), options.spelling ?? "snake_case", "seconds")
}

/**
 * A session as a case: each message with the calls, the texts on the way and the answer that it led to. The state is the
 * one that the session began with.
 *
 * @category constructors
 * @since 0.1.0
 */
export const evalCaseOf = (
  session: Session.Session,
  { id, ...options }: Pick<ExportOptions, "agents" | "keys"> & { readonly id: string }
): Reported<EvalCase> => {
  const report = new Report()
  const context = contextOf(options, session, report)
  const created = session.events[0]
  const sections = created?.kind === "created" ? created.sections : {}
  const values = new Map(
    Object.entries(sections).flatMap(([name, { fields }]) =>
      Object.entries(fields).map(([key, value]) => [`${name}.${key}`, value] as const)
    )
  )
  const state = stateOf({ values }, context, Carried["~section"])
  const value = caseOf(id, session.ref, eventsOf(session, context), state)
  return { value, report: report.all }
}

/**
 * A case as `Evaluation` of `tenon/testing` runs it: what the user says, with the calls and the answer that are expected,
 * and what State begins with.
 *
 * **Details**
 *
 * `Scorer.trajectory()` and `Scorer.rouge1()` measure what ADK calls `tool_trajectory_avg_score` and
 * `response_match_score`. Tools go by the names that they have there. A key of the state that is mapped to no field, and a
 * part that has no place in a message, are in the report.
 *
 * **Example** (An eval set that an agent is measured by)
 *
 * ```ts
 * import { Result, Schema } from "effect"
 * import { State } from "tenon"
 * import { Adk } from "tenon/interop"
 *
 * const Trip = State.make("trip", { city: State.optional(Schema.String) })
 * const set = Adk.importEvalSet([{
 *   name: "weather",
 *   data: [{ query: "Will it rain?", expected_tool_use: [{ tool_name: "forecast", tool_input: { city: "Oslo" } }] }],
 *   initial_session: { user_id: "ada", state: { city: "Oslo" } }
 * }])
 * const [first] = Result.getOrThrow(set).value.evalCases.map((each) =>
 *   Result.getOrThrow(Adk.evaluationCase(each, { keys: { city: Trip.city } })).value
 * )
 *
 * first?.turns // => [{ input: "Will it rain?", calls: [{ tool: "forecast", parameters: { city: "Oslo" } }] }]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const evaluationCase = (
  given: EvalCase,
  { keys }: Pick<ImportOptions, "keys"> = {}
): Result.Result<Reported<EvaluationCase>, InteropError> => {
  const report = new Report()
  return Result.map(evaluationOf(given, keyMap(keys), report), (value) => ({ value, report: report.all }))
}
