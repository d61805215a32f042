/** A log out of a session of ADK. Layer 6, edge `interop`. */
import { Result } from "effect"
import { Prompt } from "effect/ai"
import type * as Actions from "../../Actions.ts"
import type * as Event from "../../Event.ts"
import type { FieldDefinition } from "../../internal/field.ts"
import { isShared } from "../../internal/fork.ts"
import { byKey, canonical } from "../../internal/json.ts"
import { summaryOf } from "../../internal/summary.ts"
import type { Ref, SharedWrite } from "../../SessionStore.ts"
import type * as StateDelta from "../../StateDelta.ts"
import type { InteropError } from "../Imported.ts"
import { resultIn, saidIn } from "./adk-parts.ts"
import { Builder, nothingWritten, type Tracked, type Wanted, type Written } from "./builder.ts"
import { type Json, reader, type Report } from "./json.ts"
import { deltaOf, type KeyMap, sectionsWith, sharedWrites, writeOf } from "./keys.ts"
import type { Place } from "./origins.ts"
import * as Wire from "./wire.ts"

const decodeEvent = reader("adk", Wire.Event)

/** A call there, and how many results came for it. */
interface Known {
  readonly id: string | undefined
  readonly name: string
  results: number
  tracked?: Tracked
}

/** An event there, with the calls that its parts are or answer. */
interface Read {
  readonly event: Wire.Event
  readonly path: ReadonlyArray<string>
  readonly time: number
  readonly calls: ReadonlyMap<number, Known>
  /** Is it of no history: rewound, or a part of a stream that came whole later? */
  readonly isHidden: boolean
}

/** What ADK asks of its user in the form of calls that no model made. */
const isRequest = (name: string): boolean => name.startsWith("adk_request_")

const lost = {
  branch: "the branches of a session stand in one history",
  artifact_delta: "the artifacts themselves are not in the session: their versions are kept for an export alone",
  requested_auth_configs: "a request for a credential is kept for an export alone",
  requested_tool_confirmations: "a request for a confirmation is kept for an export alone",
  request: "it is no call that a model asked for: it is kept for an export alone",
  orphan: "it answers no call that is known: it is kept for an export alone"
}

/** The events that a later rewind took back. */
const rewoundIn = (events: ReadonlyArray<Wire.Event>): ReadonlySet<number> => {
  const rewound = new Set<number>()
  for (const [index, { actions }] of events.entries()) {
    const before = actions?.rewind_before_invocation_id
    if (before === undefined) continue
    const from = events.findIndex(({ invocation_id }) => invocation_id === before)
    for (let each = from === -1 ? index : from; each < index; each++) rewound.add(each)
  }
  return rewound
}

/** Reads all events, and finds the call of each result: ids come again, and may be missing. */
const readEvents = (
  events: ReadonlyArray<Json>,
  report: Report
): Result.Result<ReadonlyArray<Read>, InteropError> => {
  const decoded: Array<Wire.Event> = []
  for (const [index, each] of events.entries()) {
    const event = decodeEvent(each, ["events", String(index)])
    if (Result.isFailure(event)) return Result.fail(event.failure)
    decoded.push(event.success)
  }
  const rewound = rewoundIn(decoded)
  const known: Array<Known> = []
  let time = 0
  return Result.succeed(decoded.map((event, index): Read => {
    const path = ["events", String(index)]
    const isHidden = rewound.has(index) || event.partial === true
    const parts = isHidden || event.actions?.compaction !== undefined ? [] : event.content?.parts ?? []
    time = event.timestamp === undefined ? time : Math.round(event.timestamp * 1000)
    const calls = new Map<number, Known>()
    for (const [place, { function_call, function_response }] of parts.entries()) {
      if (function_call !== undefined && !isRequest(function_call.name) && event.author !== "user") {
        const call = { id: function_call.id, name: function_call.name, results: 0 }
        known.push(call)
        calls.set(place, call)
      } else if (function_response !== undefined && !isRequest(function_response.name)) {
        const { id, name } = function_response
        const call = id === undefined
          ? known.find((each) => each.name === name && each.results === 0)
          : known.findLast((each) => each.id === id && each.results === 0) ?? known.findLast((each) => each.id === id)
        if (call === undefined) report.add([...path, "content", "parts", String(place)], lost.orphan)
        else {
          call.results++
          calls.set(place, call)
        }
      } else if (function_call !== undefined || function_response !== undefined) {
        report.add([...path, "content", "parts", String(place)], lost.request)
      }
    }
    return { event, path, time, calls, isHidden }
  }))
}

