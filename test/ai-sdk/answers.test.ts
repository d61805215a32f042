/** What provider packages make of recorded answers, whole and in chunks, as parts of effect/ai. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Prompt, type Response } from "effect/ai"
import { answer, asked, modelAt, type Provider } from "./providers.ts"
import { events, json, recorded, recordedEvents, recordedStream, type Reply, serve } from "./server.ts"

interface Told {
  /** Texts, reasoning and calls in order, as a history keeps them. */
  readonly said: ReadonlyArray<unknown>
  readonly finish: Response.FinishReason
  readonly usage: readonly [input: number | undefined, cached: number | undefined, output: number | undefined]
  readonly reasoningTokens: number | undefined
  readonly modelId: string | undefined
}

/** What the parts of an answer come to. */
const told = (parts: ReadonlyArray<Response.AnyPart>): Told => {
  const metadata = parts.find((part) => part.type === "response-metadata")
  const finish = parts.find((part) => part.type === "finish")
  const [message] = Prompt.fromResponseParts(parts).content
  const content = message?.role === "assistant" ? message.content : []
  return {
    said: content.map((part) => {
      switch (part.type) {
        case "text":
          return part.text
        case "reasoning":
          return { reasoning: part.text }
        case "tool-call":
          return { call: part.name, params: part.params, id: part.id }
        default:
          return part.type
      }
    }),
    finish: finish?.reason ?? "unknown",
    usage: [finish?.usage.inputTokens.total, finish?.usage.inputTokens.cacheRead, finish?.usage.outputTokens.total],
    reasoningTokens: finish?.usage.outputTokens.reasoning,
    modelId: metadata?.modelId
  }
}

const whole = (provider: Provider, reply: Reply) =>
  Effect.gen(function*() {
    const server = yield* serve(reply)
    const { content } = yield* answer(provider, server)
    assert.strictEqual(server.asked.length, 1)
    return told(content)
  })

const streamed = (provider: Provider, reply: Reply) =>
  Effect.gen(function*() {
    const server = yield* serve(reply)
    const model = yield* modelAt(provider, server)
    const parts = yield* Stream.runCollect(model.streamText(asked))
    assert.strictEqual(server.asked.length, 1)
    return told(parts)
  })

const chat = (path: string) => events(...recordedEvents(path), "[DONE]")
const call = (id: string, params: unknown = { location: "San Francisco" }, call = "weather") => ({ call, params, id })

