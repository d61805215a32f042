/** Files, sources, what providers run themselves, and what effect/ai has no word for. */
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Schema, Stream, Tracer } from "effect"
import { Model, Prompt, type Response, Toolkit } from "effect/ai"
import { AiSdk } from "tenon/ai-sdk"
import { end, saying } from "./model.ts"
import { asked, layerAt, modelAt } from "./providers.ts"
import { events, json, recorded, recordedEvents, serve } from "./server.ts"

/** What a model said as the history of the next request. */
const history = (parts: ReadonlyArray<Response.AnyPart>) =>
  Prompt.concat(Prompt.make("Go."), Prompt.fromResponseParts(parts))

const typesOf = (parts: ReadonlyArray<Response.AnyPart>) => parts.map(({ type }) => type)

describe("a content", () => {
  it.effect("is a file or a source", () =>
    Effect.gen(function*() {
      const content: ReadonlyArray<LanguageModelV4Content> = [
        { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
        { type: "file", mediaType: "image/png", data: { type: "url", url: new URL("https://example.com/i.png") } },
        { type: "source", sourceType: "url", id: "s1", url: "https://example.com/a", title: "A" },
        { type: "source", sourceType: "url", id: "s2", url: "nowhere" },
        {
          type: "source",
          sourceType: "document",
          id: "s3",
          mediaType: "application/pdf",
          title: "B",
          filename: "b.pdf"
        },
        {
          type: "text",
          text: "As A says.",
          citations: [{ source: { type: "source", sourceType: "url", id: "s4", url: "https://example.com/c" } }]
        }
      ]
      const model = yield* AiSdk.make(saying(content).model)
      const { content: parts } = yield* model.generateText({ prompt: "Go." })
      const files = parts.flatMap((part) => part.type === "file" ? [[...part.data]] : [])
      assert.deepStrictEqual(files, [[1, 2, 3], [1, 2, 3]])
      const sources = parts.flatMap((part) =>
        part.type === "source" ? [part.sourceType === "url" ? part.url.href : part.fileName] : []
      )
      assert.deepStrictEqual(sources, [
        "https://example.com/i.png",
        "https://example.com/a",
        "b.pdf",
        "https://example.com/c"
      ])
    }))

  it.effect("that effect/ai has no word for goes back at its place", () =>
    Effect.gen(function*() {
      const contents = [
        { type: "text", text: "One." },
        { type: "custom", kind: "openai.compaction", providerMetadata: { openai: { itemId: "cmp_1" } } },
        { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } },
        {
          type: "tool-call",
          toolCallId: "m1",
          toolName: "mcp.far",
          input: "{\"a\":1}",
          providerExecuted: true,
          dynamic: true
        },
        { type: "tool-result", toolCallId: "m1", toolName: "mcp.far", result: { b: 2 }, dynamic: true }
      ] as const satisfies ReadonlyArray<LanguageModelV4Content>
      const expected: unknown = [
        { type: "text", text: "One." },
        { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp_1" } } },
        { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
        { type: "tool-call", toolCallId: "m1", toolName: "mcp.far", input: { a: 1 }, providerExecuted: true },
        { type: "tool-result", toolCallId: "m1", toolName: "mcp.far", output: { type: "json", value: { b: 2 } } }
      ]
      const chunks: ReadonlyArray<LanguageModelV4StreamPart> = [
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "One." },
        { type: "text-end", id: "0" },
        ...contents.slice(1) as ReadonlyArray<LanguageModelV4StreamPart>,
        end
      ]
      const json = Schema.toCodecJson(Prompt.Prompt)
      const source = saying(contents, { chunks })
      const model = yield* AiSdk.make(source.model)
      const { content, text } = yield* model.generateText({ prompt: "Go." })
      assert.strictEqual(text, "One.")
      const streamed = yield* Stream.runCollect(model.streamText({ prompt: "Go." }))
      for (const parts of [content, streamed]) {
        // as a store keeps it
        const stored = JSON.stringify(yield* Schema.encodeEffect(json)(history(parts)))
        yield* model.generateText({ prompt: yield* Schema.decodeUnknownEffect(json)(JSON.parse(stored)) })
        assert.deepStrictEqual(source.asked.at(-1)?.prompt[1]?.content, expected)
      }
    }))

  it.effect("of a tool that the provider runs comes with its result, and goes back with it", () =>
    Effect.gen(function*() {
      const Search = AiSdk.providerTool("search", { id: "test.search", args: {} })
      const toolkit = Toolkit.make(Search)
      const source = saying([
        { type: "tool-call", toolCallId: "w1", toolName: "search", input: "{\"q\":\"a\"}", providerExecuted: true },
        { type: "tool-result", toolCallId: "w1", toolName: "search", result: "rows" },
        { type: "tool-call", toolCallId: "w2", toolName: "search", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "w2", toolName: "search", result: { code: 1 }, isError: true }
      ])
      const model = yield* AiSdk.make(source.model)
      const { content } = yield* model.generateText({ prompt: "Go.", toolkit })
      assert.deepStrictEqual(typesOf(content).slice(1, -1), ["tool-call", "tool-result", "tool-call", "tool-result"])
      yield* model.generateText({ prompt: history(content), toolkit })
      const expected: unknown = [
        { type: "tool-call", toolCallId: "w1", toolName: "search", input: { q: "a" }, providerExecuted: true },
        { type: "tool-result", toolCallId: "w1", toolName: "search", output: { type: "json", value: "rows" } },
        { type: "tool-call", toolCallId: "w2", toolName: "search", input: {}, providerExecuted: true },
        {
          type: "tool-result",
          toolCallId: "w2",
          toolName: "search",
          output: { type: "error-json", value: { code: 1 } }
        }
      ]
      assert.deepStrictEqual(source.asked[1]?.prompt[1]?.content, expected)
    }))
})

describe("a recorded answer of OpenAI's", () => {
  it.effect("that asks for the approval of its own tool goes back with the decision", () =>
    Effect.gen(function*() {
      const path = "openai-responses/openai-mcp-tool-approval.1"
      const body = recorded(`${path}.json`)
      const server = yield* serve(json(body), events(...recordedEvents(`${path}.chunks.txt`)), json(body))
      const model = yield* modelAt("openai responses", server)
      const { content } = yield* model.generateText(asked)
      const streamed = yield* Stream.runCollect(model.streamText(asked))
      for (const parts of [content, streamed]) {
        const request = parts.find((part) => part.type === "tool-approval-request")
        assert.match(request?.approvalId ?? "", /^mcpr_/)
        const said = Prompt.fromResponseParts(parts).content.map((message) =>
          message.role === "assistant"
            ? Prompt.assistantMessage({
              content: message.content.filter(({ type }) => type !== "tool-approval-request")
            })
            : message
        )
        const decision = Prompt.toolMessage({
          content: [Prompt.toolApprovalResponsePart({ approvalId: request?.approvalId ?? "", approved: true })]
        })
        yield* model.generateText({ ...asked, prompt: Prompt.fromMessages([...said, decision]) })
        assert.deepInclude(server.asked.at(-1)?.body.input.at(-1), {
          type: "mcp_approval_response",
          approval_request_id: request?.approvalId,
          approve: true
        })
      }
    }))

  it.effect("that wraps parallel calls is taken apart, and goes back as it was", () =>
    Effect.gen(function*() {
      const body = recorded("openai-responses/parallel-tool-call-wrapper.1.json")
      const server = yield* serve(json(body))
      const model = yield* modelAt("openai responses", server)
      const { content } = yield* model.generateText(asked)
      const calls = content.flatMap((part) => part.type === "tool-call" ? [part] : [])
      assert.deepStrictEqual(calls.map(({ name, params }) => [name, params]), [
        ["weather", { location: "San Francisco" }],
        ["cityAttractions", { city: "Rome" }]
      ])
      const results = Prompt.toolMessage({
        content: calls.map(({ id, name }) =>
          Prompt.toolResultPart({ id, name, isFailure: false, result: name, providerExecuted: false })
        )
      })
      yield* model.generateText({ ...asked, prompt: Prompt.concat(history(content), Prompt.fromMessages([results])) })
        .pipe(
          // the server knows the wrapper then, and not what the package made of it
          Effect.provideService(AiSdk.RequestSettings, {
            providerOptions: { openai: { previousResponseId: "resp_parallel" } }
          })
        )
      const { input } = server.body(1)
      const items = input.filter(({ call_id }: any) => call_id === "call_parallel")
      assert.deepStrictEqual(items.map(({ type, name }: any) => [type, name]), [
        ["function_call", "parallel"],
        ["function_call_output", undefined]
      ])
      assert.deepStrictEqual(JSON.parse(items[0].arguments), JSON.parse(body.output[0].arguments))
    }))
})

// ===== beside the content ====================================================

describe("an answer", () => {
  it.effect("says how it ended", () =>
    Effect.gen(function*() {
      const finish = (unified: "content-filter" | "error" | "length" | "other" | "stop", raw?: string) =>
        Effect.gen(function*() {
          const model = yield* AiSdk.make(saying([], { finishReason: { unified, raw } }).model)
          return (yield* model.generateText({ prompt: "Go." })).finishReason
        })
      assert.strictEqual(yield* finish("length"), "length")
      assert.strictEqual(yield* finish("content-filter", "safety"), "content-filter")
      assert.strictEqual(yield* finish("other"), "other")
      assert.strictEqual(yield* finish("error"), "error")
      assert.strictEqual(yield* finish("stop", "pause_turn"), "pause")
    }))

  it.effect("takes counts that are no whole numbers for unknown, and a date that is none for no date", () =>
    Effect.gen(function*() {
      const { model } = saying([], {
        usage: {
          inputTokens: { total: Number.NaN, noCache: 1.5, cacheRead: 2, cacheWrite: undefined },
          outputTokens: { total: 3, text: undefined, reasoning: 1 }
        },
        response: { id: "r", timestamp: new Date(Number.NaN) }
      })
      const { usage } = yield* (yield* AiSdk.make(model)).generateText({ prompt: "Go." })
      assert.deepStrictEqual(
        [
          usage.inputTokens.total,
          usage.inputTokens.uncached,
          usage.inputTokens.cacheRead,
          usage.outputTokens.reasoning
        ],
        [undefined, undefined, 2, 1]
      )
    }))

  it.effect("logs what the provider's package warns of, and has it in its last part", () =>
    Effect.gen(function*() {
      const warnings = [
        { type: "unsupported", feature: "topK" },
        { type: "deprecated", setting: "user", message: "use another" },
        { type: "other", message: "mind the gap" }
      ] as const
      const chunks: ReadonlyArray<LanguageModelV4StreamPart> = [{ type: "stream-start", warnings: [...warnings] }, end]
      const model = yield* AiSdk.make(saying([], { warnings: [...warnings], chunks }).model)
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const { content } = yield* Effect.provide(model.generateText({ prompt: "Go." }), log)
      const streamed = yield* Effect.provide(Stream.runCollect(model.streamText({ prompt: "Go." })), log)
      const each = ["test m: unsupported: topK", "test m: deprecated: user, use another", "test m: mind the gap"]
      assert.deepStrictEqual(lines, [...each, ...each])
      for (const parts of [content, streamed]) assert.deepInclude(parts.at(-1)?.metadata, { aiSdk: { warnings } })
    }))
})

describe("a span", () => {
  it.effect("tells of the request and of the answer, and of nothing that was said", () =>
    Effect.gen(function*() {
      const said = "a word of the model's"
      const chunks: ReadonlyArray<LanguageModelV4StreamPart> = [
        { type: "response-metadata", id: "r", modelId: "m-1" },
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: said },
        { type: "text-end", id: "0" },
        end
      ]
      const response = { id: "r", modelId: "m-1" }
      const model = yield* AiSdk.make(saying([{ type: "text", text: said }], { chunks, response }).model, { topK: 3 })
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* Effect.andThen(
        model.generateText({ prompt: "a word of ours" }),
        Stream.runDrain(model.streamText({ prompt: "a word of ours" }))
      ).pipe(Effect.withTracer(tracer))
      assert.strictEqual(spans.length, 2)
      for (const { attributes } of spans) {
        const told = Object.fromEntries(attributes)
        assert.deepInclude(told, {
          "gen_ai.provider.name": "test",
          "gen_ai.request.model": "m",
          "gen_ai.request.top_k": 3,
          "gen_ai.response.id": "r",
          "gen_ai.response.model": "m-1",
          "gen_ai.usage.input_tokens": 1
        })
        assert.notInclude(JSON.stringify(told), "a word")
      }
    }))
})

