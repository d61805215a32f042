/**
 * A run as lines for people. Layer 6, edge `testing`.
 */
import type { Prompt } from "effect/ai"
import type * as Event from "../../Event.ts"
import type * as StateDelta from "../../StateDelta.ts"

const longest = 200

/** A value on one line, cut where it is long. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

const textIn = ({ content }: Prompt.Message): string =>
  typeof content === "string" ?
    content :
    content.map((part) =>
      part.type === "text" ? part.text : part.type === "tool-call" || part.type === "reasoning" ? "" : `(${part.type})`
    ).join("")

const operated = (operation: StateDelta.Operation): string => {
  const { field, op } = operation
  switch (op) {
    case "unset":
      return `${field} unset`
    case "put":
      return `${field} put ${shown(operation.key)} ${shown(operation.value)}`
    case "remove":
      return `${field} remove ${shown(operation.key)}`
    case "append":
    case "union":
      return `${field} ${op} ${shown(operation.values)}`
    default:
      return `${field} ${op} ${shown(operation.value)}`
  }
}

const wrote = (
  { delta, shared }: { readonly delta: StateDelta.StateDelta; readonly shared?: Event.Shared }
): ReadonlyArray<string> => [...delta.operations, ...shared?.operations ?? []].map((each) => `  ${operated(each)}`)

const actions = (asked: object | undefined): ReadonlyArray<string> =>
  Object.entries(asked ?? {}).map(([name, value]) =>
    value === true ? `  asks to ${name}` : `  asks to ${name} ${value}`
  )

const linesOf = (event: Event.Event): ReadonlyArray<string> => {
  const name = event.path.at(-1) ?? ""
  switch (event.kind) {
    case "input":
      return [
        `${event.spawn === undefined ? event.path.length > 1 ? "told" : "user" : "task"}: ${textIn(event.message)}`,
        ...wrote(event)
      ]
    case "model": {
      const said = event.messages.map(textIn).filter((text) => text !== "")
      return [
        ...said.map((text) => `${name}: ${text}`),
        ...event.calls.map(({ id, parameters, tool }) => `${name} calls ${tool} ${shown(parameters)} (${id})`),
        ...(said.length + event.calls.length === 0 ? [`${name}: (nothing)`] : [])
      ]
    }
    case "call":
      return [
        `${event.tool} ${event.result.isFailure ? "failed" : "gave"} ${shown(event.result.value)} (${event.call})`,
        ...wrote(event),
        ...actions(event.actions)
      ]
    case "hook":
      return [`${event.middleware}.${event.hook}`, ...wrote(event), ...actions(event.actions)]
    case "asked":
      return [`${event.question.name} asked ${shown(event.question.question)} (${event.question.id})`]
    case "answered":
      return [`answered ${shown(event.answer)} (${event.question})`]
    case "refused":
      return [`refused: ${event.problem}`]
    case "compacted":
      return [`${event.middleware} compacts events ${event.from} to ${event.to}`]
    case "rewound":
      return [`rewound to event ${event.to}`]
    case "ended":
      return [event.status]
    case "created":
      return []
  }
}

/** Events as lines, those of a sub-agent further in. */
export const lines = (events: ReadonlyArray<Event.Event>): ReadonlyArray<string> =>
  events.flatMap((event) => linesOf(event).map((line) => `${"  ".repeat(event.path.length - 1)}${line}`))
