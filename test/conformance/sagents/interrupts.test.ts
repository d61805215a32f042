import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Agent, AgentRunner, Interrupt, Middleware, SubAgent, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import {
  bad,
  conversation,
  endsOf,
  good,
  idsOf,
  logOf,
  openOf,
  reasonOf,
  restarted,
  textOf
} from "../../runner/fixtures.ts"
import { historyOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

// ===== a tool that asks, one that is guarded, one that halts ==================

const Question = Schema.Struct({
  question: Schema.NonEmptyString,
  options: Schema.Array(Schema.NonEmptyString).check(
    Schema.isMinLength(2),
    Schema.isMaxLength(10),
    Schema.isUnique()
  )
})
const AskUser = Interrupt.make("ask_user", {
  question: Schema.Struct({ ...Question.fields, allowOther: Schema.Boolean }),
  answer: Schema.Struct({ selected: Schema.Array(Schema.String), other: Schema.optionalKey(Schema.String) })
})
class NoSuchOption extends Schema.TaggedError<NoSuchOption>()("NoSuchOption", { option: Schema.String }) {}

const Ask = Tool.make("ask_user", {
  parameters: Question,
  success: Schema.String,
  failure: NoSuchOption,
  asks: [AskUser]
})
const Delete = Tool.make("delete_file", {
  parameters: Schema.Struct({ path: Schema.String }),
  success: Schema.String,
  approval: true
})
const Halt = Tool.make("halt", {
  parameters: Schema.Struct({ message: Schema.NullOr(Schema.String) }),
  success: Schema.NullOr(Schema.String)
})
const Look = Tool.make("look", { success: Schema.String })
const kit = Toolkit.make(Ask, Delete, Halt, Look)
const live = Toolkit.layer(kit, {
  // what the author decides is no parameter of the model's
  ask_user: Effect.fnUntraced(function*({ options, question }) {
    const { other, selected } = yield* AskUser.ask({ question, options, allowOther: true })
    const unknown = selected.find((option) => !options.includes(option))
    if (unknown !== undefined) return yield* new NoSuchOption({ option: unknown })
    return [...selected, ...(other === undefined ? [] : [other])].join(", ")
  }),
  delete_file: ({ path }) => Effect.succeed(`deleted ${path}`),
  halt: Effect.fnUntraced(function*({ message }) {
    const { actions } = yield* ToolCall.ToolCall
    yield* actions.skipSummarization
    return message
  }),
  look: () => Effect.succeed("seen")
})
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(agent)] })
const delegate = call("agent", { task: "Go." })

const ask = (question = "Which?", options: ReadonlyArray<string> = ["red", "blue"]) => ({
  tool: "ask_user",
  parameters: { question, options }
})
const remove = (path: string) => ({ tool: "delete_file", parameters: { path } })
const halt = (message: string | null) => ({ tool: "halt", parameters: { message } })
const choose = (id: string, ...selected: ReadonlyArray<string>) => AskUser.answer(id, { selected })
const first = "i1.1.1?1"
const second = "i1.1.2?1"

