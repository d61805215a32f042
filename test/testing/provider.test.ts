/** A provider that is asked once: its package, its recorded answers on a loopback port, and then nobody there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, Stream } from "effect"
import { Agent, AgentRunner, SessionStore, Tool, Toolkit } from "tenon"
import { Recording } from "tenon/testing"
import { apiKey, layerAt } from "../ai-sdk/providers.ts"
import { conversation, events, json, recordedEvents, serve } from "../ai-sdk/server.ts"

const Now = Tool.make("get_current_time", { description: "Get the current time.", success: Schema.String })
const kit = Toolkit.make(Now)
const Clock = Agent.make("clock", { instructions: `The key is ${apiKey}.`, toolkit: kit })

const run = AgentRunner.run(Clock, { session: "s", input: "What is the current time?" }).pipe(
  Effect.provide([Toolkit.layer(kit, { get_current_time: () => Effect.succeed("Noon") }), SessionStore.layerMemory])
)
const options = { redact: [Redacted.make(apiKey)] }

describe("Recording of a provider's model", () => {
  it.effect("is made once, holds no key, and answers with the network gone", () =>
    Effect.gen(function*() {
      const first = yield* Effect.scoped(Effect.gen(function*() {
        const exchanges = conversation("openai-chat/calls-without-id.conversation.json")
        const server = yield* serve(...exchanges.map(({ response, status }) => json(response, status.code)))
        const recorded = yield* Effect.gen(function*() {
          const result = yield* run
          return { result, text: Recording.encode(yield* Recording.document) }
        }).pipe(Effect.provide(
          Recording.model(layerAt("openai chat", server)).pipe(Layer.provideMerge(Recording.layerRecord(options)))
        ))
        assert.strictEqual(server.asked.length, 2)
        assert.include(server.asked[0]?.headers.authorization, apiKey)
        return { ...recorded, server }
      }))
      assert.notInclude(first.text, apiKey)

      const again = yield* Effect.tap(run, Recording.assertComplete).pipe(Effect.provide(
        Recording.model(layerAt("openai chat", first.server)).pipe(
          Layer.provideMerge(Recording.layerReplay(yield* Recording.decode(first.text), options))
        )
      ))
      assert.deepStrictEqual(JSON.stringify(again), JSON.stringify(first.result))
      assert.strictEqual(first.server.asked.length, 2)
    }))

  it.effect("keeps a stream as it came, chunk by chunk", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("updateIssueList", { success: Schema.String }))
      const Tracker = Agent.make("tracker", { instructions: `The key is ${apiKey}.`, toolkit: tools })
      const streamed = Stream.runCollect(AgentRunner.stream(Tracker, { session: "s", input: "Update the list." })).pipe(
        Effect.provide([
          Toolkit.layer(tools, { updateIssueList: () => Effect.succeed("Done") }),
          SessionStore.layerMemory
        ])
      )
      const asks = recordedEvents("anthropic/anthropic-tool-no-args.chunks.txt")
      const says = asks.filter((line) => !line.includes(`"index":1`)).map((line) =>
        line.replace("tool_use", "end_turn")
      )
      const first = yield* Effect.scoped(Effect.gen(function*() {
        const server = yield* serve(events(...asks), events(...says))
        const recorded = yield* Effect.gen(function*() {
          const chunks = yield* streamed
          return { chunks, text: Recording.encode(yield* Recording.document) }
        }).pipe(Effect.provide(
          Recording.model(layerAt("anthropic", server)).pipe(Layer.provideMerge(Recording.layerRecord(options)))
        ))
        assert.strictEqual(server.asked.length, 2)
        return { ...recorded, server }
      }))
      const deltas = first.chunks.flatMap((chunk) =>
        chunk._tag === "Part" && chunk.part.type === "text-delta" ? [chunk.part.delta] : []
      )
      assert.deepStrictEqual(deltas.slice(0, 2), ["I'll update the issue list for", " you."])
      assert.notInclude(first.text, apiKey)

      const again = yield* Effect.tap(streamed, Recording.assertComplete).pipe(Effect.provide(
        Recording.model(layerAt("anthropic", first.server)).pipe(
          Layer.provideMerge(Recording.layerReplay(yield* Recording.decode(first.text), options))
        )
      ))
      assert.strictEqual(JSON.stringify(again), JSON.stringify(first.chunks))
    }))
})
