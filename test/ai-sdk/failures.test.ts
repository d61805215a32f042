/** What goes wrong with a provider is a typed failure, told without secrets, and asked for once. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Schema, Stream } from "effect"
import { AiError } from "effect/ai"
import { AiSdk } from "tenon/ai-sdk"
import { saying } from "./model.ts"
import { apiKey, asked, modelAt, type Provider, providers } from "./providers.ts"
import { broken, events, json, recordedEvents, type Reply, serve } from "./server.ts"

const toJson = Schema.encodeUnknownEffect(Schema.toCodecJson(AiError.AiError))

/** Asks once, whole or in chunks; gives the failure, and checks what holds of every one. */
const failure = (provider: Provider, reply: Reply, how: "whole" | "chunks") =>
  Effect.gen(function*() {
    const server = yield* serve(reply)
    const model = yield* modelAt(provider, server)
    const error = yield* Effect.flip<unknown, AiError.AiError, never>(
      how === "whole" ? model.generateText(asked) : Stream.runDrain(model.streamText(asked))
    )
    assert.strictEqual(error._tag, "AiError")
    assert.strictEqual(server.asked.length, 1, "a failed request was repeated")
    assert.notInclude(`${error.message} ${JSON.stringify(yield* toJson(error))} ${String(error)}`, apiKey)
    return error.reason
  })

/** Both ways, which must say the same. */
const failures = (provider: Provider, reply: Reply) =>
  Effect.gen(function*() {
    const one = yield* failure(provider, reply, "whole")
    const other = yield* failure(provider, reply, "chunks")
    assert.strictEqual(one._tag, other._tag)
    return one
  })

/** The body of an error as each API writes it; it repeats the key, as some do. */
const errorBody = (provider: Provider, type: string, status: string, code: number) => {
  const message = `no: ${apiKey}, Authorization: Bearer ${apiKey}`
  if (provider === "anthropic") return { type: "error", error: { type, message } }
  if (provider === "google") return { error: { code, message, status } }
  return { error: { message, type, code: null, param: null } }
}

describe.each(providers)("a failed request to %s", (provider) => {
  it.effect("is a rate limit, with the time to wait", () =>
    Effect.gen(function*() {
      const body = errorBody(provider, "rate_limit_error", "RESOURCE_EXHAUSTED", 429)
      const reason = yield* failures(provider, json(body, 429, { "retry-after": "7" }))
      assert.strictEqual(reason._tag, "RateLimitError")
      if (reason._tag === "RateLimitError") assert.deepStrictEqual(reason.retryAfter, Duration.seconds(7))
      assert.isTrue(reason.isRetryable)
    }))

  it.effect("is a matter of authentication", () =>
    Effect.gen(function*() {
      const body = errorBody(provider, "authentication_error", "UNAUTHENTICATED", 401)
      const reason = yield* failures(provider, json(body, 401))
      assert.deepInclude(reason, { _tag: "AuthenticationError", kind: "InvalidKey" })
      assert.isFalse(reason.isRetryable)
      const forbidden = errorBody(provider, "permission_error", "PERMISSION_DENIED", 403)
      assert.deepInclude(yield* failures(provider, json(forbidden, 403)), { kind: "InsufficientPermissions" })
    }))

  it.effect("is the provider's own, to be tried again", () =>
    Effect.gen(function*() {
      for (const status of [500, 503, 529]) {
        const reason = yield* failures(provider, json(errorBody(provider, "api_error", "INTERNAL", status), status))
        assert.strictEqual(reason._tag, "InternalProviderError")
        assert.isTrue(reason.isRetryable)
      }
      const reason = yield* failures(provider, (response) => {
        response.writeHead(502, { "content-type": "text/html" }).end("<html>bad gateway</html>")
      })
      assert.strictEqual(reason._tag, "InternalProviderError")
    }))

  it.effect("is an invalid request, not to be tried again", () =>
    Effect.gen(function*() {
      for (const status of [400, 404, 413, 422]) {
        const body = errorBody(provider, "invalid_request_error", "INVALID_ARGUMENT", status)
        const reason = yield* failures(provider, json(body, status))
        assert.strictEqual(reason._tag, "InvalidRequestError")
        assert.isFalse(reason.isRetryable)
      }
    }))

  it.effect("is the network's, where nothing listens", () =>
    Effect.gen(function*() {
      const url = yield* Effect.scoped(Effect.map(serve(), ({ url }) => url))
      const model = yield* modelAt(provider, { url })
      for (const each of [model.generateText(asked), Stream.runDrain(model.streamText(asked))]) {
        const { reason } = yield* Effect.flip<unknown, AiError.AiError, never>(each)
        assert.deepInclude(reason, { _tag: "NetworkError", reason: "TransportError" })
        assert.isTrue(reason.isRetryable)
        if (reason._tag === "NetworkError") assert.include(reason.url, url)
      }
    }))

  it.effect("is the network's, where the body stops before its end", () =>
    Effect.gen(function*() {
      const reason = yield* failure(provider, (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
        response.write("{\"a\":", () => response.socket?.destroy())
      }, "whole")
      assert.strictEqual(reason._tag, "NetworkError")
    }))

  it.effect("is an output that is no JSON, or a response of no known form", () =>
    Effect.gen(function*() {
      const garbled = yield* failure(provider, (response) => {
        response.writeHead(200, { "content-type": "application/json" }).end("{\"a\": tru")
      }, "whole")
      assert.strictEqual(garbled._tag, "InvalidOutputError")
      const strange = yield* failure(provider, json([1, 2]), "whole")
      assert.strictEqual(strange._tag, "InvalidResponseError")
    }))
})

