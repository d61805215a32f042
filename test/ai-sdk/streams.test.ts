/** Who leaves an answer ends its request, and who reads slowly is not run over. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { Agent, AgentRunner, SessionStore } from "tenon"
import { AiSdk } from "tenon/ai-sdk"
import { asked, layerAt, modelAt, providers } from "./providers.ts"
import { endless, recordedEvents, serve, silence } from "./server.ts"

const beginning = {
  "openai chat": recordedEvents("openai-chat/alibaba-tool-call.chunks.txt").slice(0, 2),
  "openai-compatible": recordedEvents("openai-chat/deepseek-tool-call.chunks.txt").slice(0, 12),
  "openai responses": recordedEvents("openai-responses/lmstudio-tool-call.1.chunks.txt").slice(0, 12),
  anthropic: recordedEvents("anthropic/anthropic-tool-no-args.chunks.txt").slice(0, 4),
  google: recordedEvents("google/google-stream-no-args-tool-call.chunks.txt").slice(0, 1)
} as const

describe.each(providers)("%s", (provider) => {
  it.effect("aborts the request of an answer that nobody waits for", () =>
    Effect.gen(function*() {
      const server = yield* serve(silence)
      const model = yield* modelAt(provider, server)
      const fiber = yield* Effect.forkChild(model.generateText(asked))
      yield* server.came
      yield* Fiber.interrupt(fiber)
      yield* server.left
    }))

  it.effect("aborts the request of a stream that was left, or cancelled before it began", () =>
    Effect.gen(function*() {
      const server = yield* serve(endless(...beginning[provider]))
      const model = yield* modelAt(provider, server)
      const [first] = yield* Stream.runCollect(Stream.take(model.streamText(asked), 1))
      assert.isDefined(first)
      yield* server.left

      const silent = yield* serve(silence)
      const waiting = yield* modelAt(provider, silent)
      const fiber = yield* Effect.forkChild(Stream.runDrain(waiting.streamText(asked)))
      yield* silent.came
      yield* Fiber.interrupt(fiber)
      yield* silent.left
    }))
})

describe("AgentRunner.run", () => {
  it.effect("ends the model's request when it is cancelled, and leaves a session that can go on", () =>
    Effect.gen(function*() {
      const server = yield* serve(
        silence,
        (response) => {
          const message = { role: "assistant", content: "Here." }
          response.writeHead(200, { "content-type": "application/json" }).end(
            JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] })
          )
        }
      )
      const Helper = Agent.make("helper", { instructions: "Help." })
      yield* Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(AgentRunner.run(Helper, { session: "s", input: "Hello?" }))
        yield* server.came
        yield* Fiber.interrupt(fiber)
        yield* server.left
        const result = yield* AgentRunner.run(Helper, { session: "s", input: "Still there?" })
        assert.deepInclude(result, { _tag: "Completed", text: "Here." })
      }).pipe(Effect.provide([layerAt("openai chat", server), SessionStore.layerMemory]))
    }))
})

/** A model that counts the chunks that were taken of it. */
const counting = () => {
  let pulled = 0
  let cancelled = false
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => controller.enqueue({ type: "text-start", id: "t" }),
    pull: (controller) => {
      pulled++
      controller.enqueue({ type: "text-delta", id: "t", delta: "again " })
    },
    cancel: () => {
      cancelled = true
    }
  }, { highWaterMark: 0 })
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "endless",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not asked")),
    doStream: () => Promise.resolve({ stream } as never)
  }
  return { model, pulled: () => pulled, cancelled: () => cancelled }
}

describe("a slow reader", () => {
  it.effect("takes chunks as it needs them, and no others", () =>
    Effect.gen(function*() {
      const source = counting()
      const model = yield* AiSdk.make(source.model)
      const seen: Array<number> = []
      yield* model.streamText({ prompt: "Go on." }).pipe(
        Stream.take(50),
        Stream.runForEach(() =>
          Effect.gen(function*() {
            // whatever runs ahead has every chance to
            for (let turn = 0; turn < 5; turn++) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
            seen.push(source.pulled())
          })
        )
      )
      for (const [index, pulled] of seen.entries()) assert.isAtMost(pulled, index + 1)
      assert.isTrue(source.cancelled())
    }))
})
