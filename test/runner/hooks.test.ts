/** What hooks may decide: an answer, a change, a result, a question; and what they see of events. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { AiError, Response } from "effect/ai"
import { Agent, type Event, Interrupt, Middleware, Reducer, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, logOf, openOf, reasonOf, restarted, textOf, told } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Trail = State.make("trail", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Env = ToolContext.make({ tenant: Schema.String })

const Count = Tool.make("count", {
  parameters: Schema.Struct({ n: Schema.Int }),
  success: Schema.Int,
  combines: [Trail.count]
})
const Fail = Tool.make("fail", { combines: [Trail.count] })
const Hide = Tool.make("hide", { success: Schema.String })
const kit = Toolkit.make(Count, Fail, Hide)
const live = Toolkit.layer(kit, {
  count: ({ n }) => Effect.as(Trail.count.combine(n), n),
  fail: () => Effect.andThen(Trail.count.combine(100), Effect.die("boom")),
  hide: () => Effect.succeed("hidden")
})
const count = (n: number) => call("count", { n })
const down = ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))

/** What a hook needs that touches nothing, or only the count. */
type Needs = (typeof Trail.count)["~writes"] | (typeof Confirm)["~asks"]
const around = (...hooks: ReadonlyArray<Middleware.Hook<Needs>>) =>
  Agent.make("agent", {
    instructions: "Work.",
    toolkit: kit,
    middleware: [Middleware.make("around", { hooks })]
  })

describe("Middleware › answers", () => {
  it.effect("stand in place of a run's model calls; hooks after it do not run, those after the run do", () => {
    const seen: Array<string> = []
    const say = (what: string) => Effect.sync(() => void seen.push(what))
    const agent = around(
      Middleware.beforeRun({}, () => Effect.as(say("first"), Middleware.answer("Closed."))),
      Middleware.beforeRun({}, () => say("second")),
      Middleware.beforeModel({}, () => say("model")),
      Middleware.afterRun({}, ({ status }) => say(status))
    )
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [])
      const result = yield* run()
      assert.deepStrictEqual([textOf(result), result.usage.steps, requests.length], ["Closed.", 1, 0])
      assert.deepStrictEqual(seen, ["first", "completed"])
      assert.deepStrictEqual(result.session.history.map(({ role }) => role), ["user", "assistant"])
    }).pipe(Effect.provide(live))
  })

  it.effect("stand in place of one model call, and go through the hooks after it", () => {
    const seen: Array<string> = []
    const agent = around(
      Middleware.beforeModel({}, ({ step }) => Effect.succeed(step === 2 ? Middleware.answer("Enough.") : undefined)),
      Middleware.beforeModel({}, ({ step }) => Effect.sync(() => void seen.push(`before ${step}`))),
      Middleware.afterModel({}, ({ exit, step }) => Effect.sync(() => void seen.push(`after ${step} ${exit._tag}`)))
    )
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [count(1)])
      const result = yield* run()
      assert.deepStrictEqual([textOf(result), requests.length], ["Enough.", 1])
      assert.deepStrictEqual(seen, ["before 1", "after 1 Success", "after 2 Success"])
    }).pipe(Effect.provide(live))
  })

  it.effect("may ask for calls in place of the model, which then run as any", () => {
    const asked = Response.makePart("tool-call", {
      id: "t-1",
      name: "count",
      params: { n: 7 },
      providerExecuted: false
    })
    const agent = around(
      Middleware.beforeModel({}, ({ step }) => Effect.succeed(step === 1 ? Middleware.answer([asked]) : undefined))
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("count", 7)])
      assert.strictEqual(session.state.get(Trail.count), 7)
    }).pipe(Effect.provide(live))
  })

  it.effect("replace what the model said, also where it failed; outer hooks see the answer", () => {
    const seen: Array<string> = []
    const agent = around(
      Middleware.afterModel(
        {},
        ({ exit }) => Effect.sync(() => void seen.push(Exit.isSuccess(exit) ? "answered" : "failed"))
      ),
      Middleware.afterModel({}, ({ exit, step }) =>
        Effect.succeed(
          step === 1 || Exit.isFailure(exit) ? Middleware.answer(Exit.isFailure(exit) ? "Sorry." : "Mild.") : undefined
        ))
    )
    return Effect.gen(function*() {
      const first = yield* conversation(agent, [text("Harsh.")])
      const replaced = yield* first.run()
      assert.strictEqual(textOf(replaced), "Mild.")
      assert.notInclude(JSON.stringify(replaced.session.events), "Harsh.")
      const second = yield* conversation(agent, [down])
      assert.strictEqual(textOf(yield* second.run()), "Sorry.")
      assert.deepStrictEqual(seen, ["answered", "answered"])
    }).pipe(Effect.provide(live))
  })

  it.effect("stand in place of a completed run's, and of no other", () => {
    const agent = around(Middleware.afterRun({}, () => Effect.succeed(Middleware.answer("Anything else?"))))
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("Done."), down])
      const result = yield* run()
      assert.strictEqual(textOf(result), "Anything else?")
      assert.deepStrictEqual(result.session.history.map(({ role }) => role), ["user", "assistant", "assistant"])
      assert.strictEqual((yield* reasonOf(run()))._tag, "ModelFailed")
    }).pipe(Effect.provide(live))
  })

  it.effect("fail the run where their hook cancels itself, which the failure says", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(around(Middleware.beforeModel({}, () => Effect.interrupt)), [])
      const reason = yield* reasonOf(run())
      assert.deepInclude(reason, { _tag: "HookFailed", hook: "beforeModel", problem: "it cancelled itself" })
    }).pipe(Effect.provide(live)))

  it.effect("of a run leave no call without a result", () => {
    const asked = Response.makePart("tool-call", { id: "t", name: "count", params: { n: 1 }, providerExecuted: false })
    const agent = around(Middleware.beforeRun({}, () => Effect.succeed(Middleware.answer([asked]))))
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [])
      assert.deepInclude(yield* reasonOf(run()), {
        _tag: "HookFailed",
        problem: "its answer leaves calls without a result"
      })
    }).pipe(Effect.provide(live))
  })
})