// ===== in mid-stream =========================================================

const begun: Readonly<Record<Provider, ReadonlyArray<string>>> = {
  "openai chat": recordedEvents("openai-chat/deepseek-tool-call.chunks.txt").slice(0, 12),
  "openai-compatible": recordedEvents("openai-chat/deepseek-tool-call.chunks.txt").slice(0, 12),
  "openai responses": recordedEvents("openai-responses/lmstudio-tool-call.1.chunks.txt").slice(0, 12),
  anthropic: recordedEvents("anthropic/anthropic-tool-no-args.chunks.txt").slice(0, 4),
  google: recordedEvents("google/google-stream-no-args-tool-call.chunks.txt").slice(0, 1)
}

const errorEvents: Readonly<Record<Provider, string>> = {
  "openai chat": JSON.stringify({ error: { message: `busy ${apiKey}`, type: "server_error", code: null } }),
  "openai-compatible": JSON.stringify({ error: { message: `busy ${apiKey}`, type: "server_error", code: null } }),
  "openai responses": JSON.stringify({
    type: "error",
    sequence_number: 9,
    error: { type: "server_error", code: "server_error", message: `busy ${apiKey}`, param: null }
  }),
  anthropic: JSON.stringify({ type: "error", error: { type: "overloaded_error", message: `busy ${apiKey}` } }),
  google: JSON.stringify({ error: { code: 503, message: `busy ${apiKey}`, status: "UNAVAILABLE" } })
}

describe.each(providers)("a stream of %s", (provider) => {
  it.effect("fails with an event that tells of an error", () =>
    Effect.gen(function*() {
      const reason = yield* failure(provider, events(...begun[provider], errorEvents[provider]), "chunks")
      assert.strictEqual(reason._tag, "InternalProviderError")
      assert.isTrue(reason.isRetryable)
    }))

  it.effect("fails with an event that is no JSON", () =>
    Effect.gen(function*() {
      const reason = yield* failure(provider, events(...begun[provider], "{\"half"), "chunks")
      assert.strictEqual(reason._tag, "InvalidOutputError")
    }))

  it.effect("fails when the connection is cut, and when it ends before the answer", () =>
    Effect.gen(function*() {
      for (const reply of [broken, events]) {
        const reason = yield* failure(provider, reply(...begun[provider]), "chunks")
        assert.deepInclude(reason, { _tag: "NetworkError", reason: "TransportError" })
        assert.isTrue(reason.isRetryable)
      }
    }))
})

describe("a recorded stream", () => {
  it.effect("that says the quota is used up fails for good", () =>
    Effect.gen(function*() {
      const reply = events(...recordedEvents("openai-responses/openai-error.1.chunks.txt"))
      const reason = yield* failure("openai responses", reply, "chunks")
      assert.strictEqual(reason._tag, "QuotaExhaustedError")
      assert.isFalse(reason.isRetryable)
    }))

  it.effect("of which some events are no JSON fails", () =>
    Effect.gen(function*() {
      const reply = events(...recordedEvents("openai-responses/parallel-tool-call-wrapper.1.chunks.txt"))
      assert.strictEqual((yield* failure("openai responses", reply, "chunks"))._tag, "InvalidOutputError")
    }))
})

// ===== further kinds =========================================================

const openAiError = (type: string, code: string, message = "no") => ({ error: { message, type, code, param: null } })

