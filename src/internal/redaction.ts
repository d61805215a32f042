/**
 * Texts of an event in place of others, wherever it holds what somebody said, asked or gave. Layer 5.
 *
 * It works on the encoded event: names, ids and places stay as they are, and so do the keys of objects.
 */
import { Result, type Schema } from "effect"
import * as Event from "../Event.ts"

type Replace = (text: string) => string
type Mapping = (json: Schema.Json) => Schema.Json

const isObject = (json: Schema.Json | undefined): json is Schema.JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** Some properties of an object, each by a mapping of its own; the others as they are. */
const within = (mappings: Readonly<Record<string, Mapping>>): Mapping => (json) =>
  isObject(json)
    ? Object.fromEntries(
      Object.entries(json).map(([key, value]) => [
        key,
        Object.hasOwn(mappings, key) ? (mappings[key] as Mapping)(value) : value
      ])
    )
    : json

const each = (mapping: Mapping): Mapping => (json) =>
  Array.isArray(json) ? (json as ReadonlyArray<Schema.Json>).map(mapping) : json

/** All texts of a value. */
const all = (replace: Replace): Mapping => {
  const mapping: Mapping = (json) => {
    if (typeof json === "string") return replace(json)
    if (Array.isArray(json)) return (json as ReadonlyArray<Schema.Json>).map(mapping)
    return isObject(json)
      ? Object.fromEntries(Object.entries(json).map(([key, value]) => [key, mapping(value)]))
      : json
  }
  return mapping
}

/** A part of a message. The content of a file is no text. */
const part = (replace: Replace): Mapping => {
  const text = all(replace)
  return within({ text, params: text, result: text, fileName: text, output: text, modelOutput: text })
}

const messages = (replace: Replace): Mapping => {
  const parts = each(part(replace))
  return within({ content: (json) => typeof json === "string" ? replace(json) : parts(json) })
}

/** What somebody said, asked or gave. */
const contentOf = (kind: Event.Event["kind"], replace: Replace): Readonly<Record<string, Mapping>> => {
  const text = all(replace)
  return {
    message: messages(replace),
    messages: each(messages(replace)),
    calls: each(within({ parameters: text })),
    spawn: within({ parameters: text }),
    result: within({ value: text, modelOutput: each(part(replace)) }),
    question: (json) => isObject(json) ? within({ question: text })(json) : json,
    answer: kind === "ended" ? within({ text, output: text }) : text,
    problem: text
  }
}

/** What the fold of State reads, and what tells of shared rows. */
const stateOf = (replace: Replace): Readonly<Record<string, Mapping>> => {
  const operations = within({ operations: each(within({ value: all(replace), values: all(replace) })) })
  return {
    delta: operations,
    shared: operations,
    sections: (json) =>
      isObject(json)
        ? Object.fromEntries(
          Object.entries(json).map((
            [name, section]
          ) => [name, within({ fields: all(replace) })(section)])
        )
        : json
  }
}

/** An event whose texts were replaced, or itself where nothing changed; what comes of it may be no event. */
const mapped = (event: Event.Event, mappings: Readonly<Record<string, Mapping>>, time: number) => {
  const before = Event.encode(event)
  const after = within(mappings)(before)
  return JSON.stringify(before) === JSON.stringify(after)
    ? Result.succeed(event)
    : Event.decode({ ...(after as Schema.JsonObject), redacted: time })
}

export const redactContent = (event: Event.Event, replace: Replace, time: number) =>
  mapped(event, contentOf(event.kind, replace), time)

export const redactState = (event: Event.Event, replace: Replace, time: number) => mapped(event, stateOf(replace), time)
