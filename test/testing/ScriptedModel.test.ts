import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Response, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, AgentRunner, SessionStore, SubAgent } from "tenon"
import { ScriptedModel } from "tenon/testing"

const { call, calls, fail, layer, text } = ScriptedModel

const Note = Tool.make("note", { parameters: Schema.Struct({ text: Schema.String }), success: Schema.String })
const options = {
  prompt: "Go.",
  toolkit: Toolkit.make(Note),
  disableToolCallResolution: true,
  toolCallValidation: "deferred"
} as const

const ask = Effect.map(LanguageModel.generateText(options), ({ content }) => content)
/** What a stream shows, and how it ends. */
const stream = Effect.gen(function*() {
  const shown: Array<Response.AnyPart> = []
  const exit = yield* Effect.exit(
    Stream.runForEach(LanguageModel.streamText(options), (part) => Effect.sync(() => shown.push(part)))
  )
  return { shown, exit }
})

/** What of the chunks a reader sees. */
const deltas = (shown: ReadonlyArray<Response.AnyPart>) => shown.map((part) => "delta" in part ? part.delta : part.type)

const limited = new AiError.RateLimitError({ retryAfter: Duration.seconds(1) })

describe("ScriptedModel", () => {
  describe("chunks", () => {
    it.effect("cuts a text where the list does, in the middle of a character too", () =>
      Effect.gen(function*() {
        const turn = { reasoning: ["a", "b c"], text: ["caf", "e\u0301 \ud83d", "\ude00", ""] }
        const { shown } = yield* stream
        assert.deepStrictEqual(deltas(shown), [
          "reasoning-start",
          "a",
          "b c",
          "reasoning-end",
          "text-start",
          "caf",
          "e\u0301 \ud83d",
          "\ude00",
          "",
          "text-end",
          "finish"
        ])
        const whole = yield* ask
        assert.deepInclude(whole[0], { type: "reasoning", text: "ab c" })
        assert.deepInclude(whole[1], { type: "text", text: turn.text.join("") })
      }).pipe(Effect.provide(layer(Array.from({ length: 2 }, () => ({
        reasoning: ["a", "b c"],
        text: ["caf", "e\u0301 \ud83d", "\ude00", ""]
      }))))))

    it.effect("cuts a text after each word, and keeps the space around it", () =>
      Effect.gen(function*() {
        const said = ["\n  - one\n\n- two ", " \n ", "", "one"]
        const { model } = yield* ScriptedModel.make(said.flatMap((each) => [text(each), text(each)]))
        const on = Effect.provideService(LanguageModel.LanguageModel, model)
        const seen = yield* Effect.forEach(said, () =>
          Effect.gen(function*() {
            const { text } = yield* LanguageModel.generateText({ prompt: "Go." })
            const { shown } = yield* stream
            return [text, ...shown.flatMap((part) => part.type === "text-delta" ? [part.delta] : [])]
          })).pipe(on)
        assert.deepStrictEqual(seen, [
          [said[0], "\n  - ", "one\n\n", "- ", "two "],
          [said[1], " \n "],
          ["", ""],
          ["one", "one"]
        ])
      }))

    it.effect("streams the parameters of a call as text, cut everywhere or at places", () =>
      Effect.gen(function*() {
        const parameters = { text: "é\ud83d\ude00" }
        const json = JSON.stringify(parameters)
        for (const pieces of [json.split(""), [json.slice(0, 3), json.slice(3, 11), json.slice(11)]]) {
          const { shown } = yield* stream
          assert.deepStrictEqual(deltas(shown), [
            "tool-params-start",
            ...pieces,
            "tool-params-end",
            "tool-call",
            "finish"
          ])
          assert.deepInclude(shown.at(-2), { id: "own", params: parameters })
        }
        const { shown } = yield* stream
        assert.deepStrictEqual(deltas(shown), ["tool-params-start", json, "tool-params-end", "tool-call", "finish"])
        assert.deepStrictEqual((yield* ask).map(({ type }) => type), ["tool-call", "finish"])
      }).pipe(Effect.provide(layer([1, [11, 3, 3, 0, -1, 99], 99, 1].map((cuts) =>
        calls({ tool: "note", parameters: { text: "é\ud83d\ude00" }, id: "own", cuts })
      )))))

    it.effect("says parts and chunks as a provider says them, and each the other way too", () =>
      Effect.gen(function*() {
        const parts: ReadonlyArray<Response.AnyPartEncoded> = [
          { type: "reasoning-start", id: "1", metadata: { p: { a: 1 } } },
          { type: "text-start", id: "1" },
          { type: "reasoning-delta", id: "1", delta: "hm" },
          { type: "text-delta", id: "1", delta: "hel" },
          { type: "reasoning-end", id: "1", metadata: { q: { signature: "s" } } },
          { type: "text-delta", id: "1", delta: "lo" },
          { type: "text-end", id: "1" }
        ]
        const scripted = yield* ScriptedModel.make([{ parts }, { parts }, { parts: [{ type: "text", text: "hi" }] }])
        const on = Effect.provideService(LanguageModel.LanguageModel, scripted.model)
        const chunks = yield* on(stream)
        assert.deepStrictEqual(deltas(chunks.shown), [
          "reasoning-start",
          "text-start",
          "hm",
          "hel",
          "reasoning-end",
          "lo",
          "text-end",
          "finish"
        ])
        const [reasoning, said] = yield* on(ask)
        assert.deepInclude(reasoning, { text: "hm", metadata: { p: { a: 1 }, q: { signature: "s" } } })
        assert.deepInclude(said, { text: "hello" })
        assert.deepStrictEqual(deltas((yield* on(stream)).shown), ["text-start", "hi", "text-end", "finish"])
      }))
  })

  describe("failures", () => {
    it.effect("come before a turn, in a stream after what it says, and after so many chunks", () =>
      Effect.gen(function*() {
        const shown = yield* Effect.forEach([1, 2, 3, 4], () => stream)
        for (const { exit } of shown) {
          assert.strictEqual((yield* Effect.flip(exit)).reason, limited)
        }
        assert.deepStrictEqual(shown.map(({ shown }) => deltas(shown)), [
          [],
          ["text-start", "one ", "two", "text-end"],
          ["text-start", "one "],
          ["tool-params-start", `{"te`]
        ])
        assert.strictEqual((yield* Effect.flip(ask)).reason, limited)
        assert.deepInclude((yield* ask)[0], { text: "well" })
      }).pipe(Effect.provide(layer([
        fail(limited),
        { text: "one two", error: limited },
        { text: "one two", error: limited, after: 2 },
        { ...calls({ tool: "note", parameters: { text: "x" }, cuts: 4 }), error: limited, after: 2 },
        { text: "one two", error: limited, after: 2 },
        text("well")
      ]))))

    it.effect("in the middle of a stream fail the run of an agent", () =>
      Effect.gen(function*() {
        const agent = Agent.make("a", { instructions: "" })
        const error = yield* Effect.flip(Stream.runDrain(AgentRunner.stream(agent, { session: "s", input: "Go." })))
        assert.strictEqual(error._tag, "AgentError")
        yield* ScriptedModel.assertComplete
      }).pipe(Effect.provide([layer([{ text: "one two", error: limited, after: 2 }]), SessionStore.layerMemory])))
  })

  describe("time", () => {
    it.effect("passes before a turn and between chunks by the TestClock", () =>
      Effect.gen(function*() {
        const shown: Array<string> = []
        const fiber = yield* Effect.forkChild(
          Stream.runForEach(LanguageModel.streamText(options), (part) => Effect.sync(() => shown.push(part.type)))
        )
        const counts: Array<number> = []
        for (const step of ["59 seconds", "1 second", "9 seconds", "1 second", "20 seconds"] as const) {
          yield* TestClock.adjust(step)
          counts.push(shown.length)
        }
        assert.deepStrictEqual(counts, [0, 1, 1, 2, 4])
        yield* Fiber.join(fiber)

        const whole = yield* Effect.forkChild(ask)
        yield* TestClock.adjust("89 seconds")
        assert.isUndefined(whole.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.deepInclude((yield* Fiber.join(whole))[0], { text: "hi" })
      }).pipe(
        Effect.provide(layer(Array.from({ length: 2 }, () => ({ text: "hi", delay: "1 minute", pace: "10 seconds" }))))
      ))

    it.effect("never comes to an end where the model falls silent", () =>
      Effect.gen(function*() {
        const shown: Array<string> = []
        const fiber = yield* Effect.forkChild(
          Stream.runForEach(LanguageModel.streamText(options), (part) => Effect.sync(() => shown.push(part.type)))
        )
        yield* TestClock.adjust("1 day")
        assert.isUndefined(fiber.pollUnsafe())
        assert.deepStrictEqual(shown, ["text-start", "text-delta"])
        yield* Fiber.interrupt(fiber)
        const whole = yield* Effect.exit(Effect.timeout(ask, "1 hour")).pipe(Effect.forkChild)
        yield* TestClock.adjust("1 hour")
        assert.isTrue(Exit.isFailure(yield* Fiber.join(whole)))
      }).pipe(Effect.provide(layer([{ text: "one two", silent: true, after: 2 }, ScriptedModel.never]))))
  })

  describe("assertComplete", () => {
    it.effect("names the turns that nobody asked for, and the agents that never asked", () =>
      Effect.gen(function*() {
        const agent = Agent.make("a", { instructions: "" })
        yield* AgentRunner.run(agent, { session: "s", input: "Go." })
        const error = yield* Effect.flip(ScriptedModel.assertComplete)
        assert.deepStrictEqual(error.unheard, ["b"])
        assert.strictEqual(
          error.message,
          [
            "'b' never asked",
            `turn 2 of 'a' was never asked for: "two", note({"text":"x"})`,
            "turn 3 of 'a' was never asked for: RateLimitError",
            "turn 1 of 'b' was never asked for: a function of the request"
          ].join("\n")
        )
      }).pipe(Effect.provide([
        layer({
          a: [text("one"), { ...call("note", { text: "x" }), text: "two" }, fail(limited)],
          b: [() => text("no")],
          c: []
        }),
        SessionStore.layerMemory
      ])))

    it.effect("tells of a request that became an error result of a call", () =>
      Effect.gen(function*() {
        const helper = Agent.make("helper", { instructions: "", description: "Helps." })
        const main = Agent.make("main", { instructions: "", subAgents: [SubAgent.make(helper)] })
        yield* AgentRunner.run(main, { session: "s", input: "Go." })
        const error = yield* Effect.flip(ScriptedModel.assertComplete)
        assert.deepStrictEqual(error.unasked, [])
        assert.match(error.message, /^no turn is scripted for 'helper'.*there are scripts for main$/)
      }).pipe(Effect.provide([
        layer({ main: [call("helper", { task: "Help." }), text("Done.")] }),
        SessionStore.layerMemory
      ])))
  })

  it.effect("tells of what is not scripted who asked, when, what, and what was there instead", () =>
    Effect.gen(function*() {
      yield* ask
      const { message } = yield* Effect.flip(ask)
      assert.include(
        message,
        [
          `no turn is scripted for '': it was asked, after 1 message, "Go.", with the tools note. It is request 2, of 1 turn:`,
          `  1. "one", asked "Go."`
        ].join("\n")
      )
      assert.deepStrictEqual(
        (yield* ScriptedModel.requests).map(({ agent, tools }) => [agent, tools]),
        [["", ["note"]], ["", ["note"]]]
      )
    }).pipe(Effect.provide(layer([text("one")]))))
})