const finishes: Readonly<Record<string, string>> = { STOP: "stop", MAX_TOKENS: "length", SAFETY: "content-filter" }

/** What a session is imported with. */
export interface Context {
  readonly ref: Ref
  readonly root: string
  readonly keys: KeyMap
  readonly agents: Readonly<Record<string, string>>
  readonly report: Report
  /** The fields that hold what no key is mapped to. */
  readonly carried: FieldDefinition
}

export interface Built {
  readonly builder: Builder
  /** For each event there, the events here: the first, and how many. */
  readonly places: ReadonlyArray<Place>
  readonly sections: Event.Created["sections"]
  readonly writes: ReadonlyArray<SharedWrite>
}

interface Change {
  readonly field: FieldDefinition
  readonly operation: StateDelta.Operation
}

const isTemp = (key: string): boolean => key.startsWith("temp:")

/** The state of a session, as its events write it. */
class Writer {
  private readonly touched = new Set<string>()
  private readonly values = new Map<string, Json>()
  private readonly context: Context

  constructor(context: Context, events: ReadonlyArray<Read>) {
    this.context = context
    for (const { event } of events) {
      for (const key of Object.keys(event.actions?.state_delta ?? {})) this.touched.add(key)
    }
  }

  /** One key's write; null takes its value away. */
  private change(
    key: string,
    value: Json | undefined,
    path: ReadonlyArray<string>
  ): Result.Result<Change, InteropError> {
    const { carried, keys } = this.context
    const field = keys.fields.get(key)
    if (field === undefined) {
      const operation: StateDelta.Operation = value === undefined
        ? { op: "remove", field: carried.name, key }
        : { op: "put", field: carried.name, key, value }
      return Result.succeed({ field: carried, operation })
    }
    const read = value === undefined ? Result.succeed(undefined) : keys.read(field, value, path)
    return Result.map(read, (stored) => ({ field, operation: writeOf(field, stored) }))
  }

  private changes(
    entries: ReadonlyArray<readonly [string, Json | undefined]>,
    path: ReadonlyArray<string>
  ): Result.Result<ReadonlyArray<Change>, InteropError> {
    const out: Array<Change> = []
    for (const [key, value] of entries) {
      const here = [...path, key]
      if (isTemp(key)) {
        this.context.report.add(here, "a 'temp:' key lives in one run: it is not imported")
        continue
      }
      const change = this.change(key, value, here)
      if (Result.isFailure(change)) return Result.fail(change.failure)
      if (value === undefined) this.values.delete(key)
      else this.values.set(key, value)
      out.push(change.success)
    }
    return Result.succeed(out)
  }

  /** What an event writes. */
  written({ event, path }: Read): Result.Result<Written, InteropError> {
    const delta = Object.entries(event.actions?.state_delta ?? {})
      .map(([key, value]) => [key, value ?? undefined] as const)
    return Result.map(this.changes(delta, [...path, "actions", "state_delta"]), (changes): Written => {
      const shared = changes.filter(({ field }) => isShared(field)).map(({ operation }) => operation)
      return {
        delta: deltaOf(changes.filter(({ field }) => !isShared(field))),
        ...(shared.length > 0 && { shared: { operations: shared, versions: {} } })
      }
    })
  }

