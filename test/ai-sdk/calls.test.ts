/** Calls as models write them: without ids, twice with one, without arguments, with arguments that are no JSON. */
import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import { Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Session, SessionStore, Tool, Toolkit } from "tenon"
import { AiSdk } from "tenon/ai-sdk"
import { end, saying } from "./model.ts"
import { asked, layerAt, type Provider } from "./providers.ts"
import { events, json, serve } from "./server.ts"

const call = (toolCallId: string, input = "{}", toolName = "weather"): LanguageModelV4ToolCall => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input
})

/** A call as a stream has it, in pieces. */
const pieces = (
  { toolCallId: id, toolName, input }: LanguageModelV4ToolCall
): ReadonlyArray<LanguageModelV4StreamPart> => [
  { type: "tool-input-start", id, toolName },
  { type: "tool-input-delta", id, delta: input },
  { type: "tool-input-end", id },
  call(id, input, toolName)
]

const callsOf = (calls: ReadonlyArray<LanguageModelV4ToolCall>) =>
  Effect.gen(function*() {
    const model = yield* AiSdk.make(saying(calls).model)
    const { content } = yield* model.generateText(asked)
    return content.flatMap((part) => part.type === "tool-call" ? [part] : [])
  })

describe("ids of calls", () => {
  it.effect("stay as they are, and are one a call", () =>
    Effect.gen(function*() {
      const ids = (yield* callsOf(["a", "", "a", "b", ""].map((id) => call(id)))).map(({ id }) => id)
      assert.deepStrictEqual([ids[0], ids[3]], ["a", "b"])
      assert.strictEqual(new Set(ids).size, 5)
      assert.isFalse(ids.includes(""))
    }))

  it.effect("are the same in the pieces of a call and in the call", () =>
    Effect.gen(function*() {
      const chunks = ["a", "", "a"].flatMap((id) => pieces(call(id)))
      const model = yield* AiSdk.make(saying([], { chunks: [...chunks, end] }).model)
      const parts = yield* Stream.runCollect(model.streamText(asked))
      const ids = parts.flatMap((part) => "id" in part && part.type !== "response-metadata" ? [part.id] : [])
      assert.strictEqual(ids.length, 12)
      for (const first of [0, 4, 8]) assert.strictEqual(new Set(ids.slice(first, first + 4)).size, 1)
      assert.strictEqual(new Set(ids).size, 3)
      assert.strictEqual(ids[0], "a")
    }))
})

describe("arguments", () => {
  it.effect("may be left out, and need not be JSON", () =>
    Effect.gen(function*() {
      const inputs = ["", "  ", "null", "{\"location\":\"here\"}", "{\"location\":", "{\"__proto__\":{}}"]
      const calls = yield* callsOf(inputs.map((input, index) => call(`c${index}`, input)))
      assert.deepStrictEqual(calls.map(({ params }) => params), [
        {},
        {},
        {},
        { location: "here" },
        "{\"location\":",
        "{\"__proto__\":{}}"
      ])
    }))
})

// ===== in the loop ===========================================================

const Weather = Tool.make("weather", { parameters: Schema.Struct({ location: Schema.String }), success: Schema.String })
const kit = Toolkit.make(Weather)
const Forecaster = Agent.make("forecaster", { instructions: "Tell the weather.", toolkit: kit })
const given = Layer.merge(
  Toolkit.layer(kit, { weather: ({ location }) => Effect.succeed(`sun in ${location}`) }),
  SessionStore.layerMemory
)

const said = (message: object, reason: string) => ({
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: reason }]
})
const usage = { input_tokens: 1, output_tokens: 1 }
const claude = (content: ReadonlyArray<object>, stop_reason: string) => ({
  type: "message",
  id: "m",
  model: "claude",
  role: "assistant",
  content,
  stop_reason,
  usage
})
const gemini = (parts: ReadonlyArray<object>) => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }]
})