describe("Middleware › changes of a model call", () => {
  const narrowing = around(
    Middleware.beforeModel({}, ({ step, tools }) =>
      Effect.succeed(
        step === 1
          ? Middleware.change({ tools: tools.filter((name) => name !== "hide"), instructions: "Be brief." })
          : undefined
      ))
  )

  it.effect("show fewer tools and say more, for one call", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(narrowing, [call("hide"), call("hide"), text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(requests.map(({ tools }) => tools), [
        ["count", "fail"],
        ["count", "fail", "hide"],
        ["count", "fail", "hide"]
      ])
      assert.deepStrictEqual(told(requests[0]).slice(0, 2), ["system: Work.", "system: Be brief."])
      assert.deepStrictEqual(told(requests[1]).slice(0, 2), ["system: Work.", "user: Go."])
      assert.deepStrictEqual(endsOf(session), [
        bad("hide", "ToolNotFound", "there is no tool 'hide'; there are: count, fail"),
        good("hide", "hidden")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("hold for the calls of their step after a restart too", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(narrowing, [call("hide"), text("Done.")])
      const { session } = yield* run()
      const end = session.events.findIndex(({ kind }) => kind === "model") + 1
      const again = yield* restarted(narrowing, { events: session.events.slice(0, end) }, [text("Done.")])
      const resumed = yield* again.resume([])
      assert.deepStrictEqual(endsOf(resumed.session), [
        bad("hide", "ToolNotFound", "there is no tool 'hide'; there are: count, fail")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("can show only what the agent has", () => {
    const agent = around(Middleware.beforeModel({}, () => Effect.succeed(Middleware.change({ tools: ["ghost"] }))))
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [])
      assert.deepInclude(yield* reasonOf(run()), {
        _tag: "HookFailed",
        hook: "beforeModel",
        problem: "it shows a tool 'ghost' that the agent does not have"
      })
    }).pipe(Effect.provide(live))
  })
})

describe("Middleware › results of a call", () => {
  it.effect("stand in place of the handler's; hooks before it that come later do not run", () => {
    const seen: Array<string> = []
    const agent = around(
      Middleware.beforeTool({}, () => Effect.void),
      Middleware.beforeTool({}, () => Effect.succeed(Middleware.result({ cached: [1, null] }))),
      Middleware.beforeTool({}, () => Effect.sync(() => void seen.push("late"))),
      Middleware.afterTool({}, ({ result }) => Effect.sync(() => void seen.push(JSON.stringify(result.value))))
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [count(3), text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("count", { cached: [1, null] })])
      assert.deepStrictEqual([session.state.get(Trail.count), seen], [0, ["{\"cached\":[1,null]}"]])
    }).pipe(Effect.provide(live))
  })

  it.effect("replace what came out, in good and bad; what the handler did stays or goes as before", () => {
    const agent = around(
      Middleware.afterTool({}, ({ result }) =>
        Effect.succeed(
          result.isFailure ? Middleware.result("mended") : Middleware.result("withheld", { isFailure: true })
        ))
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        calls({ tool: "count", parameters: { n: 2 } }, { tool: "fail" }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [
        { tool: "count", failed: true, value: "withheld" },
        good("fail", "mended")
      ])
      assert.strictEqual(session.state.get(Trail.count), 2)
    }).pipe(Effect.provide(live))
  })

  it.effect("may be given to a call that cannot run: of an unknown tool, or with arguments that do not fit", () => {
    const agent = around(
      Middleware.beforeTool({}, () => Effect.die("not reached")),
      Middleware.afterTool({ combines: [Trail.count] }, ({ parameters, result, tool }) =>
        Effect.as(
          Trail.count.combine(1),
          Middleware.result({ tool, parameters: parameters as null, was: (result.value as { _tag: string })._tag })
        ))
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        calls({ tool: "ghost", parameters: { x: 1 } }, { tool: "count", parameters: { n: "one" } }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [
        good("ghost", { tool: "ghost", parameters: { x: 1 }, was: "ToolNotFound" }),
        good("count", { tool: "count", parameters: { n: "one" }, was: "InvalidArguments" })
      ])
      assert.strictEqual(session.state.get(Trail.count), 2)
    }).pipe(Effect.provide(live))
  })

  it.effect("must be JSON, and are copies", () => {
    const value: { list: Array<unknown> } = { list: [1] }
    const agent = around(Middleware.beforeTool({}, () => Effect.succeed(Middleware.result(value as never))))
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [count(1), text("Done."), count(1)])
      const { session } = yield* run()
      value.list.push(() => 2)
      assert.deepStrictEqual(endsOf(session), [good("count", { list: [1] })])
      assert.deepInclude(yield* reasonOf(run()), { _tag: "HookFailed", problem: "its result is not JSON" })
    }).pipe(Effect.provide(live))
  })
})