describe("an error", () => {
  it.effect("of a policy or a quota is told by the provider's word for it", () =>
    Effect.gen(function*() {
      const policy = yield* failures(
        "openai chat",
        json(openAiError("invalid_request_error", "content_policy_violation"), 400)
      )
      assert.strictEqual(policy._tag, "ContentPolicyError")
      const quota = yield* failures("openai chat", json(openAiError("insufficient_quota", "insufficient_quota"), 429))
      assert.strictEqual(quota._tag, "QuotaExhaustedError")
      const credit = {
        type: "error",
        error: { type: "invalid_request_error", message: "Your credit balance is too low." }
      }
      assert.strictEqual((yield* failures("anthropic", json(credit, 400)))._tag, "QuotaExhaustedError")
      const key = {
        error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" }
      }
      assert.strictEqual((yield* failures("google", json(key, 400)))._tag, "AuthenticationError")
    }))

  it.effect("says how long to wait in each of the usual ways", () =>
    Effect.gen(function*() {
      const waits = (
        headers: Readonly<Record<string, string>>,
        body: unknown = openAiError("requests", "rate_limit_exceeded")
      ) =>
        Effect.map(failures("openai-compatible", json(body, 429, headers)), (reason) =>
          reason._tag === "RateLimitError" && reason.retryAfter !== undefined
            ? Duration.toMillis(reason.retryAfter)
            : undefined)
      assert.strictEqual(yield* waits({ "retry-after": "1.5" }), 1500)
      assert.strictEqual(yield* waits({ "retry-after-ms": "250", "retry-after": "1" }), 250)
      // the test's clock is at the epoch
      assert.strictEqual(yield* waits({ "retry-after": new Date(9000).toUTCString() }), 9000)
      assert.strictEqual(yield* waits({}), undefined)
      const google = {
        error: {
          code: 429,
          message: "slow down",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" }]
        }
      }
      assert.strictEqual(yield* waits({}, google), 17_000)
    }))

  it.effect("of a kind that nobody knows is unknown, and no matter of the network", () =>
    Effect.gen(function*() {
      const error = { type: "error", code: "strange", message: "so" }
      const model = yield* AiSdk.make(saying([], { chunks: [{ type: "error", error }] }).model)
      const { reason } = yield* Effect.flip(Stream.runDrain(model.streamText({ prompt: "Hi" })))
      assert.deepInclude(reason, { _tag: "UnknownError", description: "so" })
    }))

  it.effect("of a schema that a provider cannot have is told before any request", () =>
    Effect.gen(function*() {
      const server = yield* serve()
      const model = yield* modelAt("openai chat", server)
      const schema = Schema.Record(Schema.String, Schema.String)
      const { reason } = yield* Effect.flip(model.generateObject({ prompt: "Hi", schema }))
      assert.strictEqual(reason._tag, "UnsupportedSchemaError")
      assert.strictEqual(server.asked.length, 0)
    }))

  it.effect("of a missing key is told before any request", () =>
    Effect.gen(function*() {
      const model = yield* AiSdk.make({
        specificationVersion: "v4",
        provider: "test",
        modelId: "m",
        supportedUrls: {},
        doGenerate: () => {
          throw Object.assign(new Error("no key: set TEST_API_KEY"), { name: "AI_LoadAPIKeyError" })
        },
        doStream: () => Promise.reject("a text")
      })
      const missing = yield* Effect.flip(model.generateText({ prompt: "Hi" }))
      assert.deepInclude(missing.reason, { _tag: "AuthenticationError", kind: "MissingKey" })
      const strange = yield* Effect.flip(Stream.runDrain(model.streamText({ prompt: "Hi" })))
      assert.deepInclude(strange.reason, { _tag: "UnknownError", description: "a text" })
    }))

  it.effect("repeats no secret of the settings, and no part of an address that may hold one", () =>
    Effect.gen(function*() {
      const secret = "plain words"
      const server = yield* serve((response, { headers }) =>
        json(openAiError("server_error", "x", `${String(headers["x-team-key"])} was refused`), 500)(
          response,
          {} as never
        )
      )
      const provider = createOpenAICompatible({ name: "local", baseURL: server.url })
      const model = yield* AiSdk.make(provider("m"), { headers: { "x-team-key": secret } })
      const { message } = yield* Effect.flip(model.generateText({ prompt: "Hi" }))
      assert.include(message, "[redacted] was refused")
      const gone = createOpenAICompatible({
        name: "local",
        baseURL: "http://user:pass@127.0.0.1:9",
        queryParams: { key: "in-the-query" },
        fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }))
      })
      const { reason } = yield* Effect.flip((yield* AiSdk.make(gone("m"))).generateText({ prompt: "Hi" }))
      assert.deepInclude(reason, { _tag: "NetworkError", url: "http://127.0.0.1:9/chat/completions" })
    }))
})