  /** What the session began with: the values that no event writes. */
  initial(state: typeof Wire.State.Type): Result.Result<ReadonlyArray<readonly [FieldDefinition, Json]>, InteropError> {
    const { carried, keys, report } = this.context
    const values: Array<readonly [FieldDefinition, Json]> = []
    const others: Array<[string, Json]> = []
    for (const [key, value] of Object.entries(state)) {
      const field = keys.fields.get(key)
      if (value === null || this.touched.has(key) || (field !== undefined && isShared(field))) continue
      if (isTemp(key)) report.add(["state", key], "a 'temp:' key lives in one run: it is not imported")
      else if (field === undefined) others.push([key, value])
      else {
        const read = keys.read(field, value, ["state", key])
        if (Result.isFailure(read)) return Result.fail(read.failure)
        values.push([field, read.success])
      }
    }
    return Result.succeed([...values, [carried, Object.fromEntries(others.sort(byKey))]])
  }

  /** What brings the events' state to the one that the session has: it may have been written without an event. */
  last(state: typeof Wire.State.Type): Result.Result<ReadonlyArray<Change>, InteropError> {
    const valueIn = (key: string) => Object.hasOwn(state, key) ? state[key] ?? undefined : undefined
    const text = (value: Json | undefined) => value === undefined ? undefined : canonical(value)
    const different = [...this.touched].filter((key) => {
      const field = this.context.keys.fields.get(key)
      return !isTemp(key) && (field === undefined || !isShared(field)) &&
        text(this.values.get(key)) !== text(valueIn(key))
    })
    return this.changes(different.map((key) => [key, valueIn(key)]), ["state"])
  }

  /** The values that sessions share, as they are now. */
  shared(state: typeof Wire.State.Type): Result.Result<ReadonlyArray<readonly [FieldDefinition, Json]>, InteropError> {
    const { keys } = this.context
    return Result.all(
      [...keys.fields].flatMap(([key, field]) => {
        const value = Object.hasOwn(state, key) ? state[key] : undefined
        return !isShared(field) || value === undefined || value === null
          ? []
          : [Result.map(keys.read(field, value, ["state", key]), (read) => [field, read] as const)]
      })
    )
  }
}

const actionsOf = ({ actions }: Wire.Event): Actions.Actions => ({
  ...(actions?.skip_summarization === true && { skipSummarization: true }),
  ...(actions?.escalate === true && { escalate: true }),
  ...(actions?.transfer_to_agent !== undefined && { transfer: actions.transfer_to_agent })
})

/** The events that a compaction stands for. */
const rangeOf = (
  events: ReadonlyArray<Event.Event>,
  { end_timestamp, start_timestamp }: { readonly start_timestamp: number; readonly end_timestamp: number }
): { readonly from: number; readonly to: number } | undefined => {
  const covered = events.filter(({ kind, time }) =>
    kind !== "created" && time >= Math.round(start_timestamp * 1000) && time <= Math.round(end_timestamp * 1000)
  )
  const [first] = covered
  const last = covered.at(-1)
  return first === undefined || last === undefined ? undefined : { from: first.sequence, to: last.sequence }
}

const textIn = (content: NonNullable<Wire.Event["content"]>): string =>
  (content.parts ?? []).map(({ text = "" }) => text).join("")