describe("make", () => {
  it.effect("refuses what is no model of version 4, with a sentence", () =>
    Effect.gen(function*() {
      const forced = (model: unknown) => Effect.map(Effect.exit(AiSdk.make(model as never)), String)
      assert.include(
        yield* forced("openai/gpt-5-mini"),
        "'openai/gpt-5-mini' is the name of a model: pass the model itself"
      )
      assert.include(
        yield* forced({ specificationVersion: "v2", provider: "old.chat" }),
        "the package of 'old.chat' has the provider interface in version v2, not v4"
      )
    }))
})

describe("layer and model", () => {
  it.effect("answer with the provider's model, and with its names", () =>
    Effect.gen(function*() {
      const server = yield* serve(
        json({ choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }] })
      )
      const { generateText } = yield* Layer.build(layerAt("openai-compatible", server)).pipe(
        Effect.flatMap((context) => Effect.provideContext(modelAt("openai-compatible", server), context))
      )
      assert.strictEqual((yield* generateText({ prompt: "Is 7 prime?" })).text, "Yes.")
      assert.strictEqual(server.asked[0]?.path, "/chat/completions")
      const names = yield* Effect.all([Model.ProviderName, Model.ModelName]).pipe(
        Effect.provide(AiSdk.model(saying([]).model))
      )
      assert.deepStrictEqual(names, ["test", "m"])
    }))
})
