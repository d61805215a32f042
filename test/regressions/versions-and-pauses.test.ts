import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Latch, Schema, Stream } from "effect"
import { LanguageModel, Tool as AiTool } from "effect/ai"
import { TestClock } from "effect/testing"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  SessionStore,
  State,
  StateSerializer,
  SubAgent,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, openOf, reasonOf, restarted, textOf } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const wondering = Toolkit.make(Wonder)
const asking = Toolkit.layer(wondering, { wonder: () => Confirm.ask("Sure?") })

describe("a user section with a history", () => {
  const Old = State.make("profile", { nick: State.field(Schema.String, { initial: "nobody", scope: "user" }) })
  const New = State.make("profile", { name: State.field(Schema.String, { initial: "nobody", scope: "user" }) }, {
    history: State.history(1, Schema.Struct({ nick: Schema.String })),
    up: ({ nick }) => ({ name: nick })
  })
  it.effect("does not keep an older session from going on", () =>
    Effect.gen(function*() {
      const SetNick = Toolkit.make(Tool.make("touch", { writes: [Old.nick] }))
      const GetName = Toolkit.make(Tool.make("touch", { success: Schema.String, reads: [New.name] }))
      const older = Agent.make("host", { instructions: "Greet.", toolkit: SetNick })
      const newer = Agent.make("host", { instructions: "Greet.", toolkit: GetName })
      const model = ScriptedModel.layer([call("touch"), text("done")])
      const where = { session: "s", user: "u", input: "hi" }
      yield* Effect.provide(AgentRunner.run(older, where), [
        model,
        Toolkit.layer(SetNick, { touch: () => Old.nick.set("ada") })
      ])
      // the same session, by the new program
      const { session } = yield* Effect.provide(AgentRunner.run(newer, where), [
        model,
        Toolkit.layer(GetName, { touch: () => New.name.get })
      ])
      assert.strictEqual(endsOf(session)[1]?.value, "ada")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("two versions of a program on one user's rows", () => {
  const Old = State.make("wallet", {
    sum: State.field(Schema.Int, { initial: 1, reducer: Reducer.sum, scope: "user" })
  })
  const New = State.make("wallet", {
    sum: State.field(Schema.Int, { initial: 100, reducer: Reducer.sum, scope: "user" })
  }, { history: State.history(1, Schema.Struct({ sum: Schema.Int })), up: ({ sum }) => ({ sum: sum * 100 }) })
  const oldKit = Toolkit.make(Tool.make("add", { combines: [Old.sum] }))
  const newKit = Toolkit.make(Tool.make("show", { success: Schema.Int, writes: [New.sum] }))
  const older = Agent.make("host", { instructions: "x", toolkit: oldKit })
  const newer = Agent.make("host", { instructions: "x", toolkit: newKit })
  const where = { user: "u", app: "host", input: "Go." }

  it.effect("an older one that still runs does not write into migrated rows", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const go = yield* Latch.make()
      const oldLive = (wait: Effect.Effect<void>) =>
        Toolkit.layer(oldKit, { add: () => Effect.andThen(Old.sum.combine(1), wait) })
      const oldRun = (session: string, wait: Effect.Effect<void>) =>
        Effect.provide(AgentRunner.run(older, { ...where, session }), [
          oldLive(wait),
          ScriptedModel.layer([call("add"), text("Done.")])
        ])
      const shown = (session: string) =>
        Effect.map(
          Effect.provide(AgentRunner.run(newer, { ...where, session }), [
            Toolkit.layer(newKit, { show: () => New.sum.get }),
            ScriptedModel.layer([call("show"), text("Done.")])
          ]),
          (result) => endsOf(result.session)[0]?.value
        )
      yield* oldRun("a", Effect.void) // 2, version 1
      const fiber = yield* Effect.forkChild(
        Effect.exit(oldRun("b", Effect.andThen(Deferred.succeed(reached, undefined), go.await)))
      )
      yield* Deferred.await(reached)
      assert.strictEqual(yield* shown("c"), 200) // migrated
      yield* go.open
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* shown("d"), 200)
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it.effect("a newer one loses no combine on rows that an older one wrote after its start", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const oldRun = Effect.orDie(Effect.asVoid(Effect.provide(AgentRunner.run(older, { ...where, session: "old" }), [
        Toolkit.layer(oldKit, { add: () => Old.sum.combine(1) }),
        ScriptedModel.layer([call("add"), text("Done.")])
      ]))).pipe(Effect.provideService(SessionStore.SessionStore, store))
      const { session } = yield* Effect.provide(AgentRunner.run(newer, { ...where, session: "new" }), [
        Toolkit.layer(newKit, { show: () => Effect.andThen(New.sum.combine(1), New.sum.get) }),
        ScriptedModel.layer([() => Effect.as(oldRun, call("show")), text("Done.")])
      ])
      assert.strictEqual(endsOf(session)[0]?.value, 201)
      assert.strictEqual(session.state.get(New.sum), 201)
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("an error in the model's stream", () => {
  it.effect("is a failure of the run", () =>
    Effect.gen(function*() {
      const model = yield* LanguageModel.make({
        generateText: () => Effect.die("not asked"),
        streamText: () =>
          Stream.fromIterable(
            [
              { type: "text-start", id: "t" },
              { type: "text-delta", id: "t", delta: "Half an ans" },
              { type: "text-end", id: "t" },
              { type: "error", error: "overloaded" }
            ] as const
          )
      })
      const agent = Agent.make("agent", { instructions: "x" })
      const exit = yield* Stream.runCollect(AgentRunner.stream(agent, { session: "s", input: "hi" })).pipe(
        Effect.provideService(LanguageModel.LanguageModel, model),
        Effect.exit
      )
      assert.isTrue(Exit.isFailure(exit)) // completes with "Half an ans"
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a delegating call that ends while a question below it is open", () => {
  it.effect("closes it: by the sub-agent's own limit", () =>
    Effect.gen(function*() {
      const low = Agent.make("low", { instructions: "Low." })
      const mid = Agent.make("mid", {
        instructions: "Mid.",
        toolkit: wondering,
        subAgents: [SubAgent.make(low)],
        limits: { steps: 1 }
      })
      const top = Agent.make("top", { instructions: "Top.", subAgents: [SubAgent.make(mid)] })
      const { run } = yield* conversation(top, {
        top: [call("mid", { task: "Go." }), text("Done."), text("Again.")],
        mid: [calls({ tool: "wonder" }, { tool: "low", parameters: { task: "Go." } })]
      })
      const result = yield* run()
      assert.strictEqual(textOf(result), "Done.")
      assert.deepStrictEqual(result.session.open, [])
      assert.strictEqual(textOf(yield* run("Next.")), "Again.")
    }).pipe(Effect.provide(asking)))
})

describe("a new message after a crash", () => {
  it.effect("does not give a call's id twice", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Tool.make("do", { success: Schema.String }).annotate(AiTool.Idempotent, true))
      const child = Agent.make("child", { instructions: "c", toolkit: kit })
      const parent = Agent.make("parent", { instructions: "p", subAgents: [SubAgent.make(child)] })
      const ids: Array<string> = []
      const live = Toolkit.layer(kit, {
        do: () => Effect.map(ToolCall.ToolCall, ({ id }) => (ids.push(id), id))
      })
      const first = yield* conversation(parent, {
        parent: [call("child", { task: "Go." }), text("Done.")],
        child: [call("do"), text("Did.")]
      })
      const { events } = (yield* Effect.provide(first.run(), live)).session
      // the process ends after the sub-agent's first call
      const cut = events.slice(0, events.findIndex(({ kind }) => kind === "call") + 1)
      const second = yield* restarted(parent, { events: cut }, {
        parent: [text("Fine.")],
        child: [call("do"), text("Did.")]
      })
      yield* Effect.provide(second.run("A new message."), live)
      assert.strictEqual(new Set(ids).size, 2, ids.join(" ")) // i1.1.1/1.1 i1.1.1/1.1
    }))

  it.effect("does not give two messages one invocation", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Wonder.annotate(AiTool.Idempotent, true))
      const agent = Agent.make("agent", { instructions: "p", toolkit: kit, limits: { steps: 2 } })
      const live = Toolkit.layer(kit, { wonder: () => Confirm.ask("?") })
      const first = yield* conversation(agent, [call("wonder")])
      const { events } = (yield* Effect.provide(first.run(), live)).session
      const cut = events.slice(0, events.findIndex(({ kind }) => kind === "model") + 1)
      const again = yield* restarted(agent, { events: cut }, [text("First."), call("unknown"), text("Second.")])
      assert.strictEqual((yield* reasonOf(Effect.provide(again.run("Second"), live)))._tag, "QuestionsOpen")
      const { open } = yield* again.session()
      const one = yield* Effect.provide(again.resume(open.map(({ id }) => Confirm.answer(id, true))), live)
      const two = yield* Effect.provide(again.run("Second"), live) // fails: LimitReached, steps 2
      assert.notStrictEqual(two.invocation, one.invocation)
    }))
})

describe("a hook around a delegation that pauses", () => {
  for (const scope of ["session", "user"] as const) {
    it.effect(`does not meet its own write on resume: ${scope}`, () => {
      const Quota = State.make("quota", { used: State.field(Schema.Int, { initial: 0, scope }) })
      const quota = Middleware.make("quota", {
        hooks: [Middleware.beforeTool({ writes: [Quota.used] }, () =>
          Effect.gen(function*() {
            const used = yield* Quota.used.get
            if (used >= 1) return Middleware.refuse("the quota is used up")
            yield* Quota.used.set(used + 1)
            return undefined
          }))]
      })
      const child = Agent.make("child", { instructions: "x", toolkit: wondering })
      const parent = Agent.make("parent", { instructions: "x", middleware: [quota], subAgents: [SubAgent.make(child)] })
      return Effect.gen(function*() {
        const { resume, run } = yield* conversation(parent, {
          parent: [call("child", { task: "t" }), text("Done.")],
          child: [call("wonder"), text("Sub.")]
        })
        const open = openOf(yield* run())
        const done = yield* resume(open.map(({ id }) => Confirm.answer(id, true)))
        assert.deepStrictEqual(endsOf(done.session).at(-1), { tool: "child", failed: false, value: "Sub." })
      }).pipe(Effect.provide(asking))
    })
  }
})

describe("a combine by a reducer of one's own, beside a plain write", () => {
  const longest = Reducer.make((a: string, b: string) => b.length > a.length ? b : a, { commutative: true })
  const Mine = State.make("mine", {
    theme: State.field(Schema.String, { initial: "light", scope: "user", onConflict: "last" }),
    best: State.field(Schema.String, { initial: "", scope: "user", reducer: longest })
  })
  const kit = Toolkit.make(
    Tool.make("do", { parameters: Schema.Struct({ who: Schema.String }), writes: [Mine.theme], combines: [Mine.best] })
  )
  const agent = Agent.make("agent", { instructions: "w", toolkit: kit })
  it.effect("is not refused", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const go = yield* Latch.make()
      const { run } = yield* conversation(agent, [
        call("do", { who: "first" }),
        call("do", { who: "second" }),
        text("Second."),
        text("First.")
      ])
      const live = Toolkit.layer(kit, {
        do: ({ who }) =>
          who === "second" ? Mine.best.combine("second one") : Effect.gen(function*() {
            yield* Mine.theme.set("dark")
            yield* Mine.best.combine("first")
            yield* Deferred.succeed(reached, undefined)
            yield* go.await
          })
      })
      const { session } = yield* Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(run("Go.", { session: "a" }))
        yield* Deferred.await(reached)
        yield* run("Go.", { session: "b" })
        yield* go.open
        return yield* Fiber.join(fiber)
      }).pipe(Effect.provide(live))
      assert.deepStrictEqual(endsOf(session), [{ tool: "do", failed: false, value: null }])
      assert.deepStrictEqual([session.state.get(Mine.theme), session.state.get(Mine.best)], ["dark", "second one"])
    }))
})

describe("a section that comes to a new version while sub-agents are paused", () => {
  const program = (version: 1 | 2) => {
    const fields = { words: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) }
    const Doc = version === 1 ? State.make("doc", fields) : State.make("doc", fields, {
      history: State.history(1, Schema.Struct({ words: Schema.Int })),
      up: (all) => all
    })
    const kit = Toolkit.make(Tool.make("write", { combines: [Doc.words] }), Wonder)
    const child = Agent.make("child", { instructions: "c", toolkit: kit })
    const parent = Agent.make("parent", {
      instructions: "p",
      subAgents: [SubAgent.make(child, { returns: [Doc.words] })]
    })
    const live = Toolkit.layer(kit, { write: () => Doc.words.combine(1), wonder: () => Confirm.ask("Sure?") })
    return { Doc, live, parent }
  }
  for (const version of [1, 2] as const) {
    it.effect(`loses no combine of theirs in silence: goes on with version ${version}`, () =>
      Effect.gen(function*() {
        const one = program(1)
        const two = program(version)
        const first = yield* conversation(one.parent, {
          parent: [calls({ tool: "child", parameters: { task: "A" } }, { tool: "child", parameters: { task: "B" } })],
          child: [1, 2, 3, 4].map(() => ({ prompt }: ScriptedModel.Request) =>
            call(prompt.content.at(-1)?.role === "tool" ? "wonder" : "write")
          )
        })
        const paused = yield* Effect.provide(first.run(), one.live)
        const next = yield* restarted(two.parent, paused.session, {
          parent: [text("Done.")],
          child: [text("a"), text("b")]
        })
        const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
        const done = yield* Effect.provide(next.resume(answers), two.live)
        // what was made of an older version's values holds only where nobody else wrote
        const lost = endsOf(done.session).filter(({ failed }) => failed).map(({ value }) =>
          (value as { _tag: string })._tag
        )
        assert.deepStrictEqual(
          [done.session.state.get(two.Doc.words), lost],
          version === 1 ? [2, []] : [1, ["InvalidStateWrite"]]
        )
      }))
  }
})

