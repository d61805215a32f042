import { assert, describe, it } from "@effect/vitest"
import { Effect, ExecutionPlan, Exit, Layer, Schema, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  ModelPlan,
  Reducer,
  Session,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, good, idsOf, openOf, reasonOf, statusesOf, textOf, told } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Job = Interrupt.make("job", { question: Schema.String, answer: Schema.Int })
const Start = Tool.make("start", { success: Schema.String, asks: [Job] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const ref = { app: "app", session: "s-1", user: "u-1" } as const

describe("an answer to a pending call", () => {
  it.effect("leaves the calls of a step that waits in the history", () => {
    const kit = Toolkit.make(Start, Wonder)
    const agent = Agent.make("agent", { instructions: "", toolkit: kit })
    return Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [call("start"), call("wonder"), text("Done.")])
      yield* run()
      yield* resume([Job.answer("i1.1.1?pending", 5)])
      yield* resume([Confirm.answer("i1.2.1?1", true)])
      assert.deepStrictEqual(told(requests.at(-1)), [
        "user: Go.",
        "assistant: start({})",
        "tool: start = 5",
        "assistant: wonder({})",
        "tool: wonder = true"
      ])
    }).pipe(Effect.provide(Toolkit.layer(kit, {
      start: () => Effect.as(Job.pending("j"), "started"),
      wonder: () => Confirm.ask("Sure?")
    })))
  })
})

describe("two hooks of one middleware that ask", () => {
  for (const kind of ["beforeRun", "beforeStep", "beforeModel"] as const) {
    const agentOf = (...questions: ReadonlyArray<string>) =>
      Agent.make("agent", {
        instructions: "",
        middleware: [Middleware.make("two", {
          hooks: questions.map((question) =>
            Middleware[kind]({ asks: [Confirm] }, () => Effect.asVoid(Confirm.ask(question)))
          )
        })]
      })

    it.effect(`ask one after the other (${kind})`, () =>
      Effect.gen(function*() {
        const { resume, run } = yield* conversation(agentOf("A?", "B?"), [text("Done.")])
        const first = yield* run()
        const second = yield* resume(openOf(first).map(({ id }) => Confirm.answer(id, true)))
        const third = yield* resume(openOf(second).map(({ id }) => Confirm.answer(id, true)))
        assert.deepStrictEqual(
          [...openOf(first), ...openOf(second)].map(({ question }) => question),
          ["A?", "B?"]
        )
        assert.strictEqual(textOf(third), "Done.")
      }))

    it.effect(`get an answer each, also to one question (${kind})`, () =>
      Effect.gen(function*() {
        const { resume, run } = yield* conversation(agentOf("Sure?", "Sure?"), [text("Done.")])
        const next = yield* resume(openOf(yield* run()).map(({ id }) => Confirm.answer(id, true)))
        assert.strictEqual(next._tag, "Paused")
      }))
  }
})

describe("a message that waits at a pause of a hook", () => {
  const asking = Middleware.make("ask", {
    hooks: [
      Middleware.afterRun(
        { asks: [Confirm] },
        ({ status }) => status === "completed" ? Effect.asVoid(Confirm.ask("Publish?")) : Effect.void
      )
    ]
  })
  const agent = Agent.make("agent", { instructions: "", middleware: [asking] })
  const posted = AgentRunner.post(agent, { ...ref, key: "m", input: "More." })

  it.effect("is not taken while the question is open", () =>
    Effect.gen(function*() {
      const { context, requests, resume, run } = yield* conversation(agent, [text("First."), text("Second.")])
      yield* run()
      yield* Effect.provideContext(posted, context)
      const still = yield* resume([])
      assert.deepStrictEqual([requests.length, still.session.history.length], [1, 2])
    }))

  it.effect("is answered before the question is asked anew, of the new answer", () =>
    Effect.gen(function*() {
      const { context, resume, run } = yield* conversation(agent, [text("First."), text("Second.")])
      const paused = yield* run()
      yield* Effect.provideContext(posted, context)
      const next = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(idsOf(openOf(next)), ["i1.2.ask.afterRun?1"])
      assert.strictEqual(textOf(yield* resume([Confirm.answer("i1.2.ask.afterRun?1", true)])), "Second.")
    }))
})

