import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Prompt } from "effect/ai"
import { Event } from "tenon"

const head = { id: "s/0", sequence: 0, invocation: "i1", agent: "a", path: ["a", "b"], time: 5 }
const delta = { versions: { notes: 1 }, operations: [{ op: "set", field: "notes.title", value: "T" }] } as const
const shared = {
  operations: [{ op: "sum", field: "profile.visits", value: 1 }],
  versions: { "profile.visits": 4 }
} as const
const sections = { notes: { version: 1, fields: { title: "Untitled" } } }

/** One of each kind: a kind that is added without a sample does not compile. */
const samples: { readonly [Kind in Event.Event["kind"]]: Event.Event & { readonly kind: Kind } } = {
  created: { ...head, kind: "created", app: "app", user: "u", session: "s", fingerprint: "0badcafe", sections },
  input: {
    ...head,
    kind: "input",
    message: Prompt.userMessage({ content: [Prompt.textPart({ text: "Hi" })] }),
    delta,
    shared,
    spawn: { agent: "a", call: "i1.1.1", base: 3 },
    sections
  },
  model: {
    ...head,
    kind: "model",
    step: 1,
    messages: [Prompt.assistantMessage({ content: [Prompt.textPart({ text: "Let me see." })] })],
    calls: [{ id: "i1.1.1", providerId: "", tool: "find", parameters: { query: "q", deep: [null, 1] } }],
    usage: { inputTokens: 1, outputTokens: 2 },
    finish: "tool-calls"
  },
  call: {
    ...head,
    kind: "call",
    call: "i1.1.1",
    tool: "find",
    result: { isFailure: false, value: { hits: 1 }, modelOutput: [Prompt.textPart({ text: "one" })] },
    delta,
    shared,
    actions: { end: true }
  },
  rewound: { ...head, kind: "rewound", to: 3, redacted: 7 },
  hook: { ...head, kind: "hook", middleware: "guard", hook: "beforeRun", delta, shared },
  compacted: {
    ...head,
    kind: "compacted",
    middleware: "compaction",
    from: 1,
    to: 4,
    messages: [
      Prompt.userMessage({ content: [Prompt.textPart({ text: "Before:" })], options: { tenon: { summary: true } } })
    ],
    usage: { inputTokens: 3, outputTokens: 1 }
  },
  asked: {
    ...head,
    kind: "asked",
    question: {
      id: "i1.1.1?1",
      name: "confirm",
      question: { text: "Sure?" },
      call: "i1.1.1",
      tool: "find",
      agentPath: ["a"]
    }
  },
  answered: { ...head, kind: "answered", question: "i1.1.1?1", answer: true, sections },
  refused: { ...head, kind: "refused", key: "a-1", question: "i1.1.1?1", problem: "no open question has this id" },
  ended: { ...head, kind: "ended", status: "cancelled", elapsed: 12.5 }
}

describe("Event", () => {
  it.each(Object.entries(samples))("encodes and decodes the kind '%s'", (_, event) => {
    const text = JSON.stringify(Event.encode(event))
    const read = Result.getOrThrow(Event.decode(JSON.parse(text)))
    assert.deepStrictEqual(read, event)
    assert.strictEqual(JSON.stringify(Event.encode(read)), text)
  })

  it.each([
    ["an unknown kind", { ...head, kind: "dreamed" }],
    ["no kind", head],
    ["a call without a result", { ...samples.call, result: undefined }],
    ["a status that is none", { ...samples.ended, status: "tired" }],
    ["an operation that is not known", {
      ...samples.hook,
      delta: { versions: {}, operations: [{ op: "spin", field: "a.b" }] }
    }],
    ["a sequence that is no integer", { ...samples.ended, sequence: 0.5 }]
  ])("fails on %s", (_, input) => {
    assert.isTrue(Result.isFailure(Event.decode(input)))
  })
})
