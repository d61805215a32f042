import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Agent, Interrupt, Middleware, State, SubAgent, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, openOf, reasonOf, restarted, told } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Report = Schema.Struct({ title: Schema.String, on: Schema.Date, pages: Schema.Int })
const report = { title: "Tides", on: "2026-01-02T00:00:00.000Z", pages: 3 }
const value = { ...report, on: new Date(report.on) }
const json = JSON.stringify(report)

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const Draft = Tool.make("draft", { success: Report })
const kit = Toolkit.make(Wonder, Draft)
const live = Toolkit.layer(kit, {
  wonder: () => Confirm.ask("Sure?"),
  draft: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.skipSummarization, value))
})
const writer = Agent.make("writer", { instructions: "Write.", toolkit: kit, output: Report })

describe("an agent with an output schema", () => {
  it.effect("answers with a decoded value, and tells the model what is wanted", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(writer, [text(json)])
      const result = yield* run()
      assert.deepStrictEqual(result._tag === "Completed" && [result.output, result.text], [value, json])
      const [system = ""] = told(requests[0])
      assert.include(system, "Give your final answer as JSON alone")
      assert.include(system, "\"required\":[\"title\",\"on\",\"pages\"]")
    }).pipe(Effect.provide(live)))

  it.effect("takes JSON in a fence", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(writer, [text(`\`\`\`json\n${json}\n\`\`\``)])
      const result = yield* run()
      assert.deepStrictEqual(result._tag === "Completed" && result.output, value)
    }).pipe(Effect.provide(live)))

  it.effect("asks the model again where its answer does not fit, and says why, in that call alone", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(writer, [
        text("Here it is!"),
        text(JSON.stringify({ ...report, pages: "three" })),
        text(json)
      ])
      const result = yield* run()
      assert.deepStrictEqual(result._tag === "Completed" && result.output, value)
      assert.deepStrictEqual(requests.map((request) => told(request).filter((line) => line.startsWith("user"))), [
        ["user: Go."],
        ["user: Go.", "user: Your answer does not fit the JSON Schema: it is no JSON\nAnswer again, with JSON alone."],
        [
          "user: Go.",
          "user: Your answer does not fit the JSON Schema: Expected number\n  at [\"pages\"]\nAnswer again, with JSON alone."
        ]
      ])
      assert.notInclude(JSON.stringify(result.session.history), "does not fit")
      assert.strictEqual(result.usage.steps, 3)
    }).pipe(Effect.provide(live)))

  it.effect("fails where the model's third answer does not fit either, and the session goes on", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(writer, [text("a"), text("b"), text("c"), text(json)])
      assert.deepInclude(yield* reasonOf(run()), { _tag: "OutputInvalid", agent: "writer" } as object)
      const result = yield* run()
      assert.deepStrictEqual(result._tag === "Completed" && result.output, value)
    }).pipe(Effect.provide(live)))

  it.effect("answers after a pause and in another process as it would have at once", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(writer, [call("wonder")])
      const paused = yield* run()
      const again = yield* restarted(writer, paused.session, [text("not yet"), text(json)])
      const result = yield* again.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(result._tag === "Completed" && result.output, value)
    }).pipe(Effect.provide(live)))

  it.effect("may answer with a call's result, or by a hook", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(writer, [call("draft")])
      const result = yield* run()
      assert.deepStrictEqual(result._tag === "Completed" && result.output, value)
      const cached = Middleware.make("cached", {
        hooks: [Middleware.beforeRun({}, () => Effect.succeed(Middleware.answer(json)))]
      })
      const other = Agent.make("other", { instructions: "", output: Report, middleware: [cached] })
      const { run: runOther } = yield* conversation(other, [])
      const answered = yield* runOther()
      assert.deepStrictEqual(answered._tag === "Completed" && answered.output, value)
    }).pipe(Effect.provide(live)))

  it.effect("gives its parent the value, or an error result", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(writer)] })
      const { run } = yield* conversation(parent, {
        parent: [call("writer", { task: "t" }), call("writer", { task: "t" }), text("Done.")],
        writer: [text(json), text("a"), text("b"), text("c")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [
        good("writer", report),
        bad("writer", "SubAgentFailed", "the answer of 'parent-sub-2' does not fit its output: it is no JSON")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("answers with its text where it has no schema", () =>
    Effect.gen(function*() {
      const plain = Agent.make("plain", { instructions: "" })
      const { run } = yield* conversation(plain, [text("Hello.")])
      const result = yield* run()
      assert.strictEqual(result._tag === "Completed" && result.output, "Hello.")
    }))
})

describe("an output schema of a plain value", () => {
  it.effect("takes a call's result as it is, and null for what it is", () => {
    const Pick = Tool.make("pick", { success: Schema.String })
    const picking = Toolkit.make(Pick)
    const chooser = Agent.make("chooser", {
      instructions: "",
      toolkit: picking,
      output: Schema.NullOr(Schema.Literals(["red", "blue"]))
    })
    const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(chooser)] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(chooser, [call("pick")])
      const result = yield* run()
      assert.strictEqual(result._tag === "Completed" && result.output, "blue")
      const above = yield* conversation(parent, {
        parent: [call("chooser", { task: "t" }), text("Done.")],
        chooser: [text("null")]
      })
      assert.deepStrictEqual(endsOf((yield* above.run()).session), [good("chooser", null)])
    }).pipe(Effect.provide(Toolkit.layer(picking, {
      pick: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.skipSummarization, "blue"))
    })))
  })
})