describe("a run", () => {
  it.effect("answers calls that cannot run with errors, and goes on", () =>
    Effect.gen(function*() {
      const tool_calls = [
        { id: "a", type: "function", function: { name: "weather", arguments: "{\"location\":" } },
        { id: "b", type: "function", function: { name: "no_such_tool", arguments: "{}" } },
        { id: "c", type: "function", function: { name: "weather", arguments: "{\"location\":\"Rome\"}" } }
      ]
      for (const provider of ["openai chat", "openai-compatible"] satisfies ReadonlyArray<Provider>) {
        const server = yield* serve(
          json(said({ content: null, tool_calls }, "tool_calls")),
          json(said({ content: "Sun." }, "stop"))
        )
        const result = yield* AgentRunner.run(Forecaster, { session: "s", input: "How is it?" }).pipe(
          Effect.provide([given, layerAt(provider, server)])
        )
        assert.deepInclude(result, { _tag: "Completed", text: "Sun." })
        const [, , assistant, ...results] = server.body(1).messages
        assert.deepStrictEqual(assistant.tool_calls.map(({ id }: any) => id), ["a", "b", "c"])
        assert.deepStrictEqual(JSON.parse(assistant.tool_calls[0].function.arguments), {
          malformedArguments: "{\"location\":"
        })
        assert.deepStrictEqual(results.map(({ tool_call_id }: any) => tool_call_id), ["a", "b", "c"])
        assert.include(results[0].content, "InvalidArguments")
        assert.include(results[1].content, "ToolNotFound")
        assert.strictEqual(results[2].content, "sun in Rome")
      }
    }))

  it.effect("gives a provider back what it signed", () =>
    Effect.gen(function*() {
      // Anthropic's reasoning, also in a later run, from what a store keeps
      const thinking = { type: "thinking", thinking: "Rome, then.", signature: "sig-1" }
      const use = { type: "tool_use", id: "toolu_1", name: "weather", input: { location: "Rome" } }
      const answer = json(claude([{ type: "text", text: "Sun." }], "end_turn"))
      const server = yield* serve(json(claude([thinking, use], "tool_use")), answer)
      const model = layerAt("anthropic", server)
      const first = yield* AgentRunner.run(Forecaster, { session: "s", input: "Rome?" }).pipe(
        Effect.provide([given, model])
      )
      const written = JSON.parse(JSON.stringify(Session.encode(first.session.events)))
      const events = yield* Effect.fromResult(Session.decode(written))
      const store = SessionStore.layerMemoryWith([{ ref: first.session.ref, events }])
      yield* AgentRunner.run(Forecaster, { session: "s", input: "And now?" }).pipe(
        Effect.provide([given, model, store])
      )
      for (const index of [1, 2]) assert.deepStrictEqual(server.body(index).messages[1].content, [thinking, use])

      // Google's signature of a call
      const part = { functionCall: { name: "weather", args: { location: "Rome" } }, thoughtSignature: "sig-2" }
      const google = yield* serve(json(gemini([part])), json(gemini([{ text: "Sun." }])))
      yield* AgentRunner.run(Forecaster, { session: "s", input: "Rome?" }).pipe(
        Effect.provide([given, layerAt("google", google)])
      )
      assert.strictEqual(google.body(1).contents[1].parts[0].thoughtSignature, "sig-2")
    }))

  it.effect("gives OpenAI back the id of its reasoning, also in chunks", () =>
    Effect.gen(function*() {
      const response = (output: ReadonlyArray<object>) => ({
        id: "r",
        object: "response",
        created_at: 1,
        model: "gpt",
        status: "completed",
        output,
        usage: { input_tokens: 1, output_tokens: 1 }
      })
      const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Rome." }] }
      const item = {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "weather",
        arguments: "{\"location\":\"Rome\"}",
        status: "completed"
      }
      const message = {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Sun.", annotations: [] }]
      }
      const whole = yield* serve(json(response([reasoning, item])), json(response([message])))
      const chunk = (type: string, rest: object) => JSON.stringify({ type, ...rest })
      const streamed = yield* serve(
        events(
          chunk("response.created", { response: response([]) }),
          chunk("response.output_item.added", {
            output_index: 0,
            item: { type: "reasoning", id: "rs_1", summary: [] }
          }),
          chunk("response.reasoning_summary_part.added", { item_id: "rs_1", output_index: 0, summary_index: 0 }),
          chunk("response.reasoning_summary_text.delta", {
            item_id: "rs_1",
            output_index: 0,
            summary_index: 0,
            delta: "Rome."
          }),
          chunk("response.output_item.done", { output_index: 0, item: reasoning }),
          chunk("response.output_item.added", {
            output_index: 1,
            item: { ...item, arguments: "", status: "in_progress" }
          }),
          chunk("response.function_call_arguments.delta", { item_id: "fc_1", output_index: 1, delta: item.arguments }),
          chunk("response.output_item.done", { output_index: 1, item }),
          chunk("response.completed", { response: response([]) })
        ),
        events(
          chunk("response.created", { response: response([]) }),
          chunk("response.output_item.added", { output_index: 0, item: { ...message, content: [] } }),
          chunk("response.output_text.delta", { item_id: "msg_1", output_index: 0, content_index: 0, delta: "Sun." }),
          chunk("response.output_item.done", { output_index: 0, item: message }),
          chunk("response.completed", { response: response([]) })
        )
      )
      const options = { session: "s", input: "Rome?" }
      yield* AgentRunner.run(Forecaster, options).pipe(Effect.provide([given, layerAt("openai responses", whole)]))
      yield* Stream.runDrain(AgentRunner.stream(Forecaster, options)).pipe(
        Effect.provide([given, layerAt("openai responses", streamed)])
      )
      for (const server of [whole, streamed]) {
        assert.deepStrictEqual(server.body(1).input.slice(-3), [
          { type: "item_reference", id: "rs_1" },
          // the package sends calls of ours in full, not by their item's id
          { type: "function_call", call_id: "call_1", name: "weather", arguments: item.arguments },
          { type: "function_call_output", call_id: "call_1", output: "sun in Rome" }
        ])
      }
    }))
})

