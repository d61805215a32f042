/** ADK's events out of a log. Layer 6, edge `interop`. */
import { Result, type Schema } from "effect"
import type { Prompt } from "effect/ai"
import type * as Event from "../../Event.ts"
import { textOf } from "../../internal/fold.ts"
import { rootOf } from "../../internal/session.ts"
import type * as Session from "../../Session.ts"
import * as StateDelta from "../../StateDelta.ts"
import { partOf, responsePart } from "./adk-parts.ts"
import { isRecord, type Json, putEntry, type Report } from "./json.ts"
import type { KeyMap } from "./keys.ts"
import { type Group, groupsOf, type Origins, patched } from "./origins.ts"

/** Milliseconds as seconds, to a microsecond. */
export const seconds = (time: number): number => Math.round(time * 1000) / 1e6

/** What a session is exported with. */
export interface Context {
  readonly keys: KeyMap
  /** The names that agents have there, by those that they have here. */
  readonly agents: Readonly<Record<string, string>>
  readonly origins: Origins
  readonly report: Report
  /** The name of the field that holds what no key is mapped to. */
  readonly carried: string
}

/** What one event of the log says there. */
interface Said {
  readonly author?: string
  readonly content?: { readonly role: string; readonly parts: ReadonlyArray<Json> }
  readonly fields?: Schema.JsonObject
  readonly actions?: Schema.JsonObject
}

const lost = {
  subAgent: "what a sub-agent did stands in no session of its parent's there",
  end: "there is no action that ends one agent alone",
  question: "an open question has no form there: its call has no result yet"
}

/** Follows the state of a log, to tell what each delta made of the keys. */
class Follower {
  private readonly values: Map<string, Json>
  private readonly context: Context

  constructor(sections: Event.Created["sections"], context: Context) {
    this.context = context
    this.values = new Map()
    this.add(sections)
  }

  add(sections: Event.Created["sections"]): void {
    for (const [name, { fields }] of Object.entries(sections)) {
      for (const [key, value] of Object.entries(fields)) this.values.set(`${name}.${key}`, value)
    }
  }

  private carriedKeys(operation: StateDelta.Operation, before: Json | undefined): ReadonlyArray<string> {
    if (operation.op === "put" || operation.op === "remove") return [operation.key]
    const after = this.values.get(operation.field)
    return [before, after].flatMap((each) => isRecord(each) ? Object.keys(each) : [])
  }

  /** The keys that a delta wrote, each with what it has now; null where it has nothing. */
  follow(
    delta: StateDelta.StateDelta,
    shared: Event.Shared | undefined,
    event: string
  ): Readonly<Record<string, Json>> {
    const { carried, keys, report } = this.context
    const out: Record<string, Json> = {}
    for (const operation of [...delta.operations, ...shared?.operations ?? []]) {
      const { field } = operation
      const before = this.values.get(field)
      const applied = StateDelta.applyOperation(before, operation)
      const after = Result.getOrElse(applied, () => before)
      if (after === undefined) this.values.delete(field)
      else this.values.set(field, after)
      if (field === carried) {
        const record = isRecord(after) ? after : {}
        for (const key of this.carriedKeys(operation, before)) {
          putEntry(out, key, Object.hasOwn(record, key) ? record[key] as Json : null)
        }
        continue
      }
      const key = keys.keyOf(field)
      if (key === undefined) report.add(["state", field], "the field is mapped to no key")
      // what others wrote to a shared field before is in no log
      else if (delta.operations.includes(operation) || operation.op === "set" || operation.op === "unset") {
        putEntry(out, key, after ?? null)
      } else report.add([event, field], "what came of it is not in the log: the state has the value of today")
    }
    return out
  }
}