describe("a call that is tried again", () => {
  it.effect("has the temp operations of its sub-agent still", () => {
    const Mine = State.make("mine", { name: State.field(Schema.String, { initial: "x", scope: "user" }) })
    const Scratch = State.make("scratch", {
      n: State.field(Schema.Int, { initial: 0, scope: "temp", reducer: Reducer.sum })
    })
    const childKit = Toolkit.make(Tool.make("add", { combines: [Scratch.n] }))
    const parentKit = Toolkit.make(Tool.make("show", { success: Schema.Int, reads: [Scratch.n] }))
    let disturb: Effect.Effect<unknown> = Effect.void
    let times = 0
    const marking = Middleware.make("marking", {
      hooks: [
        Middleware.afterTool({ writes: [Mine.name] }, ({ tool }) =>
          Effect.gen(function*() {
            if (tool !== "child") return
            const name = yield* Mine.name.get
            times += 1
            if (times === 1) yield* disturb
            yield* Mine.name.set(`${name}!`)
          }))
      ]
    })
    const child = Agent.make("child", { instructions: "c", toolkit: childKit })
    const parent = Agent.make("parent", {
      instructions: "p",
      toolkit: parentKit,
      subAgents: [SubAgent.make(child)],
      middleware: [marking]
    })
    return Effect.gen(function*() {
      const { context, run } = yield* conversation(parent, {
        parent: [text("Hi."), call("child", { task: "t" }), call("show"), text("Done.")],
        child: [call("add"), text("Long work.")]
      })
      yield* run("Go.", { session: "other" })
      const write = Session.write({ app: "app", user: "u-1", session: "other" }, [Mine.name.to("y")])
      disturb = Effect.orDie(Effect.provideContext(write, context))
      const { session } = yield* run()
      assert.deepStrictEqual([endsOf(session).at(-1), times], [good("show", 1), 2])
    }).pipe(Effect.provide([
      Toolkit.layer(childKit, { add: () => Scratch.n.combine(1) }),
      Toolkit.layer(parentKit, { show: () => Scratch.n.get })
    ]))
  })
})

describe("a hook's question whose run ended", () => {
  it.effect("is not listed any more", () => {
    const asking = Middleware.make("asking", {
      hooks: [Middleware.beforeModel({ asks: [Confirm] }, () => Effect.asVoid(Confirm.ask("May I?")))]
    })
    return Effect.gen(function*() {
      const { abandon, resume, run } = yield* conversation(
        Agent.make("agent", { instructions: "", middleware: [asking] }),
        [text("x")]
      )
      yield* run()
      yield* abandon()
      const again = yield* resume([])
      assert.deepStrictEqual(idsOf(openOf(again)), idsOf(again.session.open))
    })
  })

  it.effect("holds up no message, also where it was asked in a sub-agent beside a limit", () => {
    const asking = Middleware.make("asking", {
      hooks: [Middleware.beforeRun({ asks: [Confirm] }, () => Effect.asVoid(Confirm.ask("May I?")))]
    })
    const a = Agent.make("a", { instructions: "", middleware: [asking] })
    const b = Agent.make("b", { instructions: "" })
    const parent = Agent.make("parent", {
      instructions: "",
      subAgents: [SubAgent.make(a), SubAgent.make(b)],
      limits: { steps: 1 }
    })
    const to = (tool: string) => ({ tool, parameters: { task: "t" } })
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(parent, {
        parent: [calls(to("a"), to("b")), text("Again.")],
        a: [text("A")],
        b: [text("B")]
      })
      assert.strictEqual((yield* reasonOf(run()))._tag, "LimitReached")
      assert.deepStrictEqual((yield* session()).open, [])
      assert.strictEqual(textOf(yield* run("Next.")), "Again.")
    })
  })
})