describe("an agent that keeps its answer in a field", () => {
  const Notes = State.make("notes", {
    draft: State.optional(Schema.String),
    report: State.optional(Report),
    title: State.field(Schema.String, { initial: "", scope: "user" })
  })

  it.effect("writes it when it has answered, in an event of its own, and what comes back is a write of its parent's", () =>
    Effect.gen(function*() {
      const Keeper = Agent.make("keeper", { instructions: "", output: Report, outputTo: Notes.report })
      const Editor = Agent.make("editor", {
        instructions: "",
        subAgents: [SubAgent.make(Keeper, { returns: [Notes.report] })],
        outputTo: Notes.draft
      })
      const { run } = yield* conversation(Editor, {
        editor: [call("keeper", { task: "Write." }), text("done")],
        keeper: [text(json)]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(session.state.get(Notes.report), Option.some(value))
      assert.deepStrictEqual(session.state.get(Notes.draft), Option.some("done"))
      assert.deepStrictEqual(
        session.events.flatMap((event) => event.kind === "hook" ? [`${event.agent} ${event.middleware}`] : []),
        ["editor-sub-1 outputTo", "editor outputTo"]
      )
    }))

  it.effect("keeps what a hook after the run made of it, in a field of the user too, and no empty text", () =>
    Effect.gen(function*() {
      const Polish = Middleware.make("polish", {
        hooks: [Middleware.afterRun({}, () => Effect.succeed(Middleware.answer("Polished")))]
      })
      const Titler = Agent.make("titler", { instructions: "", middleware: [Polish], outputTo: Notes.title })
      const { session } = yield* (yield* conversation(Titler, [text("raw")])).run()
      assert.strictEqual(session.state.get(Notes.title), "Polished")
      const Silent = Agent.make("silent", { instructions: "", outputTo: Notes.draft })
      const quiet = yield* (yield* conversation(Silent, [text("")])).run()
      assert.deepStrictEqual(quiet.session.state.get(Notes.draft), Option.none())
    }))

  it.effect("writes what a call gave for an answer", () =>
    Effect.gen(function*() {
      const Short = Agent.make("short", { instructions: "", toolkit: kit, output: Report, outputTo: Notes.report })
      const { session } = yield* (yield* conversation(Short, [call("draft")])).run()
      assert.deepStrictEqual(session.state.get(Notes.report), Option.some(value))
    }).pipe(Effect.provide(live)))
})
