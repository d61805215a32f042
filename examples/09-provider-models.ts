/**
 * 09 · A provider's model
 *
 * Every model that has a provider package of the AI SDK is a Layer away: OpenAI, Anthropic, Google, and with
 * `@ai-sdk/openai-compatible` also servers of your own, such as Ollama or llama.cpp. What models get wrong is answered
 * in the loop; what goes wrong with a provider is a typed failure, and the session can go on after it.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Duration, Effect, Layer, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, AgentRunner, SessionStore, Tool, Toolkit } from "tenon"
import { AiSdk } from "tenon/ai-sdk"

// ----- a server's part, played by a function so that nothing leaves this machine --------

const answer = (message: object, finish_reason: string) => () =>
  Response.json({
    choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  })
const add = (text: string) =>
  answer({ tool_calls: [{ id: "call_0", type: "function", function: { name: "add", arguments: text } }] }, "tool_calls")

const script = [
  add("{\"a\": 19, \"b\": "), // the model breaks off, and gives both of its calls one id
  add("{\"a\": 19, \"b\": 23}"),
  answer({ content: "That makes 42." }, "stop"),
  () => Response.json({ error: { message: "slow down" } }, { status: 429, headers: { "retry-after": "2" } }),
  answer({ content: "You are welcome." }, "stop")
]
const requests: Array<{ readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }> }> = []
const server = (_url: unknown, request?: { readonly body?: unknown }): Promise<Response> => {
  requests.push(JSON.parse(String(request?.body)))
  return Promise.resolve(script.shift()?.() ?? Response.error())
}

// ----- the model ------------------------------------------------------------------------

// `openai("gpt-5-mini")` of @ai-sdk/openai, or `anthropic("claude-haiku-4-5")`, would stand here as well
const local = createOpenAICompatible({ name: "local", baseURL: "http://127.0.0.1:11434/v1", fetch: server })
const Model = AiSdk.layer(local("llama"), { temperature: 0 })

// ----- the agent, which knows nothing of all this ---------------------------------------

const Add = Tool.make("add", {
  parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
  success: Schema.Int
})
const Kit = Toolkit.make(Add)
const Calculator = Agent.make("calculator", { instructions: "You are good at sums.", toolkit: Kit })
const Live = Layer.mergeAll(
  Toolkit.layer(Kit, { add: ({ a, b }) => Effect.succeed(a + b) }),
  Model,
  SessionStore.layerMemory
)

const say = (input: string) => AgentRunner.run(Calculator, { session: "s-1", input })

const program = Effect.gen(function*() {
  const sum = yield* say("What is 19 + 23?")
  const refused = yield* say("Thank you!").pipe(
    Effect.as(undefined),
    Effect.catchReason("AgentError", "ModelFailed", ({ error }) => Effect.succeed(error))
  )
  const thanks = yield* say("Thank you!")
  return { sum, refused, thanks }
}).pipe(Effect.provide(Live))

const { sum, refused, thanks } = await Effect.runPromise(program)

assert(sum._tag === "Completed" && thanks._tag === "Completed")
assert.equal(sum.text, "That makes 42.")
assert.equal(sum.usage.inputTokens, 300)
console.log("calculator:", sum.text)

// the call that was no JSON got an error as its result, and the model did better
const results = requests[2]?.messages.flatMap(({ role, content }) => role === "tool" ? [content] : [])
assert.match(String(results?.[0]), /InvalidArguments/)
assert.equal(results?.[1], "42")
console.log("the model was told:", results)

// nothing was asked twice behind our back: when to try again is the program's to say
assert.equal(refused?.reason._tag, "RateLimitError")
assert.equal(refused.isRetryable, true)
assert.deepEqual(refused.retryAfter, Duration.seconds(2))
assert.equal(requests.length, 5)
console.log("then:", refused.message)
console.log("calculator:", thanks.text)