describe("a section that a sub-agent starts anew, stored by an earlier version", () => {
  const OldTodo = State.make("todo", { items: State.field(Schema.Array(Schema.String), { initial: [] }) }, {
    child: "fresh"
  })
  const Todo = State.make("todo", { list: State.field(Schema.Array(Schema.String), { initial: [] }) }, {
    child: "fresh",
    history: State.history(1, Schema.Struct({ items: Schema.Array(Schema.String) })),
    up: ({ items }) => ({ list: items })
  })
  const oldKit = Toolkit.make(Tool.make("see", { success: Schema.Array(Schema.String), reads: [OldTodo.items] }))
  const kit = Toolkit.make(Tool.make("see", { success: Schema.Array(Schema.String), reads: [Todo.list] }))
  for (const snapshot of ["spawn", "step"] as const) {
    it.effect(`is started anew: ${snapshot}`, () =>
      Effect.gen(function*() {
        const older = Agent.make("parent", { instructions: "p", toolkit: oldKit })
        const first = yield* conversation(older, [text("Hi.")])
        const { session } = yield* Effect.provide(
          first.run("Go.", { state: [OldTodo.items.to(["the parent's"])] }),
          Toolkit.layer(oldKit, { see: () => OldTodo.items.get })
        )
        const child = Agent.make("child", { instructions: "c", toolkit: kit })
        const parent = Agent.make("parent", {
          instructions: "p",
          toolkit: kit,
          subAgents: [SubAgent.make(child, { snapshot })]
        })
        const second = yield* restarted(parent, session, {
          parent: [call("child", { task: "Go." }), text("Done.")],
          child: [call("see"), text("Seen.")]
        })
        const result = yield* Effect.provide(second.run(), Toolkit.layer(kit, { see: () => Todo.list.get }))
        assert.deepStrictEqual(endsOf(result.session)[0]?.value, [])
      }))
  }
})

