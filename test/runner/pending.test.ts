import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Interrupt, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, openOf, reasonOf, restarted, textOf, told } from "./fixtures.ts"

const { calls, text } = ScriptedModel

const Job = Interrupt.make("job", { question: Schema.Struct({ name: Schema.String }), answer: Schema.Int })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Start = Tool.make("start", {
  parameters: Schema.Struct({ name: Schema.String }),
  success: Schema.String,
  asks: [Job]
})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const Twice = Tool.make("twice", { asks: [Job] })
const kit = Toolkit.make(Start, Wonder, Twice)
const live = Toolkit.layer(kit, {
  start: ({ name }) => Effect.as(Job.pending({ name }), `started ${name}`),
  wonder: () => Confirm.ask("Sure?"),
  twice: () => Effect.andThen(Job.pending({ name: "a" }), Job.pending({ name: "b" }))
})
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const start = (name: string) => ({ tool: "start", parameters: { name } })

describe("a call that ends pending", () => {
  it.effect("stops nobody: messages come and go while its question is open", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [
        calls(start("a"), start("b")),
        text("Both run."),
        text("Fine."),
        text("B is done.")
      ])
      const first = yield* run()
      assert.deepStrictEqual(Job.among(first.session.open), [
        { id: "i1.1.1?pending", question: { name: "a" } },
        { id: "i1.1.2?pending", question: { name: "b" } }
      ])
      yield* run("How are you?")
      const third = yield* resume([Job.answer("i1.1.2?pending", 2)])
      assert.deepStrictEqual([textOf(third), third.invocation], ["B is done.", "i3"])
      assert.deepStrictEqual(third.session.open.map(({ id }) => id), ["i1.1.1?pending"])
      assert.deepStrictEqual(told(requests.at(-1)), [
        "user: Go.",
        "assistant: start({\"name\":\"a\"}), start({\"name\":\"b\"})",
        "tool: start = \"started a\", start = 2",
        "assistant: Both run.",
        "user: How are you?"
      ])
    }).pipe(Effect.provide(live)))

  it.effect("is answered in another process too", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [calls(start("a")), text("Runs.")])
      const { session } = yield* run()
      const again = yield* restarted(agent, session, [text("Done.")])
      const result = yield* again.resume([Job.answer("i1.1.1?pending", 1)])
      assert.deepStrictEqual([textOf(result), result.session.open], ["Done.", []])
      assert.deepStrictEqual(result.usage.steps, 1)
    }).pipe(Effect.provide(live)))

  it.effect("is answered while a call of its step waits for a person", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [
        calls(start("a"), { tool: "wonder" }),
        text("Done.")
      ])
      const paused = yield* run()
      assert.deepStrictEqual(openOf(paused).map(({ id }) => id), ["i1.1.2?1"])
      const still = yield* resume([Job.answer("i1.1.1?pending", 5)])
      assert.deepStrictEqual([still._tag, still.invocation], ["Paused", "i1"])
      const result = yield* resume([Confirm.answer("i1.1.2?1", true)])
      assert.strictEqual(textOf(result), "Done.")
      assert.strictEqual(told(requests.at(-1)).at(-1), "tool: start = 5, wonder = true")
    }).pipe(Effect.provide(live)))

  it.effect("takes an answer that fits alone, and answers in parts where others do not", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(start("a"), { tool: "wonder" }), text("Done.")])
      yield* run()
      const json = { id: "i1.1.1?pending", json: "five" }
      assert.strictEqual((yield* reasonOf(resume([json])))._tag, "AnswerRefused")
      const part = Interrupt.progress(Confirm.answer("i1.1.2?1", true))
      assert.deepInclude(yield* reasonOf(resume([part])), {
        _tag: "AnswerRefused",
        problem: "only a pending call takes answers in parts"
      })
    }).pipe(Effect.provide(live)))

  it.effect("leaves one question, and only in the root agent", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(agent)] })
      const { run } = yield* conversation(parent, {
        parent: [calls({ tool: "twice" }, { tool: "agent", parameters: { task: "t" } }), text("Done.")],
        agent: [calls(start("a")), text("Not.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session).map(({ tool, failed }) => `${tool} ${failed}`).toSorted(), [
        "agent false",
        "start true",
        "twice true"
      ])
      assert.deepStrictEqual(session.open, [])
    }).pipe(Effect.provide(live)))
})