describe("a run of an agent with tools that the provider runs", () => {
  it.effect("has their results without handlers, with the settings of its caller", () =>
    Effect.gen(function*() {
      const Search = AiSdk.providerTool("search", { id: "test.search", args: {} })
      const Finder = Agent.make("finder", { instructions: "Find.", toolkit: Toolkit.make(Search) })
      const { model, asked } = saying([
        { type: "tool-call", toolCallId: "w1", toolName: "search", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "w1", toolName: "search", result: ["a"] },
        { type: "tool-call", toolCallId: "w2", toolName: "far.away", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "w2", toolName: "far.away", result: ["b"] },
        { type: "text", text: "Found." }
      ])
      const say = (input: string) => AgentRunner.run(Finder, { session: "s", input })
      const result = yield* Effect.andThen(say("Where?"), say("Sure?")).pipe(
        Effect.provide([AiSdk.layer(model), SessionStore.layerMemory]),
        Effect.provideService(AiSdk.RequestSettings, { temperature: 0 })
      )
      assert.deepInclude(result, { _tag: "Completed", text: "Found." })
      assert.deepStrictEqual(asked.map(({ temperature }) => temperature), [0, 0])
      const [, , assistant] = asked[1]?.prompt ?? []
      assert.deepStrictEqual(
        assistant?.role === "assistant" ? assistant.content.map((part) => [part.type, part.type === "tool-call"]) : [],
        [["tool-call", true], ["tool-result", false], ["tool-call", true], ["tool-result", false], ["text", false]]
      )
    }))
})

describe("with strict validation", () => {
  it.effect("a call of no known tool fails as effect/ai says", () =>
    Effect.gen(function*() {
      const model = yield* AiSdk.make(saying([call("a", "{}", "no_such_tool")]).model)
      const { reason } = yield* Effect.flip(
        model.generateText({ prompt: "Hi", toolkit: AiToolkit.make(Weather), disableToolCallResolution: true })
      )
      assert.deepInclude(reason, { _tag: "ToolNotFoundError", toolName: "no_such_tool" })
    }))
})