describe("Middleware › questions of hooks", () => {
  const asking = (hook: Middleware.Hook<Needs>) => around(hook)
  const sure = Confirm.ask("Sure?")
  const kinds = {
    beforeRun: Middleware.beforeRun({ asks: [Confirm] }, () => Effect.asVoid(sure)),
    beforeStep: Middleware.beforeStep(
      { asks: [Confirm] },
      ({ step }) => step === 2 ? Effect.asVoid(sure) : Effect.void
    ),
    beforeModel: Middleware.beforeModel(
      { asks: [Confirm] },
      ({ step }) => step === 2 ? Effect.asVoid(sure) : Effect.void
    ),
    beforeTool: Middleware.beforeTool({ asks: [Confirm] }, () => Effect.asVoid(sure)),
    afterTool: Middleware.afterTool({ asks: [Confirm] }, () => Effect.asVoid(sure)),
    afterRun: Middleware.afterRun(
      { asks: [Confirm] },
      ({ status }) => status === "completed" ? Effect.asVoid(sure) : Effect.void
    )
  }
  const ids = {
    beforeRun: "i1.around.beforeRun?1",
    beforeStep: "i1.2.around.beforeStep?1",
    beforeModel: "i1.2.around.beforeModel?1",
    beforeTool: "i1.1.1?1",
    afterTool: "i1.1.1?1",
    afterRun: "i1.2.around.afterRun?1"
  }

  for (const kind of ["beforeRun", "beforeStep", "beforeModel", "beforeTool", "afterTool", "afterRun"] as const) {
    it.effect(`pause the run and go on with the answer (${kind}), in another process too`, () =>
      Effect.gen(function*() {
        const agent = asking(kinds[kind])
        const { run, session } = yield* conversation(agent, [count(5), text("Done.")])
        const paused = yield* run()
        const open = openOf(paused)
        assert.deepStrictEqual(open.map(({ id }) => id), [ids[kind]])
        assert.strictEqual((yield* reasonOf(run()))._tag, "QuestionsOpen")
        const left = { beforeRun: [count(5), text("Done.")], beforeModel: [text("Done.")], afterRun: [] }
        const again = yield* restarted(
          agent,
          yield* session(),
          kind in left ? left[kind as keyof typeof left] : [text("Done.")]
        )
        const still = yield* again.resume([])
        assert.deepStrictEqual([still._tag, openOf(still)], ["Paused", open])
        const result = yield* again.resume([Confirm.answer(ids[kind], true)])
        assert.deepStrictEqual([textOf(result), result.session.state.get(Trail.count)], ["Done.", 5])
        assert.deepStrictEqual(result.session.open, [])
      }).pipe(Effect.provide(live)))
  }

  it.effect("may be an approval, which takes only the decisions that it allows", () => {
    const guarding = around(
      Middleware.beforeTool({ asks: [Interrupt.Approval] }, ({ tool }) =>
        Effect.map(
          Interrupt.Approval.ask({ tool, arguments: {}, hash: "", allowed: ["approve", "reject"], remember: false }),
          ({ decision }) => decision === "approve" ? undefined : Middleware.refuse("no")
        )) as Middleware.Hook<never>
    )
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(guarding, [count(5), text("Done.")])
      const [open] = openOf(yield* run())
      const id = open?.id ?? ""
      assert.strictEqual(id, "i1.1.1?1")
      const problems = yield* Effect.forEach(
        [Interrupt.edit(id, { n: 1 }), Interrupt.approve(id, { always: true })],
        (answer) => reasonOf(resume([answer]))
      )
      assert.deepStrictEqual(problems.map((reason) => "problem" in reason ? reason.problem : reason._tag), [
        "the decision 'edit' is not allowed here; allowed: approve, reject",
        "this approval cannot be remembered"
      ])
      const { session } = yield* resume([Interrupt.approve(id)])
      assert.deepStrictEqual(endsOf(session), [good("count", 5)])
    }).pipe(Effect.provide(live))
  })

  it.effect("are closed by `abandon`", () =>
    Effect.gen(function*() {
      const { abandon, run, session } = yield* conversation(asking(kinds.beforeModel), [count(5), text("Later.")])
      yield* run()
      yield* abandon()
      assert.deepStrictEqual((yield* session()).open, [])
      assert.strictEqual(textOf(yield* run("Again.")), "Later.")
    }).pipe(Effect.provide(live)))

  it.effect("come up from a sub-agent, and are answered there", () => {
    const child = Agent.make("child", {
      instructions: "",
      middleware: [Middleware.make("around", { hooks: [kinds.beforeRun] })]
    })
    const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(parent, {
        parent: [call("child", { task: "a" }), text("Done.")],
        child: [text("Mine.")]
      })
      const paused = yield* run()
      assert.deepStrictEqual(
        openOf(paused).map(({ agentPath, call, hook, id }) => ({ agentPath, call, hook, id })),
        [{
          agentPath: ["parent", "child"],
          call: "i1.1.1/around.beforeRun",
          hook: "around.beforeRun",
          id: "i1.1.1/around.beforeRun?1"
        }]
      )
      const result = yield* resume([Confirm.answer("i1.1.1/around.beforeRun?1", true)])
      assert.deepStrictEqual(endsOf(result.session), [good("child", "Mine.")])
    })
  })
})

