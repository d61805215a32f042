/** Events of a session, for people: who did what, and what it did to State. */
import { Effect, type Schema } from "effect"
import { Contract, type Event, StateDelta } from "tenon"
import { differences } from "../differences.ts"
import { accent, bad, dim, good, line, lineWidth, short } from "../print.ts"
import { Support } from "./agent.ts"

/** What the signs of the lines stand for. */
export const legend = "  ▸ a call   ◂ its result   ± what it did to State   ? a question   ! the answer"

/** Two columns: who, and what. What belongs to a sub-agent is set in. */
const row = (
  path: ReadonlyArray<string>,
  who: string,
  what: string,
  style = (text: string): string => text
): Effect.Effect<void> => {
  const head = `${"  ".repeat(path.length)}${who.padEnd(11)}`
  return line(`${head}${style(short(what, lineWidth - head.length))}`)
}

const text = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

const argumentsOf = (parameters: unknown): string =>
  Object.entries(parameters as object).map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")

// ===== deltas ================================================================

const isRecord = (value: Schema.Json): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What became of one entry or value, place by place. */
const change = (before: Schema.Json | undefined, after: Schema.Json): string => {
  const places = differences(before, after)
  const shown = places.slice(0, 2).map(({ place, expected, actual }) =>
    `${place} ${expected === undefined ? "is new" : `${text(expected)} → ${text(actual)}`}`
  )
  return [...shown, ...(places.length > 2 ? [`and ${places.length - 2} more`] : [])].join(", ")
}

const entryIn = (record: Schema.Json | undefined, key: string): Schema.Json | undefined =>
  record !== undefined && isRecord(record) ? record[key] : undefined

/** A value, or how large a record is. */
const sized = (value: Schema.Json): string =>
  isRecord(value) ? `a record of ${Object.keys(value).length} entries` : text(value)

const item = (value: Schema.Json): string => isRecord(value) ? Object.values(value).map(text).join(" · ") : text(value)

const inWords = (operation: StateDelta.Operation, before: StateDelta.Values): string => {
  const { field } = operation
  switch (operation.op) {
    case "set":
      return `${field} is now ${sized(operation.value)}`
    case "unset":
      return `${field} has no value any more`
    case "put":
      return `${field} ${operation.key}: ${change(entryIn(before.get(field), operation.key), operation.value)}`
    case "remove":
      return `${field} ${operation.key} is gone`
    case "append":
    case "union":
      return `${field} gets ${operation.values.map(item).join(", ")}`
    case "sum":
      return `${field} grows by ${operation.value}`
    case "max":
    case "min":
      return `${field} is at ${operation.op === "max" ? "least" : "most"} ${operation.value}`
  }
}

// ===== events ================================================================

const subAgent = (name: string) =>
  Support.contractTree.parts.find((part) => part.kind === "sub-agent" && part.name === name)

/** The keys that an agent of the tree requires, and those of its parent that it does not get to see. */
const contextOf = (name: string): string => {
  const all = Contract.of(Support).requires.map((key) => key.name)
  const seen = subAgent(name)?.contract.requires.map((key) => key.name) ?? []
  const hidden = all.filter((key) => !seen.includes(key))
  return `sees ${seen.join(", ") || "no key"}${hidden.length > 0 ? `, not ${hidden.join(", ")}` : ""}`
}

const deltaLines = (
  path: ReadonlyArray<string>,
  delta: StateDelta.StateDelta,
  before: StateDelta.Values,
  origin = ""
): Effect.Effect<void> =>
  Effect.forEach(
    delta.operations,
    (operation) => row(path, "", `± ${origin}${inWords(operation, before)}`, accent),
    { discard: true }
  )

const lines = (event: Event.Event, before: StateDelta.Values): Effect.Effect<void> => {
  const { path } = event
  const who = path.at(-1) ?? ""
  switch (event.kind) {
    case "input": {
      const said = event.message.content.map((part) => part.type === "text" ? part.text : part.type).join(" ")
      const head = event.spawn === undefined
        ? row(path, "customer", `“${said}”`)
        : row(path, who, `${event.agent}: ${contextOf(who)}; starts with its task alone`, dim)
      return Effect.andThen(head, deltaLines(path, event.delta, before))
    }
    case "model": {
      const said = event.messages.flatMap(({ role, content }) => role === "assistant" ? content : [])
        .flatMap((part) => part.type === "text" ? [part.text] : [])
      const asked = event.calls.map(({ tool, parameters }) => `▸ ${tool}(${argumentsOf(parameters)})`)
      return Effect.forEach(
        [...said.map((each) => `“${each}”`), ...asked],
        (each, index) => row(path, index === 0 ? who : "", each),
        { discard: true }
      )
    }
    case "call": {
      const result = `◂ ${event.tool}: ${text(event.result.value)}`
      // what a sub-agent did has been shown where it did it
      const origin = subAgent(event.tool) === undefined ? "" : "comes back: "
      return Effect.andThen(
        row(path, "", result, event.result.isFailure ? bad : dim),
        deltaLines(path, event.delta, before, origin)
      )
    }
    case "asked":
      return row(path, "", `? ${text(event.question.question)}`, good)
    case "answered":
      return row(path, "customer", `! ${event.answer === true ? "yes" : text(event.answer)}`, good)
    case "ended":
      return row(path, "", `the run has ${event.status}`, dim)
    default:
      return Effect.void
  }
}

/**
 * Shows events one by one. It applies the deltas of the root agent as it goes, to tell what changed.
 */
export const shower = (seen: StateDelta.Values = new Map()) => {
  let values = seen
  return (event: Event.Event): Effect.Effect<void> =>
    Effect.suspend(() => {
      const before = values
      if (event.path.length === 1 && "delta" in event) values = StateDelta.apply(values, event.delta)
      return lines(event, before)
    })
}
