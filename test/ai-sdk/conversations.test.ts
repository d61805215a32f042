/** Agents that talk with recorded models, from the first message to the last: what is asked next holds what was said. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Agent, AgentRunner, SessionStore, Tool, Toolkit } from "tenon"
import { layerAt } from "./providers.ts"
import { conversation, type Exchange, json, serve } from "./server.ts"

const bodies = (exchanges: ReadonlyArray<Exchange>) =>
  exchanges.map(({ response, status }) => json(response, status.code))

const textOf = (result: AgentRunner.AgentResult): string => result._tag === "Completed" ? result.text : result._tag

describe("AgentRunner.run with a recorded model", () => {
  it.effect("gives Anthropic the results of parallel calls back, by id and in order", () =>
    Effect.gen(function*() {
      const exchanges = conversation("anthropic/multi-parallel.conversation.json")
      const [first, second] = exchanges.map(({ request }) => request)
      const told: ReadonlyArray<{ readonly content: string }> = second.messages[2].content
      const facts = new Map([["Alice", 0], ["Bob", 1], ["Charlie", 2], ["Daisy", 3]])

      const Retrieve = Tool.make("retrieve_entity_info", {
        description: "Get the knowledge about the given entity.",
        parameters: Schema.Struct({ name: Schema.String }),
        success: Schema.String
      })
      const kit = Toolkit.make(Retrieve)
      const Family = Agent.make("family", { instructions: first.system, toolkit: kit })

      const server = yield* serve(...bodies(exchanges))
      const result = yield* AgentRunner.run(Family, { session: "s", input: first.messages[0].content[0].text }).pipe(
        Effect.provide([
          Toolkit.layer(kit, {
            retrieve_entity_info: ({ name }) => Effect.succeed(told[facts.get(name) ?? -1]?.content ?? "unknown")
          }),
          layerAt("anthropic", server, { maxOutputTokens: 4096 }),
          SessionStore.layerMemory
        ])
      )

      assert.strictEqual(server.asked.length, 2)
      assert.strictEqual(server.asked[0]?.path, "/messages")
      assert.strictEqual(server.body(0).system[0].text, first.system)
      const [user, assistant, results] = server.body(1).messages
      assert.deepStrictEqual([user, assistant], [second.messages[0], second.messages[1]])
      assert.deepStrictEqual(
        results.content.map(({ tool_use_id, content }: any) => [tool_use_id, content]),
        second.messages[2].content.map(({ tool_use_id, content }: any) => [tool_use_id, content])
      )
      assert.strictEqual(textOf(result), exchanges[1]?.response.content[0].text)
      assert.deepStrictEqual([result.usage.inputTokens, result.usage.outputTokens], [423 + 771, 202 + 77])
    }))

  it.effect("gives a call an id where the server left it out, and its result the same", () =>
    Effect.gen(function*() {
      const exchanges = conversation("openai-chat/calls-without-id.conversation.json")
      const Now = Tool.make("get_current_time", { description: "Get the current time.", success: Schema.String })
      const kit = Toolkit.make(Now)
      const Clock = Agent.make("clock", { instructions: "", toolkit: kit })

      for (const provider of ["openai chat", "openai-compatible"] as const) {
        const server = yield* serve(...bodies(exchanges))
        const result = yield* AgentRunner.run(Clock, { session: "s", input: "What is the current time?" }).pipe(
          Effect.provide([
            Toolkit.layer(kit, { get_current_time: () => Effect.succeed("Noon") }),
            layerAt(provider, server),
            SessionStore.layerMemory
          ])
        )
        assert.strictEqual(textOf(result), "The current time is Noon.")
        assert.deepInclude(server.body(0).tools[0].function, {
          name: "get_current_time",
          description: "Get the current time.",
          parameters: { type: "object", properties: {}, additionalProperties: false }
        })
        const [user, assistant, answered] = server.body(1).messages
        assert.deepStrictEqual(user, { role: "user", content: "What is the current time?" })
        const [call] = assistant.tool_calls
        assert.deepStrictEqual(call.function, { name: "get_current_time", arguments: "{}" })
        assert.match(call.id, /\S/)
        assert.deepStrictEqual(answered, { role: "tool", tool_call_id: call.id, content: "Noon" })
      }
    }))

  it.effect("goes on with another provider's model in the same session", () =>
    Effect.gen(function*() {
      const exchanges = conversation("openai-chat/multi-agent-calls.conversation.json")
      const capitals: Readonly<Record<string, string>> = { France: "Paris", England: "London" }
      const Capital = Tool.make("get_capital", {
        description: "Get the capital of a country.",
        parameters: Schema.Struct({ country: Schema.String.annotate({ description: "The country name." }) }),
        success: Schema.String
      })
      const kit = Toolkit.make(Capital)
      const Geographer = Agent.make("geographer", { instructions: "", toolkit: kit })
      const given = Layer.mergeAll(
        Toolkit.layer(kit, { get_capital: ({ country }) => Effect.succeed(capitals[country] ?? "unknown") }),
        SessionStore.layerMemory
      )

      yield* Effect.gen(function*() {
        const google = yield* serve(...bodies(exchanges.slice(0, 2)))
        yield* AgentRunner.run(Geographer, { session: "s", input: "What is the capital of France?" }).pipe(
          Effect.provide(layerAt("google", google))
        )
        const [, called, answered] = google.body(1).contents
        const { functionCall } = called.parts[0]
        assert.deepInclude(functionCall, exchanges[1]?.request.contents[1].parts[0].functionCall)
        assert.deepInclude(answered.parts[0].functionResponse, { name: "get_capital", id: functionCall.id })
        assert.include(JSON.stringify(answered.parts[0].functionResponse.response), "Paris")

        const openai = yield* serve(...bodies(exchanges.slice(2)))
        const result = yield* AgentRunner.run(Geographer, { session: "s", input: "What is the capital of England?" })
          .pipe(Effect.provide(layerAt("openai chat", openai)))
        assert.strictEqual(textOf(result), "The capital of England is London.")
        const { messages } = openai.body(1)
        const id = messages[1].tool_calls[0].id
        assert.match(id, /\S/)
        const recordedId = exchanges[3]?.request.messages[1].tool_calls[0].id
        const expected = JSON.parse(JSON.stringify(exchanges[3]?.request.messages).replaceAll(recordedId, id))
        assert.deepStrictEqual(
          messages.map(({ content, ...rest }: any) => ({ ...rest, ...(content && { content }) })),
          expected
        )
      }).pipe(Effect.provide(given))
    }))
})
