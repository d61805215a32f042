/** Every kind of event, as a line of a transcript. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Prompt } from "effect/ai"
import { Event, StateDelta } from "tenon"
import { TestAgent } from "tenon/testing"

const nothing = StateDelta.make([], {})
const usage = { inputTokens: 0, outputTokens: 0 }
const said = (text: string) => Prompt.userMessage({ content: [Prompt.textPart({ text })] })

const linesOf = (...bodies: ReadonlyArray<Event.Body & { readonly path?: ReadonlyArray<string> }>) =>
  TestAgent.transcript({
    events: bodies.map(({ path = ["main"], ...body }, sequence) =>
      Schema.decodeUnknownSync(Schema.toType(Event.Event))({
        id: `s/${sequence}`,
        sequence,
        invocation: "i",
        agent: path.join("/"),
        path,
        time: 0,
        ...body
      })
    )
  }).split("\n")

describe("TestAgent.transcript", () => {
  it("tells each operation on State, shared or not", () => {
    const delta = StateDelta.make([
      { op: "set", field: "a.set", value: { b: 1 } },
      { op: "unset", field: "a.unset" },
      { op: "max", field: "a.max", value: 3 },
      { op: "append", field: "a.append", values: [1, 2] },
      { op: "put", field: "a.put", key: "k", value: "v" },
      { op: "remove", field: "a.remove", key: "k" }
    ], { a: 1 })
    const shared = {
      operations: [{ op: "union", field: "b.union", values: ["x"] } as const],
      versions: { "b.union": 1 }
    }
    const hook = {
      kind: "hook",
      middleware: "audit",
      hook: "beforeTool",
      delta,
      shared,
      actions: { end: true }
    } as const
    assert.deepStrictEqual(linesOf(hook), [
      "audit.beforeTool",
      "  a.set set {\"b\":1}",
      "  a.unset unset",
      "  a.max max 3",
      "  a.append append [1,2]",
      "  a.put put \"k\" \"v\"",
      "  a.remove remove \"k\"",
      "  b.union union [\"x\"]",
      "  asks to end"
    ])
  })

  it("tells what was said, and cuts a value that is long", () => {
    const parts = [Prompt.textPart({ text: "See " }), Prompt.filePart({ mediaType: "image/png", data: "AA==" })]
    const result = { isFailure: false, value: "x".repeat(300) }
    assert.deepStrictEqual(
      linesOf(
        { kind: "input", message: Prompt.userMessage({ content: parts }), delta: nothing },
        { kind: "input", message: said("Go."), delta: nothing, path: ["main", "helper"] },
        { kind: "model", step: 1, messages: [], calls: [], usage, finish: "stop" },
        { kind: "call", call: "1", tool: "find", result, delta: nothing, actions: { transfer: "other" } }
      ),
      [
        "user: See (file)",
        "  told: Go.",
        "main: (nothing)",
        `find gave "${"x".repeat(199)}… (302 characters) (1)`,
        "  asks to transfer other"
      ]
    )
  })

  it("tells of what changes the log, and of who refused what", () => {
    assert.deepStrictEqual(
      linesOf(
        { kind: "answered", question: "q-1", answer: { yes: true } },
        { kind: "refused", key: "k", problem: "the question is closed" },
        { kind: "compacted", middleware: "compaction", from: 1, to: 4, messages: [said("Before.")] },
        { kind: "rewound", to: 2 },
        { kind: "ended", status: "cancelled", elapsed: 1 }
      ),
      [
        "answered {\"yes\":true} (q-1)",
        "refused: the question is closed",
        "compaction compacts events 1 to 4",
        "rewound to event 2",
        "cancelled"
      ]
    )
  })
})
