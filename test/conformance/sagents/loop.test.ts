import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Response } from "effect/ai"
import { TestClock } from "effect/testing"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  Session,
  SessionStore,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, good, openOf, reasonOf, textOf, told } from "../../runner/fixtures.ts"
import { historyOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

// ===== tools that end a run with their result ================================

class Rejected extends Schema.TaggedError<Rejected>()("Rejected", { why: Schema.String }) {}
const Submit = Tool.make("submit", {
  parameters: Schema.Struct({ title: Schema.String }),
  success: Schema.Struct({ title: Schema.String, pages: Schema.Int }),
  failure: Rejected
})
const GiveUp = Tool.make("give_up", { success: Schema.String })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Look = Tool.make("look", { success: Schema.String })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Submit, GiveUp, Look, Wonder)

/** Makes a call's result the answer. */
const ending = Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.skipSummarization)
const live = Toolkit.layer(kit, {
  submit: ({ title }) =>
    Effect.andThen(
      ending,
      title === "" ? Effect.fail(new Rejected({ why: "no title" })) : Effect.succeed({ title, pages: 3 })
    ),
  give_up: () => Effect.as(ending, "given up"),
  look: () => Effect.succeed("seen"),
  wonder: () => Confirm.ask("Sure?")
})
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const submit = (title: string) => call("submit", { title })

// ===== models that break off =================================================

const finish = (reason: Response.FinishReason): Response.FinishPartEncoded => ({
  type: "finish",
  reason,
  usage: {
    inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 }
  }
})
const saying = (delta: string): ReadonlyArray<Response.StreamPartEncoded> => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta },
  { type: "text-end", id: "t" }
]
const down = AiError.make({
  module: "Test",
  method: "streamText",
  reason: new AiError.InternalProviderError({ description: "down" })
})

/** What a stream of a run shows of its model's parts, how the run ends, and what is stored. */
const streamed = (answer: Stream.Stream<Response.StreamPartEncoded, AiError.AiError>) =>
  Effect.gen(function*() {
    const model = yield* LanguageModel.make({ generateText: () => Effect.die("not asked"), streamText: () => answer })
    const shown: Array<string> = []
    const exit = yield* AgentRunner.stream(Agent.make("agent", { instructions: "" }), { session: "s-1", input: "Go." })
      .pipe(
        Stream.runForEach((item) =>
          Effect.sync(() => {
            if (item._tag === "Part" && item.part.type === "text-delta") shown.push(item.part.delta)
          })
        ),
        Effect.provideService(LanguageModel.LanguageModel, model),
        Effect.exit
      )
    const session = yield* Session.load({ app: "agent", session: "s-1" })
    return { shown, ended: exit._tag, history: historyOf(session) }
  }).pipe(Effect.provide(SessionStore.layerMemory))