/** ADK's events, in their normal form. */
export const eventsOf = (
  session: Pick<Session.Session, "events">,
  context: Context
): ReadonlyArray<Schema.JsonObject> => {
  const { agents, report } = context
  const { events } = session
  const root = rootOf(events)
  const created = events[0]
  const state = new Follower(created?.kind === "created" ? created.sections : {}, context)
  const calls = new Map<string, Event.Call>()
  const questions = new Map<string, string>()
  const nameOf = ({ path }: Event.Event): string => {
    const name = path.at(-1) ?? root
    return Object.hasOwn(agents, name) ? agents[name] as string : name
  }
  const partsOf = (message: Prompt.Message, { sequence }: Event.Event): ReadonlyArray<Json> =>
    typeof message.content === "string" ? [{ text: message.content }] : message.content.flatMap((part) => {
      const made = partOf(part, report, ["events", String(sequence)])
      return made === undefined ? [] : [made]
    })
  const written = (event: Event.Event): Readonly<Record<string, Json>> => {
    if ("sections" in event && event.sections !== undefined && event.kind !== "created") state.add(event.sections)
    if (!("delta" in event)) return {}
    const delta = state.follow(event.delta, event.shared, String(event.sequence))
    return Object.keys(delta).length === 0 ? {} : { state_delta: delta }
  }
  const answer = (call: string, result: Event.CallResult) => {
    const { providerId, tool } = calls.get(call) ?? { providerId: call, tool: "" }
    return { role: "user", parts: [responsePart(providerId, tool, result)] }
  }

  const say = (event: Event.Event, isImported: boolean): Said | undefined => {
    const changed = written(event)
    switch (event.kind) {
      case "input":
        return { author: "user", content: { role: "user", parts: partsOf(event.message, event) }, actions: changed }
      case "model": {
        for (const call of event.calls) calls.set(call.id, call)
        const { inputTokens, outputTokens } = event.usage
        return {
          content: { role: "model", parts: event.messages.flatMap((message) => partsOf(message, event)) },
          ...(inputTokens + outputTokens > 0 && {
            fields: {
              usage_metadata: { prompt_token_count: inputTokens, candidates_token_count: outputTokens }
            }
          })
        }
      }
      case "call": {
        const { end, escalate, skipSummarization, transfer } = event.actions
        if (end === true) report.add(["events", String(event.sequence), "actions", "end"], lost.end)
        return {
          content: answer(event.call, event.result),
          actions: {
            ...changed,
            ...(skipSummarization === true && { skip_summarization: true }),
            ...(escalate === true && { escalate: true }),
            ...(transfer !== undefined && { transfer_to_agent: transfer })
          }
        }
      }
      case "hook":
        return Object.keys(changed).length === 0 && !isImported ? undefined : { actions: changed }
      case "compacted": {
        const covered = events.filter(({ sequence }) => sequence >= event.from && sequence <= event.to)
        return {
          actions: {
            compaction: {
              start_timestamp: seconds(covered[0]?.time ?? event.time),
              end_timestamp: seconds(covered.at(-1)?.time ?? event.time),
              compacted_content: { role: "model", parts: [{ text: event.messages.map(textOf).join("\n") }] }
            }
          }
        }
      }
      case "asked": {
        const { call, id, mode } = event.question
        if (mode === "pending") questions.set(id, call)
        else report.add(["events", String(event.sequence)], lost.question)
        return undefined
      }
      case "answered": {
        const call = questions.get(event.question)
        return call === undefined ? undefined : { content: answer(call, { isFailure: false, value: event.answer }) }
      }
      default:
        return undefined
    }
  }

  const whole = (group: Group): Schema.JsonObject | undefined => {
    const { events, isImported } = group
    const [first] = events
    const all = events.map((event) => say(event, isImported)).filter((said) => said !== undefined)
    if (all.length === 0) return undefined
    const parts = all.flatMap(({ content }) => content?.parts ?? [])
    const actions = Object.assign({}, ...all.map(({ actions }) => actions)) as Schema.JsonObject
    const derived: Schema.JsonObject = {
      id: first.id,
      invocation_id: first.invocation,
      author: all[0]?.author ?? nameOf(first),
      timestamp: seconds(first.time),
      ...(parts.length > 0 &&
        { content: { role: all.find(({ content }) => content)?.content?.role ?? "user", parts } }),
      ...Object.assign({}, ...all.map(({ fields }) => fields)) as Schema.JsonObject,
      ...(Object.keys(actions).length > 0 && { actions })
    }
    return patched(derived, group, report)
  }

  const own = events.filter((event) => event.agent === root)
  for (const { path } of events.filter((event) => event.agent !== root)) report.add(["events", ...path], lost.subAgent)
  return groupsOf(own, context.origins).flatMap((group) => {
    const event = whole(group)
    return event === undefined ? [] : [event]
  })
}

/** The state of a session, by its keys. */
export const stateOf = (
  { values }: Pick<Session.SessionState, "values">,
  { carried, keys, report }: Pick<Context, "carried" | "keys" | "report">,
  own: string
): Schema.JsonObject => {
  const out: Record<string, Json> = {}
  const unmapped = values.get(carried)
  for (const [key, value] of Object.entries(isRecord(unmapped) ? unmapped : {})) putEntry(out, key, value)
  for (const [name, value] of values) {
    const key = keys.keyOf(name)
    if (key !== undefined) putEntry(out, key, value)
    else if (!name.startsWith(`${own}.`)) report.add(["state", name], "the field is mapped to no key")
  }
  return out
}
