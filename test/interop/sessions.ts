/** Sessions of ADK, made by chance: what calls, results, rewinds and states there are, in either spelling. */
import { Arbitrary, Result, Schema } from "effect"

type Json = Schema.Json
type Entry = Readonly<Record<string, Json>>

const oneOf = <A extends string>(items: ReadonlyArray<A>) => Arbitrary.schema(Schema.Literals(items))
const json = Arbitrary.map(Arbitrary.schema(Schema.Json), (value): Json => JSON.parse(JSON.stringify(value)) as Json)
const text = oneOf(["", "Hello", "Où est-il ?", "a_b cD"])
const flag = Arbitrary.schema(Schema.Boolean)
const small = Arbitrary.schema(Schema.Literals([0, 1, 2, 3]))
const isFull = (value: Json) => value !== null
const full = Arbitrary.filterMap(json, (value) => isFull(value) ? Result.succeed(value) : Result.fail(undefined))
const keys = oneOf(["city", "user:weather_units", "app:theme", "user:other_Key", "innerKey", "temp:x", "__proto__"])
const calls = oneOf(["c1", "c2", "c3"])
const tools = oneOf(["get_weather", "transfer_to_agent", "adk_request_confirmation"])
/** What a field of a text takes too. */
const valueFor = (key: string, value: Json): Json =>
  key === "city" || key === "user:weather_units" || key === "app:theme" ? `v${JSON.stringify(value).length}` : value

const entries = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([keys, full]), { maxLength: 3 }),
  (pairs): Entry => Object.fromEntries(pairs.map(([key, value]) => [key, valueFor(key, value)]))
)

const part = Arbitrary.map(
  Arbitrary.all({ kind: small, more: small, text, id: calls, tool: tools, args: entries, flag, value: json }),
  ({ args, flag, id, kind, more, text, tool, value }): Entry => {
    const named = flag ? { name: tool, id } : { name: tool }
    if (kind === 0) return flag ? { text, thought: true, thought_signature: "c2ln" } : { text }
    if (kind === 1) return { function_call: { ...named, args } }
    if (kind === 2) return { function_response: { ...named, response: more === 0 ? { result: value } : args } }
    if (more === 0) return { inline_data: { mime_type: "image/png", data: "aGk_-w==" } }
    if (more === 1) return { file_data: { mime_type: "text/plain", file_uri: "https://example.test/a b" } }
    return { executable_code: { language: "PYTHON", code: text } }
  }
)

const actions = Arbitrary.map(
  Arbitrary.all({ state: entries, flag, more: small, gone: keys }),
  ({ flag, gone, more, state }): Entry => ({
    state_delta: more === 3 && !gone.startsWith("temp:") ? { ...state, [gone]: null } : state,
    artifact_delta: flag ? { "a b.txt": 1 } : {},
    ...(more === 1 && { skip_summarization: true }),
    ...(more === 2 && { transfer_to_agent: "helper" }),
    ...(flag && more === 0 && { rewind_before_invocation_id: "e-1" }),
    ...(more === 2 && flag && {
      requested_tool_confirmations: {
        "call_Id": { hint: "Sure?", confirmed: false, payload: { innerKey: { a_b: 1 } } }
      }
    }),
    ...(more === 1 && flag && {
      compaction: {
        start_timestamp: 1_796_045_000.5,
        end_timestamp: 1_796_045_002,
        compacted_content: { role: "model", parts: [{ text: "Long ago." }] }
      }
    })
  })
)

const event = Arbitrary.map(
  Arbitrary.all({
    author: oneOf(["user", "root_agent", "helper"]),
    invocation: oneOf(["e-1", "e-2", "e-3"]),
    parts: Arbitrary.array(part, { maxLength: 3 }),
    actions,
    more: small,
    flag
  }),
  ({ actions, author, flag, invocation, more, parts }): Entry => ({
    invocation_id: invocation,
    author,
    ...(more > 0 && { content: { role: author === "user" ? "user" : "model", parts } }),
    ...(more > 1 && { actions }),
    ...(flag && more === 2 && { partial: true }),
    ...(flag && { usage_metadata: { prompt_token_count: more, total_token_count: 7 }, finish_reason: "STOP" }),
    ...(more === 3 &&
      { long_running_tool_ids: ["c1"], branch: "root.helper", custom_metadata: { someKey: { a_b: 1 } } })
  })
)

/** A session in snake case; its times are seconds. */
export const session = Arbitrary.map(
  Arbitrary.all({ events: Arbitrary.array(event, { maxLength: 8 }), state: entries, flag, end: small }),
  ({ end, events, flag, state }): Entry => ({
    id: "s-1",
    app_name: "travel_app",
    user_id: "ada",
    state: Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith("temp:"))),
    events: events.map((each, index) => ({
      ...each,
      id: `event-${index}`,
      timestamp: 1_796_045_000.25 + index + (flag ? 0.000_123 : 0)
    })),
    last_update_time: 1_796_045_100 + end / 4,
    ...(flag && { some_later_field: { nested_name: [1] } })
  })
)