describe("a state whose reader did not know a section", () => {
  const Old = State.make("doc", { price: State.field(Schema.Int, { initial: 0 }) })
  const New = State.make("doc", { price: State.field(Schema.Int, { initial: 0 }) }, {
    history: State.history(1, Schema.Struct({ price: Schema.Int })),
    up: ({ price }) => ({ price: price * 100 })
  })
  it.effect("is serialized with the version that its values have", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: "x" })
      yield* Effect.provide(
        AgentRunner.run(agent, { session: "s", input: "x", state: [Old.price.to(5)] }),
        ScriptedModel.layer([text("ok")])
      )
      const { state } = yield* Session.load({ app: "agent", session: "s" })
      const serializer = StateSerializer.make([New])
      const back = yield* serializer.deserialize(yield* serializer.serialize(state))
      assert.strictEqual(back.get(New.price), 500)
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a fiber that a handler left behind", () => {
  const Here = State.make("here", { n: State.field(Schema.Int, { initial: 0 }) })
  const kit = Toolkit.make(Tool.make("do", { success: Schema.Boolean, writes: [Here.n], asks: [Confirm] }))
  const around = Middleware.make("around", { hooks: [Middleware.beforeTool({}, () => Effect.void)] })
  for (const middleware of [[], [around]]) {
    it.effect(`cannot write once a question ended its call (${middleware.length} middleware)`, () => {
      const exits: Array<Exit.Exit<void>> = []
      const agent = Agent.make("agent", { instructions: "x", toolkit: kit, middleware })
      return Effect.gen(function*() {
        const go = yield* Latch.make()
        const { run } = yield* conversation(agent, [call("do")])
        const late = Effect.andThen(go.await, Effect.map(Effect.exit(Here.n.set(1)), (exit) => void exits.push(exit)))
        const live = Toolkit.layer(kit, { do: () => Effect.andThen(Effect.forkDetach(late), Confirm.ask("Sure?")) })
        yield* Effect.provide(run(), live)
        yield* go.open
        yield* Effect.repeat(Effect.yieldNow, { times: 5 })
        assert.deepStrictEqual(exits.map(({ _tag }) => _tag), ["Failure"])
      })
    })
  }
})