describe("rows of a field that a later program renamed", () => {
  const Old = State.make("profile", { nick: State.field(Schema.String, { initial: "nobody", scope: "user" }) })
  const New = State.make("profile", { name: State.field(Schema.String, { initial: "nobody", scope: "user" }) }, {
    history: State.history(1, Schema.Struct({ nick: Schema.String })),
    up: ({ nick }) => ({ name: nick })
  })

  it.effect("tell an earlier program that it is too old, at a read too", () => {
    const oldKit = Toolkit.make(Tool.make("touch", { success: Schema.String, reads: [Old.nick] }))
    const newKit = Toolkit.make(Tool.make("touch", { success: Schema.String, writes: [New.name] }))
    const model = ScriptedModel.layer([call("touch"), text("done")])
    const where = { user: "u", input: "x" } as const
    return Effect.gen(function*() {
      yield* AgentRunner.run(Agent.make("host", { instructions: "", toolkit: newKit }), { ...where, session: "a" })
        .pipe(
          Effect.provide([model, Toolkit.layer(newKit, { touch: () => Effect.as(New.name.set("ada"), "ok") })])
        )
      const older = Agent.make("host", { instructions: "", toolkit: oldKit })
      const { reason } = yield* Effect.flip(
        Effect.provide(AgentRunner.run(older, { ...where, session: "b" }), [
          model,
          Toolkit.layer(oldKit, { touch: () => Old.nick.get })
        ])
      )
      assert.deepInclude(reason, { _tag: "StateError", section: "profile", version: 2 })
    }).pipe(Effect.provide(SessionStore.layerMemory))
  })

  it.live("are brought up to date for a hook on events without a hang", () => {
    const kit = Toolkit.make(Tool.make("touch", { writes: [Old.nick] }))
    const watch = Middleware.make("watch", {
      hooks: [Middleware.onEvent({ reads: [New.name] }, () => Effect.asVoid(New.name.get))]
    })
    const older = Agent.make("host", { instructions: "x", toolkit: kit })
    const newer = Agent.make("host", { instructions: "x", middleware: [watch] })
    const where = { user: "u", app: "host", input: "Go." }
    return Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const oldRun = Effect.provide(AgentRunner.run(older, { ...where, session: "old" }), [
        Toolkit.layer(kit, { touch: () => Old.nick.set("ada") }),
        ScriptedModel.layer([call("touch"), text("Done.")])
      ]).pipe(Effect.provideService(SessionStore.SessionStore, store), Effect.orDie)
      const result = yield* Effect.provide(AgentRunner.run(newer, { ...where, session: "new" }), [
        ScriptedModel.layer([() => Effect.as(oldRun, text("Done."))])
      ])
      assert.strictEqual(result.session.state.get(New.name), "ada")
    }).pipe(Effect.provide(SessionStore.layerMemory))
  })
})

describe("what a handler asked of the loop", () => {
  it.effect("goes with its failure, also where a hook mends that", () => {
    const kit = Toolkit.make(Tool.make("f", { success: Schema.String, asks: [Job] }))
    const mending = Middleware.make("mending", {
      hooks: [
        Middleware.afterTool(
          {},
          ({ result }) => Effect.succeed(result.isFailure ? Middleware.result("mended") : undefined)
        )
      ]
    })
    const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [mending] })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [call("f"), text("Summed up.")])
      const result = yield* run()
      assert.deepStrictEqual([requests.length, result.session.open], [2, []])
    }).pipe(Effect.provide(Toolkit.layer(kit, {
      f: () =>
        Effect.gen(function*() {
          yield* (yield* ToolCall.ToolCall).actions.end
          yield* Job.pending("j")
          return yield* Effect.die("boom")
        })
    })))
  })

  it.effect("stays with its success, also where a hook withholds that", () => {
    const kit = Toolkit.make(Start)
    const withholding = Middleware.make("withholding", {
      hooks: [Middleware.afterTool({}, () => Effect.succeed(Middleware.result("withheld", { isFailure: true })))]
    })
    const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [withholding] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("start"), text("Ok.")])
      assert.deepStrictEqual(idsOf((yield* run()).session.open), ["i1.1.1?pending"])
    }).pipe(Effect.provide(Toolkit.layer(kit, { start: () => Effect.as(Job.pending("j"), "started") })))
  })
})