describe("an answer", () => {
  it.effect("of OpenAI's chat completions", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* whole("openai chat", json(recorded("openai-chat/alibaba-tool-call.json"))), {
        said: [call("call_962bfd2ab8f54b89a1161356")],
        finish: "tool-calls",
        usage: [295, 0, 22],
        reasoningTokens: 0,
        modelId: "qwen3-max"
      })
      assert.deepStrictEqual(yield* streamed("openai chat", chat("openai-chat/alibaba-tool-call.chunks.txt")), {
        said: [call("call_eee11723464a4b9eb8cee71d")],
        finish: "tool-calls",
        usage: [295, 0, 22],
        reasoningTokens: 0,
        modelId: "qwen3-max"
      })
    }))

  it.effect("of OpenAI's responses", () =>
    Effect.gen(function*() {
      const path = "openai-responses/lmstudio-tool-call.1"
      assert.deepStrictEqual(yield* whole("openai responses", json(recorded(`${path}.json`))), {
        said: [call("call_2866856768160095")],
        finish: "tool-calls",
        usage: [1189, 891, 11],
        reasoningTokens: 0,
        modelId: "mistralai/ministral-3-14b-reasoning"
      })
      const { said, ...rest } = yield* streamed("openai responses", events(...recordedEvents(`${path}.chunks.txt`)))
      assert.deepStrictEqual(said.map((each) => typeof each === "string" ? "text" : Object.keys(each as object)[0]), [
        "reasoning",
        "text",
        "call"
      ])
      assert.deepStrictEqual(rest, {
        finish: "tool-calls",
        usage: [182, 2, 61],
        reasoningTokens: 48,
        modelId: "zai-org/glm-4.7-flash"
      })
    }))

  it.effect("of Anthropic, also with a call without arguments", () =>
    Effect.gen(function*() {
      const path = "anthropic/anthropic-json-other-tool.1"
      const common = { finish: "tool-calls", usage: [843, 0, 28], reasoningTokens: undefined } as const
      const modelId = "claude-haiku-4-5-20251001"
      assert.deepStrictEqual(yield* whole("anthropic", json(recorded(`${path}.json`))), {
        said: [call("toolu_01PQjhxo3eirCdKNvCJrKc8f")],
        modelId,
        ...common
      })
      assert.deepStrictEqual(yield* streamed("anthropic", events(...recordedEvents(`${path}.chunks.txt`))), {
        said: [call("toolu_019Zvehfe1XQWweT1pm7okyt")],
        modelId,
        ...common
      })
      const bare = yield* streamed(
        "anthropic",
        events(...recordedEvents("anthropic/anthropic-tool-no-args.chunks.txt"))
      )
      assert.deepStrictEqual(bare.said, [
        "I'll update the issue list for you.",
        call("toolu_01QE1WLsSVp5hy5Q3GmGTmjP", {}, "updateIssueList")
      ])
    }))

  it.effect("of Google, whose calls have no ids", () =>
    Effect.gen(function*() {
      const path = "google/google-tool-call"
      const one = yield* whole("google", json(recorded(`${path}.json`)))
      const other = yield* streamed("google", events(...recordedEvents(`${path}.chunks.txt`)))
      assert.deepStrictEqual([one, other].map(({ said: [first] }) => ({ ...first as object, id: "" })), [
        call(""),
        call("")
      ])
      assert.deepStrictEqual([one, other].map(({ usage, reasoningTokens }) => [usage, reasoningTokens]), [
        [[29, 0, 908], 893],
        [[29, 0, 60], 45]
      ])
      const many = recordedEvents("google/google-stream-no-args-tool-call.chunks.txt")
      const parts = many.flatMap((event) => JSON.parse(event).candidates[0].content.parts)
      const thought = { reasoning: parts.flatMap(({ thought, text }) => thought === true ? [text] : []).join("") }
      const several = yield* streamed("google", events(...many))
      assert.deepStrictEqual(several.said.map((each) => ({ ...each as object, id: "" })), [
        { ...thought, id: "" },
        call("", {}, "read_theme"),
        call("", { id: "A" }, "read_screen"),
        call("", { id: "B" }, "read_screen"),
        call("", { id: "C" }, "read_screen")
      ])
      const ids = several.said.slice(1).map((each) => (each as { readonly id: string }).id)
      assert.strictEqual(new Set(ids).size, 4)
    }))

  it.effect("of servers that are compatible with OpenAI", () =>
    Effect.gen(function*() {
      const path = "openai-chat/deepseek-tool-call"
      const body = recorded(`${path}.json`)
      const deltas = recordedEvents(`${path}.chunks.txt`).map((event) => JSON.parse(event).choices[0].delta)
      assert.deepStrictEqual(yield* whole("openai-compatible", json(body)), {
        said: [{ reasoning: body.choices[0].message.reasoning_content }, call("call_00_9V0vrf86Pc9aelHCJMZqnJBo")],
        finish: "tool-calls",
        usage: [339, 320, 92],
        reasoningTokens: 48,
        modelId: "deepseek-reasoner"
      })
      assert.deepStrictEqual(yield* streamed("openai-compatible", chat(`${path}.chunks.txt`)), {
        said: [
          { reasoning: deltas.map((delta) => delta.reasoning_content ?? "").join("") },
          call("call_00_ioIn7yN9p1ZOMNpDLwd4MgAF")
        ],
        finish: "tool-calls",
        usage: [339, 320, 83],
        reasoningTokens: 39,
        modelId: "deepseek-reasoner"
      })
      const xai = yield* whole("openai-compatible", json(recorded("openai-chat/xai-tool-call.json")))
      assert.deepStrictEqual([xai.usage, xai.reasoningTokens], [[307, 244, 26], 255])
      const fallback = yield* streamed(
        "openai-compatible",
        recordedStream("openai-chat/anthropic-fallback-tool-call.sse")
      )
      assert.deepStrictEqual(fallback.said, ["Reading it.", call("toolu_sanitized", { path: "a.txt" }, "read_file")])
    }))
})
