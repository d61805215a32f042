/**
 * The two spellings of ADK's JSON. Names of its own are rewritten; names inside of what belongs to a user never are.
 * Layer 6, edge `interop`.
 */
import { isRecord, type Json, putEntry, type Report } from "./json.ts"

/** What belongs to a user: its value stays as it is. */
const verbatim = new Set([
  "state",
  "state_delta",
  "artifact_delta",
  "args",
  "response",
  "custom_metadata",
  "agent_state",
  "payload",
  "output",
  "auth_scheme",
  "set_model_response",
  "tool_input",
  "mock_tool_output"
])

/** What is named by ids of calls: the names stay, the values do not. */
const byCall = new Set(["requested_auth_configs", "requested_tool_confirmations"])

const times = new Set(["timestamp", "last_update_time", "creation_timestamp", "start_timestamp", "end_timestamp"])

const toSnake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCamel = (name: string): string => name.replace(/(?<=[a-z0-9])_[a-z]/g, (pair) => pair.slice(1).toUpperCase())

/** Seconds, of what may be milliseconds: nothing was written before 2001 in those, or after 5138 in seconds. */
const inSeconds = (time: number): number => Math.abs(time) >= 1e11 ? time / 1000 : time

const mapped = (record: object, f: (name: string, value: Json) => readonly [string, Json] | undefined): Json => {
  const out: Record<string, Json> = {}
  for (const [name, value] of Object.entries(record)) {
    const entry = f(name, value as Json)
    if (entry !== undefined) putEntry(out, ...entry)
  }
  return out
}

/** In snake case and seconds, without nulls; a name that stands there in both spellings is reported. */
export const normalised = (value: Json, report: Report, path: ReadonlyArray<string> = []): Json => {
  if (Array.isArray(value)) return value.map((each, index) => normalised(each, report, [...path, String(index)]))
  if (!isRecord(value)) return value
  const seen = new Set<string>()
  return mapped(value, (given, inner) => {
    const name = toSnake(given)
    if (inner === null) return undefined
    if (seen.has(name)) {
      report.add([...path, given], "it stands there in the other spelling too, which is taken")
      return undefined
    }
    seen.add(name)
    const here = [...path, given]
    if (verbatim.has(name)) return [name, inner]
    if (times.has(name) && typeof inner === "number") return [name, inSeconds(inner)]
    if (byCall.has(name) && isRecord(inner)) {
      return [name, mapped(inner, (id, each) => [id, normalised(each, report, [...here, id])])]
    }
    return [name, normalised(inner, report, here)]
  })
}

/** How ADK's names are written. */
export type Spelling = "snake_case" | "camelCase"

/** How ADK's times are written. */
export type TimeUnit = "seconds" | "milliseconds"

/** The normal form, as it is to be written. */
export const spelt = (value: Json, spelling: Spelling, unit: TimeUnit): Json => {
  const rename = spelling === "camelCase" ? toCamel : (name: string) => name
  const walk = (each: Json): Json => {
    if (Array.isArray(each)) return each.map(walk)
    if (!isRecord(each)) return each
    return mapped(each, (name, inner) => {
      if (verbatim.has(name)) return [rename(name), inner]
      if (times.has(name) && typeof inner === "number") {
        return [rename(name), unit === "milliseconds" ? Math.round(inner * 1000) : inner]
      }
      if (byCall.has(name) && isRecord(inner)) return [rename(name), mapped(inner, (id, part) => [id, walk(part)])]
      return [rename(name), walk(inner)]
    })
  }
  return walk(value)
}