describe("a hook that edits the parameter which names an entry", () => {
  const Shop = State.make("shop", { orders: State.record(Schema.String, Schema.Int) })
  const Put = Tool.make("put", { parameters: Schema.Struct({ id: Schema.String }), writes: [Shop.orders.at("id")] })
  const kit = Toolkit.make(Put)
  it.effect("fails the run: the call was let in for another entry", () => {
    const editing = Middleware.make("editing", {
      hooks: [Middleware.beforeTool({}, () => Effect.succeed(Middleware.edit({ id: "b" })))]
    })
    const agent = Agent.make("agent", { instructions: "x", toolkit: kit, middleware: [editing] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("put", { id: "a" })])
      assert.deepInclude(yield* reasonOf(run()), {
        _tag: "HookFailed",
        problem: "its edit names another entry than the call was let in for"
      })
    }).pipe(Effect.provide(Toolkit.layer(kit, { put: ({ id }) => Shop.orders.put(id, 1) })))
  })
})

describe("a hook after a delegation that meets another session's write", () => {
  it.effect("is run again, and the sub-agent's answer stays", () => {
    const Mine = State.make("mine", { name: State.field(Schema.String, { initial: "x", scope: "user" }) })
    let disturb: Effect.Effect<unknown> = Effect.void
    let times = 0
    const marking = Middleware.make("marking", {
      hooks: [
        Middleware.afterTool({ writes: [Mine.name] }, () =>
          Effect.gen(function*() {
            const name = yield* Mine.name.get
            times += 1
            if (times === 1) yield* disturb
            yield* Mine.name.set(`${name}!`)
          }))
      ]
    })
    const child = Agent.make("child", { instructions: "c" })
    const parent = Agent.make("parent", {
      instructions: "p",
      subAgents: [SubAgent.make(child)],
      middleware: [marking]
    })
    return Effect.gen(function*() {
      const { context, run } = yield* conversation(parent, {
        parent: [text("Hi."), call("child", { task: "t" }), text("Done.")],
        child: [text("Long work.")]
      })
      yield* run("Go.", { session: "other" })
      const write = Session.write({ app: "app", user: "u-1", session: "other" }, [Mine.name.to("y")])
      disturb = Effect.orDie(Effect.provideContext(write, context))
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [{ tool: "child", failed: false, value: "Long work." }])
      assert.deepStrictEqual([session.state.get(Mine.name), times], ["y!", 2])
    })
  })
})

