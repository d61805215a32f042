/** What is asked: prompts, tools and the form of the answer, as the provider interface and as APIs get them. */
import { openai } from "@ai-sdk/openai"
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type LanguageModel, OpenAiStructuredOutput, Prompt, Tool, Toolkit } from "effect/ai"
import { AiSdk } from "tenon/ai-sdk"
import { saying } from "./model.ts"
import { modelAt, Weather } from "./providers.ts"
import { json, serve } from "./server.ts"

/** What the provider's model is asked, for a prompt and options of effect/ai's. */
const askedFor = (
  prompt: Prompt.RawInput,
  options: Partial<Omit<LanguageModel.GenerateTextOptions<any>, "prompt">> = {},
  settings?: AiSdk.Options
) =>
  Effect.gen(function*() {
    const { model, asked } = saying([{ type: "text", text: "Yes." }])
    const language = yield* AiSdk.make(model, settings)
    yield* language.generateText({ disableToolCallResolution: true, ...options, prompt } as never)
    const { abortSignal, ...rest } = asked[0] as LanguageModelV4CallOptions
    assert.isDefined(abortSignal)
    return rest
  })

const promptFor = (...messages: ReadonlyArray<Prompt.MessageEncoded>) =>
  Effect.map(askedFor(Prompt.make([...messages])), ({ prompt }) => prompt)

describe("a prompt", () => {
  it.effect("has messages of each role, with what belongs to providers", () =>
    Effect.gen(function*() {
      const cached = { anthropic: { cacheControl: { type: "ephemeral" } }, other: null }
      const prompt = yield* promptFor(
        { role: "system", content: "Be brief.", options: cached },
        { role: "user", content: [{ type: "text", text: "Hi", options: cached }] },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm.", options: { anthropic: { signature: "s1" } } },
            { type: "text", text: "" },
            { type: "text", text: "Hello." },
            {
              type: "tool-call",
              id: "c1",
              name: "find",
              params: { q: 1 },
              options: { google: { thoughtSignature: "t" } }
            }
          ]
        },
        { role: "tool", content: [{ type: "tool-result", id: "c1", name: "find", isFailure: false, result: "found" }] }
      )
      const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } }
      assert.deepStrictEqual(prompt, [
        { role: "system", content: "Be brief.", providerOptions },
        { role: "user", content: [{ type: "text", text: "Hi", providerOptions }] },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s1" } } },
            { type: "text", text: "Hello." },
            {
              type: "tool-call",
              toolCallId: "c1",
              toolName: "find",
              input: { q: 1 },
              providerOptions: { google: { thoughtSignature: "t" } }
            }
          ]
        },
        {
          role: "tool",
          content: [{
            type: "tool-result",
            toolCallId: "c1",
            toolName: "find",
            output: { type: "text", value: "found" },
            providerOptions: { google: { thoughtSignature: "t" } }
          }]
        }
      ])
    }))

  it.effect("has files by bytes, base64, data URL and address", () =>
    Effect.gen(function*() {
      const bytes = new Uint8Array([1, 2, 3])
      const [message] = yield* promptFor({
        role: "user",
        content: [
          { type: "file", mediaType: "image/png", data: bytes },
          { type: "file", mediaType: "image/png", data: "AQID" },
          { type: "file", mediaType: "image/png", data: "data:image/png;base64,AQID" },
          { type: "file", mediaType: "application/pdf", fileName: "a.pdf", data: new URL("https://example.com/a.pdf") },
          { type: "file", mediaType: "image/*", data: "https://example.com/b" }
        ]
      })
      assert.deepStrictEqual(message?.content, [
        { type: "file", mediaType: "image/png", data: { type: "data", data: bytes } },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
        {
          type: "file",
          mediaType: "application/pdf",
          filename: "a.pdf",
          data: { type: "url", url: new URL("https://example.com/a.pdf") }
        },
        { type: "file", mediaType: "image/*", data: { type: "url", url: new URL("https://example.com/b") } }
      ])
    }))

  it.effect("has results as text, JSON, an error, a refusal or content", () =>
    Effect.gen(function*() {
      const result = (result: unknown, isFailure = false) =>
        ({ type: "tool-result", id: "c", name: "t", isFailure, result }) as const
      const image = { type: "file", mediaType: "image/png", data: "AQID" } as const
      const [message] = yield* promptFor({
        role: "tool",
        content: [
          result("text"),
          result({ a: 1 }),
          result(undefined),
          result("went wrong", true),
          result({ _tag: "NotFound" }, true),
          result({ type: "execution-denied", reason: "no" }, true),
          { ...result("rows"), modelOutput: [{ type: "text", text: "a" }, { type: "text", text: "b" }] },
          { ...result("seen"), modelOutput: [{ type: "text", text: "a" }, image] }
        ]
      })
      const outputs = message?.role === "tool"
        ? message.content.map((part) => part.type === "tool-result" ? part.output : part)
        : []
      assert.deepStrictEqual(outputs, [
        { type: "text", value: "text" },
        { type: "json", value: { a: 1 } },
        { type: "json", value: null },
        { type: "error-text", value: "went wrong" },
        { type: "error-json", value: { _tag: "NotFound" } },
        { type: "execution-denied", reason: "no" },
        { type: "text", value: "a\nb" },
        {
          type: "content",
          value: [{ type: "text", text: "a" }, {
            type: "file",
            mediaType: "image/png",
            data: { type: "data", data: "AQID" }
          }]
        }
      ])
    }))

  it.effect("leaves out what says nothing", () =>
    Effect.gen(function*() {
      const prompt = yield* promptFor(
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "text", text: "" }] },
        { role: "user", content: "Still there?" }
      )
      assert.deepStrictEqual(prompt?.map(({ role }) => role), ["user", "user"])
    }))

  it.effect("reaches an API with an image in it", () =>
    Effect.gen(function*() {
      const answers = {
        "openai chat": {
          choices: [{ index: 0, message: { role: "assistant", content: "A cat." }, finish_reason: "stop" }]
        },
        anthropic: {
          type: "message",
          id: "m",
          model: "claude",
          role: "assistant",
          content: [{ type: "text", text: "A cat." }],
          stop_reason: "end_turn",
          usage: { input_tokens: 1, output_tokens: 1 }
        }
      } as const
      const content = [
        { type: "text", text: "What is it?" },
        { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) }
      ] as const
      for (const provider of ["openai chat", "anthropic"] as const) {
        const server = yield* serve(json(answers[provider]))
        const model = yield* modelAt(provider, server)
        const { text } = yield* model.generateText({ prompt: [{ role: "user", content }] })
        assert.strictEqual(text, "A cat.")
        const [, image] = server.body(0).messages[0].content
        assert.deepInclude(
          image,
          provider === "anthropic"
            ? { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } }
            : { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }
        )
      }
    }))
})

