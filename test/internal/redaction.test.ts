/** Where an event holds what somebody said, asked, gave or kept: a row for each kind of event. */
import { assert, describe, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import { Event } from "tenon"
import { redactContent, redactState } from "../../src/internal/redaction.ts"

const secret = "4111"
const replace = (text: string): string => text.replaceAll(secret, "[card]")

/** Names, ids and places hold the text too: they stay. */
const head = { id: secret, sequence: 1, invocation: secret, agent: secret, path: [secret], time: 5 }
const empty = { versions: {}, operations: [] }
const question = {
  id: secret,
  name: secret,
  question: { ask: [secret, 1, null], [secret]: true },
  call: secret,
  tool: secret,
  agentPath: [secret]
}
const operations = [
  { op: "set", field: secret, value: { [secret]: [secret] } },
  { op: "append", field: secret, values: [secret, 1] },
  { op: "put", field: secret, key: secret, value: secret },
  { op: "remove", field: secret, key: secret }
]
const redactedOperations = [
  { op: "set", field: secret, value: { [secret]: ["[card]"] } },
  { op: "append", field: secret, values: ["[card]", 1] },
  { op: "put", field: secret, key: secret, value: "[card]" },
  { op: "remove", field: secret, key: secret }
]

type Row = readonly [what: string, given: object, content: object, state: object]

const rows: ReadonlyArray<Row> = [
  [
    "an input",
    {
      kind: "input",
      message: { role: "user", content: [{ type: "text", text: secret }] },
      key: secret,
      delta: { versions: { [secret]: 1 }, operations },
      shared: { operations, versions: { [secret]: 1 } },
      spawn: { agent: secret, call: secret, base: 0, parameters: { deep: [{ text: secret }], [secret]: 1 } },
      sections: { [secret]: { version: 1, fields: { [secret]: [secret] } } }
    },
    {
      message: { role: "user", content: [{ type: "text", text: "[card]" }] },
      spawn: { agent: secret, call: secret, base: 0, parameters: { deep: [{ text: "[card]" }], [secret]: 1 } }
    },
    {
      delta: { versions: { [secret]: 1 }, operations: redactedOperations },
      shared: { operations: redactedOperations, versions: { [secret]: 1 } },
      sections: { [secret]: { version: 1, fields: { [secret]: ["[card]"] } } }
    }
  ],
  [
    "a model's answer",
    {
      kind: "model",
      step: 0,
      messages: [
        { role: "system", content: secret },
        { role: "assistant", content: [{ type: "tool-call", id: secret, name: secret, params: { a: secret } }] }
      ],
      calls: [{ id: secret, providerId: secret, tool: secret, parameters: { a: [secret] } }],
      shown: [secret],
      usage: { inputTokens: 1, outputTokens: 1 },
      finish: secret
    },
    {
      messages: [
        { role: "system", content: "[card]" },
        { role: "assistant", content: [{ type: "tool-call", id: secret, name: secret, params: { a: "[card]" } }] }
      ],
      calls: [{ id: secret, providerId: secret, tool: secret, parameters: { a: ["[card]"] } }]
    },
    {}
  ],
  [
    "the end of a call",
    {
      kind: "call",
      call: secret,
      tool: secret,
      result: { isFailure: false, value: [{ said: secret }], modelOutput: [{ type: "text", text: secret }] },
      delta: empty,
      actions: { transfer: secret }
    },
    { result: { isFailure: false, value: [{ said: "[card]" }], modelOutput: [{ type: "text", text: "[card]" }] } },
    {}
  ],
  [
    "a question",
    { kind: "asked", question },
    { question: { ...question, question: { ask: ["[card]", 1, null], [secret]: true } } },
    {}
  ],
  [
    "an answer, of whatever shape",
    { kind: "answered", question: secret, answer: { agent: secret, text: secret, more: [secret] }, key: secret },
    { answer: { agent: "[card]", text: "[card]", more: ["[card]"] } },
    {}
  ],
  [
    "an answer that is refused",
    { kind: "refused", key: secret, question: secret, problem: `no ${secret}` },
    { problem: "no [card]" },
    {}
  ],
  [
    "an end, which names who answered",
    {
      kind: "ended",
      status: "completed",
      elapsed: 1,
      key: secret,
      answer: { agent: secret, text: secret, output: { card: secret } }
    },
    { answer: { agent: secret, text: "[card]", output: { card: "[card]" } } },
    {}
  ]
]

describe("internal/redaction", () => {
  const eventOf = (json: object): Event.Event => Result.getOrThrow(Event.decode({ ...head, ...json }))
  const encoded = (event: Event.Event) => Event.encode(event) as Schema.JsonObject

  it.each(rows)(
    "takes a text out of what was said, asked and given, and leaves names: %s",
    (_, given, content, state) => {
      const event = eventOf(given)
      const said = Result.getOrThrow(redactContent(event, replace, 7))
      assert.deepEqual(encoded(said), encoded(eventOf({ ...given, ...content, redacted: 7 })))
      const kept = Result.getOrThrow(redactState(event, replace, 7))
      if (Object.keys(state).length === 0) assert.strictEqual(kept, event)
      else assert.deepEqual(encoded(kept), encoded(eventOf({ ...given, ...state, redacted: 7 })))
    }
  )

  it.each(rows)("gives back the event where there is no such text: %s", (_, given) => {
    const event = eventOf(given)
    const other = (text: string) => text.replaceAll("another", "")
    assert.strictEqual(Result.getOrThrow(redactContent(event, other, 7)), event)
    assert.strictEqual(Result.getOrThrow(redactState(event, other, 7)), event)
  })
})