describe("a hook after a run", () => {
  const kit = Toolkit.make(Wonder)
  const live = Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })
  const asking = Middleware.make("asking", {
    hooks: [Middleware.afterRun({ asks: [Confirm] }, () => Effect.asVoid(Confirm.ask("Really?")))]
  })
  const failing = Middleware.make("failing", { hooks: [Middleware.afterRun({}, () => Effect.fail("no"))] })

  for (const middleware of [asking, failing]) {
    it.effect(`does not hide that a limit was reached (${middleware.name})`, () => {
      const agent = Agent.make("agent", { instructions: "", middleware: [middleware], limits: { steps: 0 } })
      return Effect.gen(function*() {
        const { run, session } = yield* conversation(agent, [])
        assert.strictEqual((yield* reasonOf(run()))._tag, "LimitReached")
        assert.deepStrictEqual((yield* session()).open, [])
      })
    })
  }

  it.effect("that asks at a pause leaves the questions of calls to be seen", () => {
    const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [asking] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("wonder")])
      assert.deepStrictEqual(idsOf(openOf(yield* run())), ["i1.1.1?1", "i1.1.asking.afterRun?1"])
    }).pipe(Effect.provide(live))
  })
})

describe("a message that comes with the last answer", () => {
  it.effect("is taken also where a hook's question is left from an earlier pause", () => {
    const kit = Toolkit.make(Wonder)
    let late: Effect.Effect<void> = Effect.void
    const asking = Middleware.make("asking", {
      hooks: [
        Middleware.afterRun(
          { asks: [Confirm] },
          ({ status }) => status === "paused" ? Effect.asVoid(Confirm.ask("Wait?")) : Effect.suspend(() => late)
        )
      ]
    })
    const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [asking] })
    return Effect.gen(function*() {
      const { context, resume, run } = yield* conversation(agent, [call("wonder"), text("First."), text("Second.")])
      yield* run()
      late = Effect.orDie(Effect.provideContext(AgentRunner.post(agent, { ...ref, key: "m", input: "More." }), context))
      const result = yield* resume([Confirm.answer("i1.1.1?1", true)])
      assert.deepStrictEqual([textOf(result), result.session.open], ["Second.", []])
    }).pipe(Effect.provide(Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })))
  })
})

describe("ends", () => {
  it.effect("escalation holds over an answer of the hook after the run", () => {
    const kit = Toolkit.make(Tool.make("up", { success: Schema.String }))
    const polite = Middleware.make("polite", {
      hooks: [Middleware.afterRun({}, () => Effect.succeed(Middleware.answer("A person will call.")))]
    })
    const child = Agent.make("child", { instructions: "", toolkit: kit, middleware: [polite] })
    const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(parent, {
        parent: [call("child", { task: "t" })],
        child: [call("up")]
      })
      assert.deepStrictEqual([textOf(yield* run()), requests.length], ["A person will call.", 2])
    }).pipe(Effect.provide(Toolkit.layer(kit, {
      up: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.escalate, "up"))
    })))
  })

  for (const kind of ["call", "ended"] as const) {
    it.effect(`are in the log once where a hook fails on an event (${kind})`, () => {
      const kit = Toolkit.make(Tool.make("do", {}))
      const failing = Middleware.make("failing", {
        hooks: [Middleware.onEvent({}, (event) => event.kind === kind ? Effect.fail("full") : Effect.void)]
      })
      const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [failing] })
      return Effect.gen(function*() {
        const { run, session } = yield* conversation(agent, [call("do"), text("Done.")])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(run())))
        assert.lengthOf(statusesOf(yield* session()), 1)
      }).pipe(Effect.provide(Toolkit.layer(kit, { do: () => Effect.void })))
    })
  }

  it.effect("an error in a model's stream lets the next model of a plan answer", () => {
    const broken = Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: () => Effect.die("not asked"),
        streamText: () => Stream.fromIterable([{ type: "error", error: "overloaded" }] as const)
      })
    )
    const models = ModelPlan.layer(
      ExecutionPlan.make({ provide: broken }, { provide: ScriptedModel.layer([text("Whole.")]) })
    )
    return Effect.gen(function*() {
      const items = yield* Stream.runCollect(
        AgentRunner.stream(Agent.make("agent", { instructions: "" }), { session: "s", input: "Go." })
      )
      const last = items.at(-1)
      assert.strictEqual(last?._tag === "Result" && textOf(last.result), "Whole.")
    }).pipe(Effect.provide([models, SessionStore.layerMemory]))
  })
})