describe("interrupts", () => {
  it.effect("T194 an answer to an unknown question, and one to a session that is not there, are refused by name", () =>
    Effect.gen(function*() {
      const { resume, run, session } = yield* conversation(agent, [text("Hi.")])
      assert.strictEqual((yield* reasonOf(resume([choose(first)])))._tag, "SessionMissing")
      yield* run()
      const before = yield* session()
      assert.deepInclude(yield* reasonOf(resume([choose(first)])), { _tag: "AnswerRefused", id: first } as object)
      assert.deepStrictEqual((yield* session()).events, before.events)
    }).pipe(Effect.provide(live)))

  it.effect("T195 an answer takes a sub-agent on: its text is the result of its call, and the parent goes on", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(parent, {
        parent: [delegate, text("All done.")],
        agent: [calls(ask()), text("Red it is.")]
      })
      const paused = yield* run()
      assert.deepStrictEqual(endsOf(paused.session), [])
      const result = yield* resume(idsOf(openOf(paused)).map((id) => choose(id, "red")))
      assert.deepStrictEqual([textOf(result), endsOf(result.session)], [
        "All done.",
        [good("ask_user", "red"), good("agent", "Red it is.")]
      ])
    }).pipe(Effect.provide(live)))

  it.effect("T196 a sub-agent that asks again is the same one, with another question", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(parent, {
        parent: [delegate],
        agent: [calls(ask()), calls(ask("How many?", ["one", "two"]))]
      })
      const one = openOf(yield* run())
      const again = yield* resume(idsOf(one).map((id) => choose(id, "red")))
      const two = openOf(again)
      assert.deepStrictEqual(AskUser.among(two).map(({ question }) => question.question), ["How many?"])
      assert.deepStrictEqual(two.map(({ agentPath }) => agentPath), one.map(({ agentPath }) => agentPath))
      assert.deepStrictEqual(again.session.open, two)
      assert.deepStrictEqual(
        new Set(again.session.events.flatMap((event) => event.kind === "asked" ? [event.agent] : [])),
        new Set(["parent-sub-1"])
      )
    }).pipe(Effect.provide(live)))

  it.effect("T197 a program without the sub-agent refuses its answer; abandoned, its call has a result, and all goes on", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(parent, { parent: [delegate], agent: [calls(ask())] })
      const { session } = yield* run()
      const alone = Agent.make("parent", { instructions: "" })
      const later = yield* restarted(alone, session, [text("Without it, then.")])
      const [id = ""] = idsOf(session.open)
      assert.strictEqual(
        (yield* reasonOf(later.resume([Interrupt.fromJson(id, { selected: [] })])))._tag,
        "ContractMismatch"
      )
      assert.deepStrictEqual((yield* later.session()).open, session.open)
      yield* later.abandon()
      const result = yield* later.run()
      assert.strictEqual(textOf(result), "Without it, then.")
      assert.deepStrictEqual(endsOf(result.session).map(({ failed, tool }) => [tool, failed]), [
        ["ask_user", true],
        ["agent", true]
      ])
    }).pipe(Effect.provide(live)))

  it.effect("T199 an approval and a question of one step wait together, and the model until both are answered", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [calls(remove("a"), ask()), text("Done.")])
      const [approval, question] = openOf(yield* run())
      assert.deepStrictEqual([approval?.name, question?.name], ["approval", "ask_user"])
      const half = yield* resume([Interrupt.approve(approval?.id ?? "")])
      assert.deepStrictEqual(idsOf(openOf(half)), [question?.id ?? ""])
      assert.deepStrictEqual([endsOf(half.session), requests.length], [[good("delete_file", "deleted a")], 1])
      const result = yield* resume([choose(question?.id ?? "", "blue")])
      assert.include(historyOf(result.session), "tool: \"deleted a\" \"blue\"")
    }).pipe(Effect.provide(live)))

  it.effect("T200 a question needs no approval around it, and its answer may be free text", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(ask()), text("Done.")])
      yield* run()
      const { session } = yield* resume([AskUser.answer(first, { selected: [], other: "green" })])
      assert.deepStrictEqual(endsOf(session), [good("ask_user", "green")])
    }).pipe(Effect.provide(live)))

  it.effect("T201 of several questions each is answered by itself: all, some, wrongly, of two kinds, or abandoned", () =>
    Effect.gen(function*() {
      const asked = (...step: ReadonlyArray<ScriptedModel.Call>) =>
        Effect.tap(conversation(agent, [calls(...step), text("Done."), text("Next.")]), ({ run }) => run())

      const all = yield* asked(ask(), ask())
      const answered = yield* all.resume([choose(second, "blue"), choose(first, "red")])
      assert.include(historyOf(answered.session), "tool: \"red\" \"blue\"")

      const some = yield* asked(ask(), ask())
      assert.deepStrictEqual(idsOf(openOf(yield* some.resume([choose(first, "red")]))), [second])

      // an answer that does not fit takes the others with it
      const misfit = yield* asked(ask(), ask())
      const reason = yield* reasonOf(misfit.resume([choose(first, "red"), Interrupt.fromJson(second, "blue")]))
      assert.deepInclude(reason, { _tag: "AnswerRefused", id: second } as object)
      assert.deepStrictEqual(idsOf((yield* misfit.session()).open), [first, second])
      // one that fits, and that the tool does not like, is the tool's error
      const unliked = yield* misfit.resume([choose(first, "red"), choose(second, "green")])
      assert.deepStrictEqual(endsOf(unliked.session).filter(({ failed }) => failed), [
        { tool: "ask_user", failed: true, value: { _tag: "NoSuchOption", option: "green" } }
      ])

      const mixed = yield* asked(remove("a"), ask())
      const both = yield* mixed.resume([Interrupt.reject("i1.1.1?0", "keep it"), choose(second, "blue")])
      assert.deepInclude(endsOf(both.session), bad("delete_file", "Rejected", "keep it"))

      const left = yield* asked(ask(), ask())
      yield* left.abandon()
      assert.strictEqual(textOf(yield* left.run("Never mind.")), "Done.")
      assert.match(JSON.stringify(endsOf(yield* left.session())), /Abandoned.*Abandoned/)
    }).pipe(Effect.provide(live)))

  it.effect("T202 a question that does not fit its schema is asked of nobody, and the model is told why", () =>
    Effect.gen(function*() {
      const eleven = Array.from({ length: 11 }, (_, index) => `option ${index}`)
      for (
        const parameters of [
          { options: ["a", "b"] },
          { question: "", options: ["a", "b"] },
          { question: 7, options: ["a", "b"] },
          { question: "Which?", options: "a" },
          { question: "Which?", options: ["a"] },
          { question: "Which?", options: eleven },
          { question: "Which?", options: ["a", "a"] },
          { question: "Which?", options: ["a", ""] }
        ]
      ) {
        const { run } = yield* conversation(agent, [call("ask_user", parameters), text("Done.")])
        const result = yield* run()
        assert.strictEqual(result._tag, "Completed")
        assert.match(JSON.stringify(endsOf(result.session)), /"failed":true.*InvalidArguments/)
      }
    }).pipe(Effect.provide(live)))

  it.effect("T204 what the author of a tool decides is no parameter, and the model cannot say otherwise", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        call("ask_user", { ...ask().parameters, allowOther: false })
      ])
      const paused = yield* run()
      assert.deepStrictEqual(AskUser.among(openOf(paused)).map(({ question }) => question), [
        { ...ask().parameters, allowOther: true }
      ])
      assert.notInclude(JSON.stringify(Schema.toJsonSchemaDocument(Ask.parametersSchema)), "allowOther")
    }).pipe(Effect.provide(live)))

  it.effect("T205 a run that a call halted is over: nothing waits, alone, beside questions, or beside other calls", () =>
    Effect.gen(function*() {
      for (const step of [calls(halt("Stop.")), calls({ tool: "look" }, halt("Stop."))]) {
        const { run } = yield* conversation(agent, [step])
        const result = yield* run()
        assert.deepStrictEqual([textOf(result), result.session.open], ["Stop.", []])
      }
      const { requests, resume, run } = yield* conversation(agent, [calls(halt("Stop."), ask())])
      assert.deepStrictEqual(idsOf(openOf(yield* run())), [second])
      assert.deepStrictEqual([textOf(yield* resume([choose(second, "red")])), requests.length], ["Stop.", 1])
    }).pipe(Effect.provide(live)))

  it.effect("T206 the words of a call that halted are kept when a question beside it is abandoned", () =>
    Effect.gen(function*() {
      const { abandon, run, session } = yield* conversation(agent, [calls(halt("Out of stock."), ask())])
      yield* run()
      yield* abandon()
      assert.deepStrictEqual(endsOf(yield* session()), [
        good("halt", "Out of stock."),
        bad("ask_user", "Abandoned", "the question that this call waited for was abandoned")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("T207 after a restart a session that was halted is as it was, and takes the next message", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [calls(halt("Stop."))])
      const before = (yield* run()).session
      const again = yield* restarted(agent, before, [text("And on.")])
      const after = yield* again.session()
      assert.deepStrictEqual([after.history, after.open], [before.history, []])
      assert.strictEqual(textOf(yield* again.run()), "And on.")
    }).pipe(Effect.provide(live)))

  it.effect("T209 every question outlives its process: of a tool, an approval, a hook, a sub-agent, or several", () =>
    Effect.gen(function*() {
      const Greet = Interrupt.make("greet", { question: Schema.String, answer: Schema.Boolean })
      const greeting = Middleware.make("greeting", {
        hooks: [Middleware.beforeRun({ asks: [Greet] }, () => Effect.asVoid(Greet.ask("May I?")))]
      })
      const hooked = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [greeting] })
      const outliving = <A extends Agent.Any>(of: A, script: ScriptedModel.Script) =>
        Effect.gen(function*() {
          const { run } = yield* conversation(of, script)
          const before = yield* run()
          const after = yield* (yield* restarted(of, before.session, [])).session()
          assert.deepStrictEqual(after.open, before.session.open)
          return after.open.map(({ name }) => name)
        })
      assert.deepStrictEqual(yield* outliving(agent, [calls(ask())]), ["ask_user"])
      assert.deepStrictEqual(yield* outliving(agent, [calls(remove("a"))]), ["approval"])
      assert.deepStrictEqual(yield* outliving(hooked, []), ["greet"])
      assert.deepStrictEqual(yield* outliving(parent, { parent: [delegate], agent: [calls(ask())] }), ["ask_user"])
      assert.deepStrictEqual(yield* outliving(agent, [calls(ask(), remove("a"), { tool: "look" })]), [
        "approval",
        "ask_user"
      ])
      assert.deepStrictEqual(yield* outliving(agent, [text("Hi.")]), [])
    }).pipe(Effect.provide(live)))

  it.effect("T210 abandoning gives each call that waits a result, leaves the others, and does nothing without one", () =>
    Effect.gen(function*() {
      const abandoned = (...step: ReadonlyArray<ScriptedModel.Call>) =>
        Effect.gen(function*() {
          const { abandon, run, session } = yield* conversation(agent, [calls(...step), text("Done.")])
          yield* run()
          yield* abandon()
          const after = yield* session()
          assert.deepStrictEqual(after.open, [])
          return endsOf(after).map(({ failed, tool }) => `${tool} ${failed}`)
        })
      assert.deepStrictEqual(yield* abandoned(ask()), ["ask_user true"])
      assert.deepStrictEqual(yield* abandoned(ask(), remove("a")), ["ask_user true", "delete_file true"])
      assert.deepStrictEqual(yield* abandoned({ tool: "look" }, ask()), ["look false", "ask_user true"])
      assert.deepStrictEqual(yield* abandoned({ tool: "look" }), ["look false"])
    }).pipe(Effect.provide(live)))

  it.effect("T212 answers are applied before anything else is shown, and those that nothing waits for show nothing", () =>
    Effect.gen(function*() {
      const { context, run } = yield* conversation(agent, [calls(ask()), text("Done.")])
      yield* run()
      const kinds = Effect.gen(function*() {
        const shown: Array<string> = []
        const exit = yield* AgentRunner.stream(agent, {
          app: "app",
          user: "u-1",
          session: "s-1",
          answers: [choose(first, "red")]
        }).pipe(
          Stream.provideContext(context),
          Stream.runForEach((item) =>
            Effect.sync(() => shown.push(item._tag === "Event" ? item.event.kind : item._tag))
          ),
          Effect.exit
        )
        return [exit._tag, shown.filter((kind) => kind !== "Part")]
      })
      assert.deepStrictEqual(yield* kinds, ["Success", ["answered", "call", "model", "ended", "Result"]])
      assert.deepStrictEqual(yield* kinds, ["Failure", []])
    }).pipe(Effect.provide(live)))

  it.effect("T214 a message while a question is open is refused, and taken once the question is abandoned", () =>
    Effect.gen(function*() {
      const { abandon, run } = yield* conversation(agent, [calls(ask()), text("Something else, then.")])
      yield* run()
      const reason = yield* reasonOf(run("Something else."))
      assert.deepStrictEqual(reason._tag === "QuestionsOpen" && idsOf(reason.open), [first])
      yield* abandon()
      assert.strictEqual(textOf(yield* run("Something else.")), "Something else, then.")
    }).pipe(Effect.provide(live)))

  it.effect("T215 a session that is loaded lists each open question with its call, and none where none is open", () =>
    Effect.gen(function*() {
      const loaded = (...step: ReadonlyArray<ScriptedModel.Call>) =>
        Effect.gen(function*() {
          const { run } = yield* conversation(agent, [calls(...step), text("Done.")])
          const again = yield* restarted(agent, (yield* run()).session, [])
          return (yield* again.session()).open.map(({ call, tool }) => [call, tool])
        })
      assert.deepStrictEqual(yield* loaded(ask()), [["i1.1.1", "ask_user"]])
      assert.deepStrictEqual(yield* loaded(ask(), ask()), [["i1.1.1", "ask_user"], ["i1.1.2", "ask_user"]])
      assert.deepStrictEqual(yield* loaded({ tool: "look" }), [])
    }).pipe(Effect.provide(live)))

  it.effect("T216 a question is asked once and answered once in the log, whatever comes after", () =>
    Effect.gen(function*() {
      const { resume, run, session } = yield* conversation(agent, [
        text("Hi."),
        calls(ask()),
        text("Done."),
        text("And on.")
      ])
      yield* run()
      const turns = Effect.map(session(), (of) => logOf(of).filter((line) => / (asked|answered) /.test(line)))
      assert.deepStrictEqual(yield* turns, [])
      yield* run()
      assert.deepStrictEqual(yield* turns, ["agent: asked i2.1.1?1"])
      yield* resume([choose("i2.1.1?1", "red")])
      yield* run()
      assert.deepStrictEqual(yield* turns, ["agent: asked i2.1.1?1", "agent: answered i2.1.1?1"])
    }).pipe(Effect.provide(live)))

  it.effect("T217 the result of a call that halts is the answer: a text, an empty one, null; of several the last", () =>
    Effect.gen(function*() {
      const answer = (...step: ReadonlyArray<ScriptedModel.Call>) =>
        Effect.flatMap(conversation(agent, [calls(...step)]), ({ run }) => Effect.map(run(), textOf))
      assert.strictEqual(yield* answer(halt("We are closed.")), "We are closed.")
      assert.strictEqual(yield* answer(halt("")), "")
      assert.strictEqual(yield* answer(halt(null)), "null")
      assert.strictEqual(yield* answer(halt("One."), halt("Two.")), "Two.")
      assert.strictEqual(yield* answer(halt("One."), { tool: "look" }), "One.")
    }).pipe(Effect.provide(live)))
})