describe("a batch that goes over its limit of calls", () => {
  const kit = Toolkit.make(Tool.make("do", {}).annotate(AiTool.Idempotent, true), Wonder)
  const doing = (ran: Array<string> = []) =>
    Toolkit.layer(kit, { do: () => Effect.sync(() => void ran.push("do")), wonder: () => Confirm.ask("?") })

  it.effect("is not counted after a pause either", () =>
    Effect.gen(function*() {
      const child = Agent.make("child", { instructions: "c", toolkit: kit, limits: { toolCalls: 1 } })
      const parent = Agent.make("parent", { instructions: "p", toolkit: kit, subAgents: [SubAgent.make(child)] })
      const { resume, run } = yield* conversation(parent, {
        parent: [call("child", { task: "t" }), call("wonder"), text("Done.")],
        child: [calls({ tool: "do" }, { tool: "do" }, { tool: "do" })]
      })
      const paused = yield* run()
      const done = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual([paused.usage.toolCalls, done.usage.toolCalls], [2, 2])
    }).pipe(Effect.provide(doing())))

  it.effect("does not run after a crash that came before its results", () => {
    const ran: Array<string> = []
    return Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: "p", toolkit: kit, limits: { toolCalls: 2 } })
      const first = yield* conversation(agent, [calls({ tool: "do" }, { tool: "do" }, { tool: "do" })])
      yield* reasonOf(first.run())
      const { events } = yield* first.session()
      const again = yield* restarted(agent, { events: events.slice(0, 3) }, [text("Done.")])
      assert.strictEqual((yield* reasonOf(again.resume([])))._tag, "LimitReached")
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(doing(ran)))
  })
})

