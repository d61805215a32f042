import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Prompt } from "effect/ai"
import { Session } from "tenon"
import { Prompts, UiMessages } from "tenon/interop"

const read = (input: unknown) => Result.getOrThrow(UiMessages.toHistory(input))

const stored: ReadonlyArray<UiMessages.UiMessage> = [
  { id: "m-0", role: "system", parts: [{ type: "text", text: "Be kind.", state: "done" }] },
  {
    id: "m-1",
    role: "user",
    metadata: { createdAt: 1 },
    parts: [
      { type: "text", text: "What is this?", state: "done" },
      { type: "file", mediaType: "image/png", filename: "a.png", url: "data:image/png;base64,aGk=" },
      { type: "file", mediaType: "text/plain", url: "https://example.test/a.txt" }
    ]
  },
  {
    id: "m-2",
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "Let me look.", state: "done", providerMetadata: { acme: { signature: "c2ln" } } },
      {
        type: "tool-look",
        toolCallId: "c-1",
        state: "output-available",
        input: { at: "a.png" },
        output: { is: "a cat" }
      },
      { type: "tool-look", toolCallId: "c-2", state: "output-error", input: {}, errorText: "Too dark." },
      {
        type: "tool-drop",
        toolCallId: "c-3",
        state: "output-denied",
        input: {},
        approval: { id: "c-3", approved: false, reason: "No." }
      },
      {
        type: "tool-web",
        toolCallId: "c-4",
        state: "output-available",
        input: { q: "cat" },
        output: [1, null],
        providerExecuted: true,
        callProviderMetadata: { acme: { itemId: "i-1" } }
      },
      { type: "step-start" },
      { type: "text", text: "A cat.", state: "done" }
    ]
  },
  { id: "m-3", role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "Indeed.", state: "done" }] }
]

describe("UiMessages", () => {
  it("gives back the messages that came in: steps, calls, results, files, ids and metadata", () => {
    const { report, value } = read(stored)
    assert.deepStrictEqual(report, [])
    assert.deepStrictEqual(value.map(({ role }) => role), [
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "assistant"
    ])
    assert.deepStrictEqual(UiMessages.fromHistory(value), { value: stored, report: [] })
  })

  it.effect("makes a history that a session has too", () =>
    Effect.gen(function*() {
      const { value } = read(stored)
      const { events, report } = yield* Prompts.importPrompt(value, { app: "guide", session: "s-1" })
      assert.deepStrictEqual(report.map(({ path }) => path), [["0"]])
      const session = Result.getOrThrow(Session.fold(events))
      assert.deepStrictEqual(Prompts.exportPrompt(session).content, value.slice(1))
    }))

  it("reports what has no place in a history, and keeps the rest", () => {
    const { report, value } = read([{
      id: "m-1",
      role: "assistant",
      parts: [
        { type: "text", text: "See", colour: "red" },
        { type: "source-url", sourceId: "1", url: "https://example.test" },
        { type: "source-document", sourceId: "2", mediaType: "text/plain", title: "A" },
        { type: "data-weather", data: { t: 1 } },
        { type: "hologram", of: "x" },
        { type: "tool-look", toolCallId: "c-1", state: "input-streaming", input: { at: "a" } },
        {
          type: "dynamic-tool",
          toolName: "drop",
          toolCallId: "c-2",
          state: "approval-requested",
          input: {},
          approval: { id: "a" }
        },
        { type: "tool-look", toolCallId: "c-3", state: "output-error", rawInput: "{", errorText: "bad" }
      ]
    }])
    assert.deepStrictEqual(report.map(({ path }) => path.join(".")), [
      "0.parts.0.colour",
      "0.parts.1",
      "0.parts.2",
      "0.parts.3",
      "0.parts.4",
      "0.parts.5",
      "0.parts.6"
    ])
    assert.deepStrictEqual(
      value.flatMap(({ content }) => typeof content === "string" ? [] : content.map(({ type }) => type)),
      ["text", "tool-call", "tool-call", "tool-result"]
    )
  })

  it("names the place of what is no message", () => {
    const error = Result.getOrThrow(
      Result.flip(UiMessages.toHistory([{ id: "1", role: "user", parts: [{ type: "text" }] }]))
    )
    assert.deepStrictEqual([error._tag, error.format, error.path], ["InteropError", "ui-messages", [
      "0",
      "parts",
      "0",
      "text"
    ]])
    const role = Result.getOrThrow(Result.flip(UiMessages.toHistory([{ id: "1", role: "robot", parts: [] }])))
    assert.deepStrictEqual(role.path, ["0", "role"])
  })

  it("numbers the messages of a history that never had ids, and shows an unfinished call as it is", () => {
    const call = Prompt.toolCallPart({ id: "c-1", name: "find", params: { q: 1 }, providerExecuted: false })
    const { value } = UiMessages.fromHistory(
      Prompt.make([
        { role: "user", content: "Hi" },
        Prompt.assistantMessage({ content: [call] })
      ]).content
    )
    assert.deepStrictEqual(value, [
      { id: "message-1", role: "user", parts: [{ type: "text", text: "Hi", state: "done" }] },
      {
        id: "message-2",
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "tool-find", toolCallId: "c-1", state: "input-available", input: { q: 1 } }
        ]
      }
    ])
  })
})