describe("the run loop", () => {
  it.effect("T154 a limit that a run gives takes the place of the agent's", () =>
    Effect.gen(function*() {
      const limited = Agent.make("agent", { instructions: "", toolkit: kit, limits: { steps: 100 } })
      const { requests, run } = yield* conversation(limited, [call("look"), call("look")])
      const reason = yield* reasonOf(run("Go.", { limits: { steps: 1 } }))
      assert.deepInclude(reason, { _tag: "LimitReached", limit: "steps", max: 1 } as object)
      assert.lengthOf(requests, 1)
    }).pipe(Effect.provide(live)))

  it.effect("T155 a limit that is reached says which, how much and of whom", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("look")])
      const error = yield* Effect.flip(run("Go.", { limits: { steps: 1 } }))
      assert.strictEqual(error.message, "'agent' reached its limit of 1 for steps")
    }).pipe(Effect.provide(live)))

  it.effect("T156 a run that a hook pauses keeps its messages, and the question may say why", () =>
    Effect.gen(function*() {
      const Hold = Interrupt.make("hold", { question: Schema.NullOr(Schema.String), answer: Schema.Null })
      for (const why of [null, "the budget is spent"]) {
        const holding = Middleware.make("holding", {
          hooks: [Middleware.beforeModel({ asks: [Hold] }, () => Effect.asVoid(Hold.ask(why)))]
        })
        const held = Agent.make("agent", { instructions: "", middleware: [holding] })
        const { requests, resume, run } = yield* conversation(held, [text("Here I am.")])
        const paused = yield* run("Go.")
        assert.deepStrictEqual(Hold.among(openOf(paused)).map(({ question }) => question), [why])
        assert.deepStrictEqual(historyOf(paused.session), ["user: Go."])
        assert.lengthOf(requests, 0)
        const result = yield* resume(openOf(paused).map(({ id }) => Hold.answer(id, null)))
        assert.deepStrictEqual(historyOf(result.session), ["user: Go.", "assistant: Here I am."])
      }
    }))

  it.effect("T160 a call may end the run with its result, at once or after others", () =>
    Effect.gen(function*() {
      for (const before of [[], [call("look")]]) {
        const { requests, run } = yield* conversation(agent, [...before, submit("Tides")])
        const result = yield* run()
        assert.deepStrictEqual(JSON.parse(textOf(result)), { title: "Tides", pages: 3 })
        assert.lengthOf(requests, before.length + 1)
        assert.strictEqual(result.session.history.at(-1)?.role, "tool")
      }
    }).pipe(Effect.provide(live)))

  it.effect("T161 an agent that must end with a value fails where the model only talks, by its name", () =>
    Effect.gen(function*() {
      const reporter = Agent.make("reporter", {
        instructions: "",
        toolkit: kit,
        output: Schema.Struct({ title: Schema.String, pages: Schema.Int })
      })
      const talking = yield* conversation(reporter, [text("It is about tides."), text("Tides."), text("Really.")])
      const reason = yield* reasonOf(talking.run())
      assert.deepInclude(reason, { _tag: "OutputInvalid", agent: "reporter" } as object)
      const submitting = yield* conversation(reporter, [text("It is about tides."), submit("Tides")])
      const result = yield* submitting.run()
      assert.deepStrictEqual(result._tag === "Completed" && result.output, { title: "Tides", pages: 3 })
    }).pipe(Effect.provide(live)))

  it.effect("T162 a call that fails ends nothing: the model sees the error and may try again", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [submit(""), submit("Tides")])
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [
        { tool: "submit", failed: true, value: { _tag: "Rejected", why: "no title" } },
        good("submit", { title: "Tides", pages: 3 })
      ])
      assert.lengthOf(requests, 2)
    }).pipe(Effect.provide(live)))

  it.effect("T164 of several tools that end a run, the one that is called does; of two in a step, the last", () =>
    Effect.gen(function*() {
      const ended = (...script: ReadonlyArray<ScriptedModel.Step>) =>
        Effect.flatMap(conversation(agent, script), ({ run }) => Effect.map(run(), textOf))
      assert.strictEqual(yield* ended(call("look"), call("give_up")), "given up")
      assert.strictEqual(
        yield* ended(calls({ tool: "submit", parameters: { title: "Tides" } }, { tool: "give_up" })),
        "given up"
      )
    }).pipe(Effect.provide(live)))

  it.effect("T165 a question in the middle of a run ends it with the question, and the answer takes it on", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [call("look"), call("wonder"), text("Done.")])
      const paused = yield* run()
      assert.deepStrictEqual(Confirm.among(openOf(paused)).map(({ question }) => question), ["Sure?"])
      assert.deepStrictEqual(endsOf(paused.session), [good("look", "seen")])
      assert.lengthOf(requests, 2)
      const result = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual([textOf(result), endsOf(result.session)], [
        "Done.",
        [good("look", "seen"), good("wonder", true)]
      ])
    }).pipe(Effect.provide(live)))

  it.effect("T166 the model is asked again after calls, and not after an answer, an end, a pause or a failure", () =>
    Effect.gen(function*() {
      const asked = (...script: ReadonlyArray<ScriptedModel.Step>) =>
        Effect.gen(function*() {
          const { requests, run } = yield* conversation(agent, [...script, text("Done.")])
          const exit = yield* Effect.exit(run())
          return [Exit.isSuccess(exit) ? exit.value._tag : "Failed", requests.length]
        })
      assert.deepStrictEqual(yield* asked(), ["Completed", 1])
      assert.deepStrictEqual(yield* asked(call("look")), ["Completed", 2])
      assert.deepStrictEqual(yield* asked(call("give_up")), ["Completed", 1])
      assert.deepStrictEqual(yield* asked(call("wonder")), ["Paused", 1])
      assert.deepStrictEqual(yield* asked(ScriptedModel.fail(down.reason)), ["Failed", 1])
    }).pipe(Effect.provide(live)))

  it.effect("T167 an answer that breaks off fails the run and is not kept; one that was cut is an answer", () =>
    Effect.gen(function*() {
      const half = saying("Half an ans")
      const broken = [
        Stream.fromIterable([...half, { type: "error", error: "down" } as const]),
        Stream.concat(Stream.fromIterable(half), Stream.fail(down))
      ]
      for (const answer of broken) {
        assert.deepStrictEqual(yield* streamed(answer), {
          shown: ["Half an ans"],
          ended: "Failure",
          history: ["user: Go."]
        })
      }
      const cut = yield* streamed(Stream.fromIterable([...half, finish("length")]))
      // shown once, stored once
      assert.deepStrictEqual(cut, {
        shown: ["Half an ans"],
        ended: "Success",
        history: ["user: Go.", "assistant: Half an ans"]
      })
      const silent = yield* streamed(Stream.fromIterable([finish("length")]))
      assert.deepStrictEqual(silent, { shown: [], ended: "Success", history: ["user: Go."] })
    }))

  it.effect("T170 a tool has the time that it is given, and any time without", () =>
    Effect.gen(function*() {
      const Bounded = Tool.make("bounded", { success: Schema.String, timeout: "1 second" })
      const Free = Tool.make("free", { success: Schema.String })
      const slow = Toolkit.make(Bounded, Free)
      const sleeping = Effect.as(Effect.sleep("1 hour"), "slept")
      const { run } = yield* conversation(Agent.make("agent", { instructions: "", toolkit: slow }), [
        calls({ tool: "bounded" }, { tool: "free" }),
        text("Done.")
      ])
      const fiber = yield* Effect.forkChild(
        Effect.provide(run(), Toolkit.layer(slow, { bounded: () => sleeping, free: () => sleeping }))
      )
      yield* TestClock.adjust("1 hour")
      const { session } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(endsOf(session).map(({ failed, tool }) => [tool, failed]), [
        ["bounded", true],
        ["free", false]
      ])
    }))

  it.effect("T171 what a fiber carries around a run reaches tools that run one by one or side by side", () =>
    Effect.gen(function*() {
      const Organization = Context.Reference<string>("test/Org", { defaultValue: () => "none" })
      const Alone = Tool.make("alone", { success: Schema.String, exclusive: true })
      const Meet = Tool.make("meet", { success: Schema.String })
      const tools = Toolkit.make(Alone, Meet)
      const { run } = yield* conversation(Agent.make("agent", { instructions: "", toolkit: tools }), [
        calls({ tool: "alone" }, { tool: "meet" }, { tool: "meet" }),
        text("Done.")
      ])
      const both = yield* Deferred.make<void>()
      let here = 0
      const { session } = yield* run().pipe(
        Effect.provideService(Organization, "orgA"),
        Effect.provide(Toolkit.layer(tools, {
          alone: () => Organization,
          // each of the two waits for the other: they run in fibers of their own
          meet: () =>
            Effect.gen(function*() {
              if (++here === 2) yield* Deferred.succeed(both, undefined)
              yield* Deferred.await(both)
              return yield* Organization
            })
        }))
      )
      assert.deepStrictEqual(endsOf(session).map(({ value }) => value), ["orgA", "orgA", "orgA"])
    }))

  it.effect("T172 each run and each resume has what its caller supplies, and fails by name without", () =>
    Effect.gen(function*() {
      const Env = ToolContext.make({ plan: Schema.String })
      const Show = Tool.make("show", { success: Schema.String, context: [Env.plan], asks: [Confirm] })
      const showing = Toolkit.make(Show)
      const planned = Agent.make("agent", { instructions: "", toolkit: showing })
      const showLive = Toolkit.layer(showing, {
        show: () => Effect.andThen(Confirm.ask("Show it?"), Env.plan)
      })
      const { resume, run } = yield* conversation(planned, [call("show"), text("Done.")])
      const paused = yield* Effect.provide(run(), [showLive, ToolContext.layer(planned, { plan: "free" })])
      const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
      const error = yield* Effect.flip(
        Effect.provide(resume(answers), [showLive, ToolContext.layerUnknown(planned, {})])
      )
      assert.include(error.message, "'plan'")
      const { session } = yield* Effect.provide(resume(answers), [
        showLive,
        ToolContext.layer(planned, { plan: "paid" })
      ])
      assert.deepStrictEqual(endsOf(session), [good("show", "paid")])
    }))

  it.effect("T174 a run ends completed with an answer, paused with questions, or failed with a typed reason", () =>
    Effect.gen(function*() {
      const ended = (turn: ScriptedModel.Step) =>
        Effect.flatMap(conversation(agent, [turn]), ({ run }) => Effect.result(run()))
      const completed = yield* ended(text("Hi."))
      assert.deepInclude(completed._tag === "Success" && completed.success, {
        _tag: "Completed",
        agent: "agent",
        text: "Hi.",
        output: "Hi.",
        invocation: "i1",
        usage: { steps: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1 }
      } as object)
      const paused = yield* ended(call("wonder"))
      assert.deepStrictEqual(
        paused._tag === "Success" && paused.success._tag === "Paused" && paused.success.open.map(({ name }) => name),
        ["confirm"]
      )
      const failed = yield* ended(ScriptedModel.fail(down.reason))
      assert.deepStrictEqual(
        failed._tag === "Failure" && [failed.failure._tag, failed.failure.reason._tag, failed.failure.isRetryable],
        ["AgentError", "ModelFailed", true]
      )
    }).pipe(Effect.provide(live)))

  it.effect("T175 a value is taken out of what the model says, and asked for again where it does not fit", () =>
    Effect.gen(function*() {
      const Person = Schema.Struct({ name: Schema.String, age: Schema.Int })
      const extractor = Agent.make("extractor", { instructions: "Who is it?", output: Person })
      const { requests, run } = yield* conversation(extractor, [
        text(`{ "name": "Ada", "age": "36" }`),
        text(`{ "name": "Ada", "age": 36 }`)
      ])
      const result = yield* run("Ada, who is 36.")
      assert.deepStrictEqual(result._tag === "Completed" && result.output, { name: "Ada", age: 36 })
      assert.include(told(requests[1]).at(-1), `["age"]`)
      // what the model tried is in the log, what it was told about it is not
      assert.deepStrictEqual(result.session.history.map(({ role }) => role), ["user", "assistant", "assistant"])
    }))
})