describe("answers given together", () => {
  it.effect("are stored together: no crash comes between them", () => {
    const kit = Toolkit.make(
      Tool.make("pay", { parameters: Schema.Struct({ n: Schema.Int }), success: Schema.Int, approval: true })
    )
    const agent = Agent.make("agent", { instructions: "x", toolkit: kit })
    return Effect.gen(function*() {
      const appended: Array<ReadonlyArray<string>> = []
      const inner = yield* SessionStore.SessionStore
      const store: SessionStore.SessionStore["Service"] = {
        ...inner,
        append: (ref, append) =>
          Effect.tap(
            inner.append(ref, append),
            (events) => Effect.sync(() => appended.push(events.map(({ kind }) => kind)))
          )
      }
      const where = { session: "s", app: "app" } as const
      yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(agent, { ...where, input: "Go." })
        yield* AgentRunner.resume(agent, { ...where, answers: openOf(paused).map(({ id }) => Interrupt.approve(id)) })
      }).pipe(Effect.provideService(SessionStore.SessionStore, store))
      assert.deepStrictEqual(appended.filter((kinds) => kinds.includes("answered")), [["answered", "answered"]])
    }).pipe(Effect.provide([
      Toolkit.layer(kit, { pay: ({ n }) => Effect.succeed(n) }),
      ScriptedModel.layer([
        calls({ tool: "pay", parameters: { n: 1 } }, { tool: "pay", parameters: { n: 2 } }),
        text("Done.")
      ]),
      SessionStore.layerMemory
    ]))
  })
})