// ===== tools =================================================================

describe("tools", () => {
  const Search = AiSdk.providerTool("search", openai.tools.webSearch({ searchContextSize: "low" }))
  const Remote = Tool.dynamic("remote", {
    description: "far away",
    parameters: { type: "object", properties: { a: { type: "string" } } }
  })
  const Bare = Tool.make("bare").annotate(Tool.Strict, true)
  const toolkit = Toolkit.make(Weather, Bare, Remote, Search)

  it.effect("are functions with JSON schemas, and tools of the provider", () =>
    Effect.gen(function*() {
      const { tools, toolChoice } = yield* askedFor("Hi", { toolkit })
      assert.deepStrictEqual(toolChoice, { type: "auto" })
      assert.deepStrictEqual(tools, [
        {
          type: "function",
          name: "weather",
          description: "Get the weather in a location",
          inputSchema: {
            type: "object",
            properties: { location: { type: "string" } },
            required: ["location"],
            additionalProperties: true
          }
        },
        {
          type: "function",
          name: "bare",
          inputSchema: { type: "object", properties: {}, additionalProperties: false },
          strict: true
        },
        {
          type: "function",
          name: "remote",
          description: "far away",
          inputSchema: { type: "object", properties: { a: { type: "string" } } }
        },
        { type: "provider", id: "openai.web_search", name: "search", args: { searchContextSize: "low" } }
      ])
    }))

  it.effect("are chosen as effect/ai says", () =>
    Effect.gen(function*() {
      const chosen = (toolChoice: LanguageModel.ToolChoice<any>) =>
        Effect.map(
          askedFor("Hi", { toolkit, toolChoice }),
          ({ tools, toolChoice }) => [toolChoice, tools?.map(({ name }) => name)]
        )
      const all = ["weather", "bare", "remote", "search"]
      assert.deepStrictEqual(yield* chosen("none"), [{ type: "none" }, all])
      assert.deepStrictEqual(yield* chosen("required"), [{ type: "required" }, all])
      assert.deepStrictEqual(yield* chosen({ tool: "bare" }), [{ type: "tool", toolName: "bare" }, all])
      assert.deepStrictEqual(yield* chosen({ oneOf: ["bare", "remote"] }), [{ type: "auto" }, ["bare", "remote"]])
      assert.deepStrictEqual(yield* chosen({ mode: "required", oneOf: ["bare"] }), [{ type: "required" }, ["bare"]])
      assert.notProperty(yield* askedFor("Hi"), "tools")
    }))
})