/** One event's place in the log. */
const place = (builder: Builder, read: Read, written: Written, { agents, report, root }: Context): void => {
  const { calls, event, isHidden, path, time } = read
  const isUsers = event.author === "user"
  const agent = isUsers ? root : Object.hasOwn(agents, event.author) ? agents[event.author] as string : event.author
  const note = () => builder.note(agent, written, time)
  if (isHidden) return void note()
  if (event.actions?.compaction !== undefined) {
    const range = rangeOf(builder.events, event.actions.compaction)
    const messages = [summaryOf(textIn(event.actions.compaction.compacted_content))]
    if (range !== undefined) builder.compacted(agent, { ...range, messages }, time)
    return void note()
  }
  const parts = event.content?.parts ?? []
  const results = parts.flatMap(({ function_response }, index) => {
    const call = calls.get(index)
    return function_response === undefined || call === undefined ? [] : [{ call, response: function_response.response }]
  })
  const answer = (answers: typeof results) => {
    for (const each of answers) {
      const isLast = each === results.at(-1)
      const { call: { tracked }, response } = each
      if (tracked === undefined) continue
      builder.result(
        tracked,
        resultIn(response),
        isLast ? written : nothingWritten,
        isLast ? actionsOf(event) : {},
        time
      )
    }
  }
  // a model that ran a call itself says so at once
  const own = results.filter(({ call }) => call.tracked === undefined)
  answer(results.filter((each) => !own.includes(each)))
  const said = parts.map((part, index) => saidIn(part, report, [...path, "content", "parts", String(index)]))
  const wanted: Array<Wanted & { readonly known: Known }> = []
  const content = parts.flatMap(({ function_call }, index): ReadonlyArray<Prompt.AssistantMessagePart> => {
    const part = said[index]
    if (part !== undefined) return [part]
    const known = calls.get(index)
    if (function_call === undefined || known === undefined) return []
    const providerId = function_call.id ?? `call-${path[1]}-${index}`
    const { args = {}, name } = function_call
    const at = [...path, "content", "parts", String(index)]
    wanted.push({ providerId, tool: name, parameters: args, results: known.results, path: at, known })
    return [Prompt.toolCallPart({ id: providerId, name, params: args, providerExecuted: false })]
  })
  const told = content.filter((part) => part.type === "text" || part.type === "file")
  if ((isUsers ? told : content).length === 0) return results.length === 0 ? void note() : undefined
  if (isUsers) {
    const message = Prompt.userMessage({ content: told })
    return void builder.input(agent, message, results.length === 0 ? written : nothingWritten, time)
  }
  const { candidates_token_count = 0, prompt_token_count = 0 } = event.usage_metadata ?? {}
  const tracked = builder.model(
    agent,
    {
      messages: [Prompt.assistantMessage({ content })],
      usage: { inputTokens: prompt_token_count, outputTokens: candidates_token_count },
      finish: event.error_code !== undefined
        ? "error"
        : wanted.length > 0
        ? "tool-calls"
        : finishes[event.finish_reason ?? "STOP"] ?? "other"
    },
    wanted,
    time
  )
  for (const [index, { known }] of wanted.entries()) known.tracked = tracked[index] as Tracked
  answer(own)
  if (results.length === 0 && (written.delta.operations.length > 0 || written.shared !== undefined)) note()
}

/** Builds the log of a session. */
export const build = (session: Wire.Session, context: Context): Result.Result<Built, InteropError> =>
  Result.gen(function*() {
    const { ref, report, root } = context
    const events = yield* readEvents(session.events ?? [], report)
    const state = session.state ?? {}
    const writer = new Writer(context, events)
    const initial = yield* writer.initial(state)
    const end = session.last_update_time === undefined ? undefined : Math.round(session.last_update_time * 1000)
    const builder = new Builder(ref, root, events[0]?.time ?? end ?? 0)
    const places: Array<Place> = []
    for (const read of events) {
      const { actions, branch } = read.event
      if (branch !== undefined) report.add(["events", "*", "branch"], lost.branch)
      for (const key of ["artifact_delta", "requested_auth_configs", "requested_tool_confirmations"] as const) {
        if (Object.keys(actions?.[key] ?? {}).length > 0) report.add([...read.path, "actions", key], lost[key])
      }
      builder.enter(read.event.invocation_id ?? "", read.time)
      const written = yield* writer.written(read)
      const before = builder.events.length
      place(builder, read, written, context)
      places.push(builder.since(before))
    }
    const last = yield* writer.last(state)
    const shared = yield* writer.shared(state)
    const { operations, writes } = sharedWrites(shared)
    const time = end ?? builder.events.at(-1)?.time ?? 0
    if (last.length > 0 || operations.length > 0) {
      const versions = Object.fromEntries(operations.map(({ field }) => [field, 1]))
      const written: Written = {
        delta: deltaOf(last),
        ...(operations.length > 0 && { shared: { operations, versions } })
      }
      builder.added.add(builder.note(root, written, time))
    }
    builder.end(time)
    for (const { path, tool } of builder.closed) {
      report.add(path, `the call of '${tool}' has no result: it is closed as interrupted`)
    }
    return { builder, places, sections: sectionsWith(initial), writes }
  })