describe("writes that come with a message", () => {
  it.effect("are made again where another session wrote at that moment", () =>
    Effect.gen(function*() {
      const Mine = State.make("mine", { name: State.field(Schema.String, { initial: "x", scope: "user" }) })
      const agent = Agent.make("agent", { instructions: "x" })
      const inner = yield* SessionStore.SessionStore
      const go = (session: string, name: string, store: SessionStore.SessionStore["Service"]) =>
        AgentRunner.run(agent, { user: "u", session, input: "x", state: [Mine.name.to(name)] }).pipe(
          Effect.provide(ScriptedModel.layer([text("ok")])),
          Effect.provideService(SessionStore.SessionStore, store)
        )
      let busy = false
      const meddling: SessionStore.SessionStore["Service"] = {
        ...inner,
        append: (ref, append) => {
          if (busy || (append.writes ?? []).length === 0) return inner.append(ref, append)
          busy = true
          return Effect.andThen(Effect.orDie(go("b", "other", inner)), inner.append(ref, append))
        }
      }
      const { session } = yield* go("a", "mine", meddling)
      assert.strictEqual(session.state.get(Mine.name), "mine")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a field that moves from a session to its user", () => {
  it.effect("is refused by a run, and shows from outside what there is of it", () => {
    const Before = State.make("s", { n: State.field(Schema.Int, { initial: 0 }) })
    const After = State.make("s", { n: State.field(Schema.Int, { initial: 0, scope: "user" }) })
    const oldKit = Toolkit.make(Tool.make("get", { success: Schema.Int, reads: [Before.n] }))
    const newKit = Toolkit.make(Tool.make("get", { success: Schema.Int, reads: [After.n] }))
    return Effect.gen(function*() {
      const first = yield* conversation(Agent.make("agent", { instructions: "x", toolkit: oldKit }), [text("Hi.")])
      const { session } = yield* Effect.provide(
        first.run("x", { state: [Before.n.to(7)] }),
        Toolkit.layer(oldKit, { get: () => Before.n.get })
      )
      const second = yield* restarted(Agent.make("agent", { instructions: "x", toolkit: newKit }), session, [
        call("get"),
        text("Done.")
      ])
      const reason = yield* reasonOf(Effect.provide(second.run(), Toolkit.layer(newKit, { get: () => After.n.get })))
      assert.strictEqual(reason._tag, "ContractMismatch")
      assert.strictEqual((yield* second.session()).state.get(After.n), 0)
    })
  })
})

describe("a name of a session that a caller changes and uses again", () => {
  it.effect("names the session that it names now", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: "x" })
      for (const session of ["a", "b"]) {
        yield* Effect.provide(AgentRunner.run(agent, { session, input: "x" }), ScriptedModel.layer([text("ok")]))
      }
      const ref = { app: "agent", session: "a" }
      yield* Session.load(ref)
      ref.session = "b"
      assert.strictEqual((yield* Session.load(ref)).events[0]?.id, "b/0")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a tool of a run-time toolkit", () => {
  it.effect("has its time-out", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Tool.make("slow", { timeout: "1 second" }))
      const withHandlers = yield* Effect.provide(kit, kit.toLayer({ slow: () => Effect.sleep("1 hour") }))
      const agent = Agent.make("agent", {
        instructions: "x",
        dynamic: [Toolkit.dynamic(withHandlers, { prefix: "mcp_" })]
      })
      const { run } = yield* conversation(agent, [call("mcp_slow"), text("Done.")])
      const fiber = yield* Effect.forkChild(run())
      yield* TestClock.adjust("2 seconds")
      const { session } = yield* Fiber.join(fiber)
      assert.deepInclude(endsOf(session)[0]?.value, { _tag: "TimedOut" })
    }))
})