// ===== the form of the answer ================================================

describe("generateObject", () => {
  const Person = Schema.Struct({ name: Schema.String, age: Schema.optionalKey(Schema.Finite) })

  it.effect("asks OpenAI in the form that it takes, and reads the answer back", () =>
    Effect.gen(function*() {
      const content = JSON.stringify({ name: "Ada", age: null })
      const server = yield* serve(
        json({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] })
      )
      const model = yield* modelAt("openai chat", server)
      const { value } = yield* model.generateObject({ prompt: "Who?", schema: Person, objectName: "person" })
      assert.deepStrictEqual(value, { name: "Ada" })
      const { json_schema } = server.body(0).response_format
      assert.deepInclude(json_schema, { name: "person", strict: true })
      assert.deepStrictEqual(json_schema.schema, OpenAiStructuredOutput.toCodecOpenAI(Person).jsonSchema)
      assert.deepStrictEqual(json_schema.schema.required, ["name", "age"])
    }))

  it.effect("asks others with the schema as it is, and takes the text that the provider points at", () =>
    Effect.gen(function*() {
      const { model, asked } = saying(
        [{ type: "text", text: "a draft" }, { type: "text", text: "{\"name\":\"Ada\"}" }],
        { structuredOutputText: "{\"name\":\"Ada\"}" }
      )
      const language = yield* AiSdk.make(model)
      const { value } = yield* language.generateObject({ prompt: "Who?", schema: Person, objectName: "person" })
      assert.deepStrictEqual(value, { name: "Ada" })
      const format = asked[0]?.responseFormat
      assert.deepInclude(format, { type: "json", name: "person" })
      if (format?.type === "json") assert.deepStrictEqual(format.schema?.required, ["name"])
    }))

  it.effect("fails with a typed error where the answer does not fit", () =>
    Effect.gen(function*() {
      const language = yield* AiSdk.make(saying([{ type: "text", text: "{\"name\":1}" }]).model)
      const { reason } = yield* Effect.flip(language.generateObject({ prompt: "Who?", schema: Person }))
      assert.strictEqual(reason._tag, "StructuredOutputError")
    }))
})

// ===== settings ==============================================================

describe("settings", () => {
  it.effect("are the model's own, and those of one request win", () =>
    Effect.gen(function*() {
      const made = {
        temperature: 0.5,
        maxOutputTokens: 100,
        headers: { "x-a": "1", "x-b": "1" },
        providerOptions: { openai: { user: "u" } }
      }
      const { prompt: _, ...own } = yield* askedFor("Hi", {}, made)
      assert.deepStrictEqual(own, made)
      const { prompt: __, ...changed } = yield* askedFor("Hi", {}, made).pipe(
        Effect.provideService(AiSdk.RequestSettings, {
          temperature: 0,
          seed: 7,
          headers: { "x-b": "2" },
          providerOptions: { anthropic: { a: 1 } }
        })
      )
      assert.deepStrictEqual(changed, {
        temperature: 0,
        maxOutputTokens: 100,
        seed: 7,
        headers: { "x-a": "1", "x-b": "2" },
        providerOptions: { openai: { user: "u" }, anthropic: { a: 1 } }
      })
    }))
})