describe("Middleware › events", () => {
  it.effect("are shown to their hooks once stored, in the order of the log, a sub-agent's too", () => {
    const seen: Array<string> = []
    const watch = (name: string) =>
      Middleware.make(name, {
        hooks: [
          Middleware.onEvent({ context: [Env.tenant], reads: [Trail.count] }, (event: Event.Event) =>
            Effect.gen(function*() {
              const tenant = yield* Env.tenant
              seen.push(`${name} ${tenant} ${event.agent} ${event.kind} ${yield* Trail.count.get}`)
            }))
        ]
      })
    const child = Agent.make("child", { instructions: "", toolkit: kit, middleware: [watch("inner")] })
    const parent = Agent.make("parent", {
      instructions: "",
      middleware: [watch("outer")],
      subAgents: [SubAgent.make(child, { returns: [Trail.count] })]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(parent, {
        parent: [call("child", { task: "a" }), text("Done.")],
        child: [count(2), text("Mine.")]
      })
      const { session } = yield* run()
      const outer = seen.filter((line) => line.startsWith("outer")).map((line) =>
        line.split(" ").slice(2, 4).join(": ")
      )
      assert.deepStrictEqual(outer, logOf(session).map((line) => line.split(" ").slice(0, 2).join(" ")))
      assert.deepStrictEqual(seen.filter((line) => line.startsWith("inner")), [
        "inner t parent-sub-1 input 0",
        "inner t parent-sub-1 model 0",
        "inner t parent-sub-1 call 2",
        "inner t parent-sub-1 model 2"
      ])
    }).pipe(Effect.provide([live, Env.layer({ tenant: "t" })]))
  })

  it.effect("fail the run where their hook fails, by name", () => {
    const agent = around(
      Middleware.onEvent({}, ({ kind }) => kind === "call" ? Effect.fail("full") : Effect.void)
    )
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agent, [count(1), text("Done.")])
      assert.deepInclude(yield* reasonOf(run()), { _tag: "HookFailed", middleware: "around", hook: "onEvent" })
      // what was stored stays
      assert.strictEqual((yield* session()).state.get(Trail.count), 1)
    }).pipe(Effect.provide(live))
  })
})
