import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger, Schema } from "effect"
import { AiError, Prompt } from "effect/ai"
import {
  Agent,
  AgentError,
  Instructions,
  Interrupt,
  Middleware,
  Reducer,
  State,
  StateDelta,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, logOf, openOf, reasonOf, statusesOf, textOf, told } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Trail = State.make("trail", {
  list: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Env = ToolContext.make({ tenant: Schema.String, region: Schema.String, quota: Schema.Int })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Args = Schema.Struct({ n: Schema.Int })
const Count = Tool.make("count", { parameters: Args, success: Schema.Int, combines: [Trail.count] })
const Fail = Tool.make("fail", { combines: [Trail.count] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Count, Fail, Wonder)
const live = Toolkit.layer(kit, {
  count: ({ n }) => Effect.as(Trail.count.combine(n), n),
  fail: () => Effect.andThen(Trail.count.combine(100), Effect.die("boom")),
  wonder: () => Confirm.ask("Sure?")
})
const quiet = Logger.layer([])
const count = (n: number) => call("count", { n })
const down = ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))

/** A middleware of these tests: it provides no key and no tool. */
type Around = Middleware.Middleware<
  string,
  (typeof Trail.list)["~writes"] | (typeof Trail.count)["~writes"],
  never,
  never
>
const agentWith = (...middleware: ReadonlyArray<Around>) =>
  Agent.make("agent", { instructions: "Work.", toolkit: kit, middleware })

/** A middleware that says when its hooks run. */
const saying = (name: string, log: Array<string>) => {
  const say = (what: string) => Effect.sync(() => void log.push(`${name} ${what}`))
  return Middleware.make(name, {
    hooks: [
      Middleware.beforeRun(
        {},
        ({ agent, invocation, resumed, session }) =>
          say(`beforeRun ${agent} ${session} ${invocation} ${resumed ? "resumed" : "new"}`)
      ),
      Middleware.afterRun({}, ({ resumed, status }) => say(`afterRun ${resumed ? "resumed " : ""}${status}`)),
      Middleware.beforeModel(
        {},
        ({ agent, messages, step }) => say(`beforeModel ${agent} ${step} ${messages.map(({ role }) => role).join(" ")}`)
      ),
      Middleware.afterModel({}, ({ agent, exit, step }) => say(`afterModel ${agent} ${step} ${exit._tag}`)),
      Middleware.beforeTool({}, ({ parameters, tool }) => say(`beforeTool ${tool} ${JSON.stringify(parameters)}`)),
      Middleware.afterTool(
        {},
        ({ parameters, result, tool }) =>
          say(`afterTool ${tool} ${JSON.stringify(parameters)} ${result.isFailure ? "failed" : String(result.value)}`)
      )
    ]
  })
}

describe("Middleware › order of hooks", () => {
  it.effect("is the list's before, and the reverse after", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(saying("outer", log), saying("inner", log)), [
        count(1),
        text("Done.")
      ])
      yield* run()
      assert.deepStrictEqual(log, [
        "outer beforeRun agent s-1 i1 new",
        "inner beforeRun agent s-1 i1 new",
        "outer beforeModel agent 1 system user",
        "inner beforeModel agent 1 system user",
        "inner afterModel agent 1 Success",
        "outer afterModel agent 1 Success",
        "outer beforeTool count {\"n\":1}",
        "inner beforeTool count {\"n\":1}",
        "inner afterTool count {\"n\":1} 1",
        "outer afterTool count {\"n\":1} 1",
        "outer beforeModel agent 2 system user assistant tool",
        "inner beforeModel agent 2 system user assistant tool",
        "inner afterModel agent 2 Success",
        "outer afterModel agent 2 Success",
        "inner afterRun completed",
        "outer afterRun completed"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("holds within one middleware too", () => {
    const log: Array<string> = []
    const say = (what: string) => Effect.sync(() => void log.push(what))
    const two = Middleware.make("two", {
      hooks: [
        Middleware.beforeTool({}, () => say("before 1")),
        Middleware.afterTool({}, () => say("after 1")),
        Middleware.beforeTool({}, () => say("before 2")),
        Middleware.afterTool({}, () => say("after 2"))
      ]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(two), [count(1), text("Done.")])
      yield* run()
      assert.deepStrictEqual(log, ["before 1", "before 2", "after 2", "after 1"])
    }).pipe(Effect.provide(live))
  })

  it.effect("runs after-hooks of a run that paused, was resumed, met a limit or failed", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agentWith(saying("m", log)), [
        call("wonder"),
        text("Done."),
        down,
        count(1)
      ])
      const runs = () => log.filter((entry) => entry.includes("Run")).map((entry) => entry.replace("m ", ""))
      const paused = yield* run()
      yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      yield* reasonOf(run())
      yield* reasonOf(run("Go.", { limits: { steps: 1 } }))
      assert.deepStrictEqual(runs(), [
        "beforeRun agent s-1 i1 new",
        "afterRun paused",
        "beforeRun agent s-1 i1 resumed",
        "afterRun resumed completed",
        "beforeRun agent s-1 i2 new",
        "afterRun failed",
        "beforeRun agent s-1 i3 new",
        "afterRun failed"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("shows after-hooks a model call that failed, and the failure still ends the run", () => {
    const seen: Array<unknown> = []
    const watching = Middleware.make("watching", {
      hooks: [Middleware.afterModel({ combines: [Trail.count] }, ({ exit }) => {
        seen.push(Exit.isFailure(exit) ? Exit.findErrorOption(exit) : exit)
        return Trail.count.combine(1)
      })]
    })
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agentWith(watching), [down])
      const reason = yield* reasonOf(run())
      assert.strictEqual(reason._tag, "ModelFailed")
      assert.strictEqual(seen.length, 1)
      assert.deepNestedPropertyVal(seen[0], "value.reason._tag", "InternalProviderError")
      const left = yield* session()
      assert.strictEqual(left.state.get(Trail.count), 1)
      assert.deepStrictEqual(logOf(left), [
        "agent: created",
        "agent: input",
        "agent: hook watching.afterModel",
        "agent: ended failed"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("shows after-hooks the result of a call that failed", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(saying("m", log)), [call("fail"), text("Done.")])
      yield* run()
      assert.include(log, "m afterTool fail {} failed")
    }).pipe(Effect.provide([live, quiet]))
  })
})

describe("Middleware › verdicts", () => {
  const refusing = (name: string, reason: string) =>
    Middleware.make(name, { hooks: [Middleware.beforeTool({}, () => Effect.succeed(Middleware.refuse(reason)))] })
  const adding = (name: string, more: number) =>
    Middleware.make(name, {
      hooks: [Middleware.beforeTool({}, ({ parameters }) =>
        Effect.succeed(Middleware.edit({ n: (parameters as typeof Args.Type).n + more })))]
    })

  it.effect("refuse a call before it reaches what stands inside; after-hooks see the result", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(
        agentWith(saying("outer", log), refusing("no", "not today"), saying("inner", log)),
        [count(1), text("Done.")]
      )
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [bad("count", "Refused", "not today")])
      assert.strictEqual(session.state.get(Trail.count), 0)
      assert.deepStrictEqual(log.filter((entry) => entry.includes("Tool")), [
        "outer beforeTool count {\"n\":1}",
        "inner afterTool count {\"n\":1} failed",
        "outer afterTool count {\"n\":1} failed"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("edit the arguments one after the other, and leave the model's message as it was", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(
        agentWith(adding("one", 1), adding("ten", 10), saying("inner", log)),
        [count(1), text("Done.")]
      )
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("count", 12)])
      assert.include(log, "inner beforeTool count {\"n\":12}")
      assert.include(log, "inner afterTool count {\"n\":12} 12")
      assert.include(told(requests[1]), "assistant: count({\"n\":1})")
    }).pipe(Effect.provide(live))
  })

  it.effect("are refused where they do not fit, by the name of who gave them", () => {
    const half = Middleware.make("half", {
      hooks: [Middleware.beforeTool({}, () => Effect.succeed(Middleware.edit({ n: 0.5 })))]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(half), [count(1), text("Done.")])
      const [end] = endsOf((yield* run()).session)
      const [tag, message] = Object.values(end?.value ?? {}) as [string, string]
      assert.strictEqual(tag, "InvalidArguments")
      assert.match(message, /^the arguments of 'count' that 'half' gave do not fit: Expected an integer/)
    }).pipe(Effect.provide(live))
  })
})

describe("Middleware › what hooks write", () => {
  const add = (what: string) => () => Trail.list.combine(what)
  const touches = { combines: [Trail.list] } as const
  const writing = Middleware.make("writing", {
    hooks: [
      Middleware.beforeRun(touches, add("beforeRun")),
      Middleware.beforeModel(touches, add("beforeModel")),
      Middleware.afterModel(touches, add("afterModel")),
      Middleware.beforeTool(touches, add("beforeTool")),
      Middleware.afterTool(touches, add("afterTool")),
      Middleware.afterRun(touches, add("afterRun"))
    ]
  })
  const operation = (...values: ReadonlyArray<string>) => ({ op: "append", field: "trail.list", values }) as const

  it.effect("is an event of its own, and for a call part of the call's", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(writing), [count(5), text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(logOf(session), [
        "agent: created",
        "agent: input",
        "agent: hook writing.beforeRun",
        "agent: hook writing.beforeModel",
        "agent: hook writing.afterModel",
        "agent: model",
        "agent: call count",
        "agent: hook writing.beforeModel",
        "agent: hook writing.afterModel",
        "agent: model",
        "agent: hook writing.afterRun",
        "agent: ended completed"
      ])
      assert.deepStrictEqual(session.state.get(Trail.list), [
        "beforeRun",
        "beforeModel",
        "afterModel",
        "beforeTool",
        "afterTool",
        "beforeModel",
        "afterModel",
        "afterRun"
      ])
      const ended = session.events.find((event) => event.kind === "call")
      assert.deepStrictEqual(ended?.delta.operations, [
        operation("beforeTool"),
        { op: "sum", field: "trail.count", value: 5 },
        operation("afterTool")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("stays when the handler fails, whose own operations are dropped", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(writing), [call("fail"), text("Done.")])
      const { session } = yield* run()
      const ended = session.events.find((event) => event.kind === "call")
      assert.deepStrictEqual(ended?.delta.operations, [operation("beforeTool"), operation("afterTool")])
      assert.strictEqual(session.state.get(Trail.count), 0)
    }).pipe(Effect.provide([live, quiet])))

  it.effect("is dropped by a pause, with the whole attempt", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agentWith(writing), [call("wonder"), text("Done.")])
      const paused = yield* run()
      assert.notInclude(paused.session.state.get(Trail.list), "beforeTool")
      const { session } = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(
        session.state.get(Trail.list).filter((entry) => entry.endsWith("Tool")),
        ["beforeTool", "afterTool"]
      )
    }).pipe(Effect.provide(live)))

  it.effect("makes no event where it is nothing", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agentWith(saying("m", [])), [text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(logOf(session), [
        "agent: created",
        "agent: input",
        "agent: model",
        "agent: ended completed"
      ])
    }).pipe(Effect.provide(live)))
})

describe("Middleware › hooks that fail", () => {
  class Oops extends Schema.TaggedError<Oops>()("Oops", { secret: Schema.String }) {}
  const fail = () => Effect.fail(new Oops({ secret: "secret-4711" }))
  const hooks = {
    beforeRun: Middleware.beforeRun({}, fail),
    afterRun: Middleware.afterRun({}, fail),
    beforeModel: Middleware.beforeModel({}, fail),
    afterModel: Middleware.afterModel({}, fail),
    beforeTool: Middleware.beforeTool({}, fail),
    afterTool: Middleware.afterTool({}, fail)
  }
  for (const [name, hook] of Object.entries(hooks)) {
    it.effect(`fail the run by the names of middleware and hook, without what they held (${name})`, () => {
      const failing = Middleware.make("failing", { hooks: [hook] })
      return Effect.gen(function*() {
        const { run, session } = yield* conversation(agentWith(failing), [count(1), text("Done.")])
        const error = yield* Effect.flip(run())
        assert.deepStrictEqual(
          error.reason,
          new AgentError.HookFailed({ middleware: "failing", hook: name, problem: "Oops" })
        )
        assert.isFalse(error.isRetryable)
        assert.notInclude(JSON.stringify(error), "secret-4711")
        assert.deepStrictEqual(statusesOf(yield* session()), ["failed"])
        assert.strictEqual((yield* session()).state.get(Trail.count), name === "afterRun" ? 1 : 0)
      }).pipe(Effect.provide(live))
    })
  }

  it.effect("leave a session that can go on, with every call closed", () => {
    let broken = true
    const failing = Middleware.make("failing", {
      hooks: [
        Middleware.beforeTool({}, () => Effect.suspend(() => broken ? Effect.die(new RangeError("x")) : Effect.void))
      ]
    })
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agentWith(failing), [
        calls({ tool: "count", parameters: { n: 1 } }, { tool: "count", parameters: { n: 2 } }),
        count(3),
        text("Done.")
      ])
      const reason = yield* reasonOf(run())
      assert.match(
        reason.message,
        /^'beforeTool' of 'failing' failed: RangeError at .*middleware\.test\.ts/
      )
      assert.deepStrictEqual(
        endsOf(yield* session()),
        [1, 2].map(() => bad("count", "Cancelled", "the run ended before this call did"))
      )
      broken = false
      const result = yield* run("Again.")
      assert.strictEqual(textOf(result), "Done.")
      assert.strictEqual(result.session.state.get(Trail.count), 3)
    }).pipe(Effect.provide(live))
  })

  it.effect("fail by the name of the hook when what they write does not fit", () => {
    const writing = Middleware.make("writing", {
      hooks: [Middleware.beforeRun({ writes: [Trail.count] }, () => Trail.count.set(0.5))]
    })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agentWith(writing), [text("Done.")])
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new AgentError.HookFailed({
          middleware: "writing",
          hook: "beforeRun",
          problem: "the value written to 'trail.count' does not fit: Expected an integer"
        })
      )
      assert.strictEqual(requests.length, 0)
    }).pipe(Effect.provide(live))
  })

  it.effect("drop what they wrote themselves, and what their call did", () => {
    const failing = Middleware.make("failing", {
      hooks: [Middleware.afterTool(
        { combines: [Trail.list] },
        () => Effect.andThen(Trail.list.combine("late"), Effect.fail("no"))
      )]
    })
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agentWith(failing), [count(1), text("Done.")])
      yield* reasonOf(run())
      const left = yield* session()
      assert.deepStrictEqual(
        left.events.flatMap((event) => event.kind === "call" ? [event.delta] : []),
        [StateDelta.empty]
      )
      assert.deepStrictEqual([left.state.get(Trail.list), left.state.get(Trail.count)], [[], 0])
    }).pipe(Effect.provide(live))
  })
})

describe("Middleware › model calls", () => {
  it.effect("get other messages from a hook, for one call only; inner hooks see what outer ones gave", () => {
    const roles: Array<string> = []
    const note = (content: string) => Prompt.userMessage({ content: [Prompt.textPart({ text: content })] })
    const first = Middleware.make("first", {
      hooks: [
        Middleware.beforeModel(
          {},
          ({ messages, step }) =>
            Effect.succeed(step === 1 ? Middleware.change({ messages: [...messages, note("Be brief.")] }) : undefined)
        )
      ]
    })
    const second = Middleware.make("second", {
      hooks: [
        Middleware.beforeModel(
          {},
          ({ messages }) => Effect.sync(() => void roles.push(messages.map(({ role }) => role).join(" ")))
        ),
        Middleware.afterModel(
          {},
          ({ messages }) => Effect.sync(() => void roles.push(messages.map(({ role }) => role).join(" ")))
        )
      ]
    })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agentWith(first, second), [count(1), text("Done.")])
      const { session } = yield* run("Count.")
      assert.deepStrictEqual(requests.map(told), [
        ["system: Work.", "user: Count.", "user: Be brief."],
        ["system: Work.", "user: Count.", "assistant: count({\"n\":1})", "tool: count = 1"]
      ])
      assert.deepStrictEqual(session.history.map(({ role }) => role), ["user", "assistant", "tool", "assistant"])
      assert.deepStrictEqual(roles, [
        "system user user",
        "system user user",
        "system user assistant tool",
        "system user assistant tool"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("are told the instructions of agent and middleware, filled in anew at each", () => {
    const counting = Middleware.make("counting", { instructions: Instructions.template`Counted: ${Trail.count}.` })
    const plain = Middleware.make("plain", { instructions: "Be kind." })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agentWith(counting, plain), [count(2), text("Done.")])
      yield* run()
      assert.deepStrictEqual(requests.map((request) => told(request)[0]), [
        "system: Work.\n\nCounted: 0.\n\nBe kind.",
        "system: Work.\n\nCounted: 2.\n\nBe kind."
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("show the tools of middleware after the agent's own, and run them with its hooks", () => {
    const log: Array<string> = []
    const Extra = Tool.make("extra", { success: Schema.String })
    const extra = Toolkit.make(Extra)
    const agent = Agent.make("agent", {
      instructions: "Work.",
      toolkit: kit,
      middleware: [saying("m", log), Middleware.make("more", { toolkit: extra })]
    })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [call("extra"), text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(requests[0]?.tools, ["count", "fail", "wonder", "extra"])
      assert.deepStrictEqual(endsOf(session), [good("extra", "more")])
      assert.include(log, "m afterTool extra {} more")
    }).pipe(Effect.provide([live, Toolkit.layer(extra, { extra: () => Effect.succeed("more") })]))
  })
})

describe("Middleware › provide", () => {
  const Show = Tool.make("show", { success: Schema.String, context: [Env.tenant, Env.region] })
  const showing = Toolkit.make(Show)
  const shows = Toolkit.layer(showing, {
    show: () => Effect.all([Env.tenant, Env.region]).pipe(Effect.map((both) => both.join("/")))
  })
  const providing = (log: Array<string> = []) => ({
    outer: Middleware.make("outer", {
      provides: [Middleware.provide(
        Env.tenant,
        { context: [Env.quota] },
        Effect.map(Env.quota, (quota) => {
          log.push("tenant")
          return `acme-${quota}`
        })
      )]
    }),
    inner: Middleware.make("inner", {
      provides: [
        Middleware.provide(
          Env.region,
          { context: [Env.tenant], reads: [Trail.count] },
          Effect.gen(function*() {
            log.push("region")
            return `${yield* Env.tenant}-eu-${yield* Trail.count.get}`
          })
        )
      ]
    })
  })
  const shower = (log?: Array<string>) => {
    const { inner, outer } = providing(log)
    return Agent.make("shower", { instructions: "Show.", toolkit: showing, middleware: [outer, inner] })
  }
  const quota = ToolContext.make({ quota: Schema.Int }).layer({ quota: 3 })

  it.effect("supplies a key from the outside in, once a run, whatever the number of calls", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const agent = shower(log)
      assert.deepStrictEqual(agent.contract.requires.map(({ name }) => name), ["quota"])
      const { run } = yield* conversation(agent, [call("show"), call("show"), text("Done."), text("Again.")])
      const { session } = yield* run("Go.", { state: [Trail.count.to(7)] })
      assert.deepStrictEqual(endsOf(session), [
        good("show", "acme-3/acme-3-eu-7"),
        good("show", "acme-3/acme-3-eu-7")
      ])
      assert.deepStrictEqual(log, ["tenant", "region"])
      yield* run()
      assert.deepStrictEqual(log, ["tenant", "region", "tenant", "region"])
    }).pipe(Effect.provide([shows, quota]))
  })

  it.effect("gives way to a value that the caller supplies under the same name", () => {
    const log: Array<string> = []
    const own = ToolContext.make({ tenant: Schema.String }).layer({ tenant: "own" })
    return Effect.gen(function*() {
      const { run } = yield* conversation(shower(log), [call("show"), text("Done.")])
      const { session } = yield* Effect.provide(run(), own)
      assert.deepStrictEqual(endsOf(session), [good("show", "own/own-eu-0")])
      assert.deepStrictEqual(log, ["region"])
    }).pipe(Effect.provide([shows, quota]))
  })

  it.effect("fails the run by the names of middleware and key, before the first model call", () => {
    const failing = Middleware.make("failing", {
      provides: [
        Middleware.provide(Env.tenant, {}, Effect.fail("secret-4711")),
        Middleware.provide(Env.region, {}, Effect.succeed("eu"))
      ]
    })
    const agent = Agent.make("shower", { instructions: "Show.", toolkit: showing, middleware: [failing] })
    return Effect.gen(function*() {
      const { requests, run, session } = yield* conversation(agent, [text("Done.")])
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new AgentError.HookFailed({ middleware: "failing", hook: "provides tenant", problem: "it gave no value" })
      )
      assert.strictEqual(requests.length, 0)
      assert.deepStrictEqual(statusesOf(yield* session()), ["failed"])
    }).pipe(Effect.provide(shows))
  })

  it.effect("checks what it supplies by the key's schema", () => {
    const wrong = Middleware.make("wrong", {
      provides: [
        Middleware.provide(Env.tenant, {}, Effect.succeed(7 as never)),
        Middleware.provide(Env.region, {}, Effect.succeed("eu"))
      ]
    })
    const agent = Agent.make("shower", { instructions: "Show.", toolkit: showing, middleware: [wrong] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("Done.")])
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new AgentError.ToolContextError({ key: "tenant", problem: "invalid" })
      )
    }).pipe(Effect.provide(shows))
  })
})

describe("Middleware › around sub-agents", () => {
  const delegate = call("child", { task: "Count." })
  const family = (parents: ReadonlyArray<Around>, childs: ReadonlyArray<Around>) => {
    const child = Agent.make("child", { instructions: "Count.", toolkit: kit, middleware: childs })
    return Agent.make("parent", {
      instructions: "Delegate.",
      subAgents: [SubAgent.make(child, { returns: [Trail.count] })],
      middleware: parents
    })
  }
  const script = { parent: [delegate, text("Done.")], child: [count(2), text("Counted.")] }

  it.effect("wraps the delegating call in the parent's hooks, and the child's calls in the child's", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(family([saying("p", log)], [saying("c", log)]), script)
      yield* run()
      assert.deepStrictEqual(log.filter((entry) => !entry.includes("Run")), [
        "p beforeModel parent 1 system user",
        "p afterModel parent 1 Success",
        "p beforeTool child {\"task\":\"Count.\"}",
        "c beforeModel parent-sub-1 1 system user",
        "c afterModel parent-sub-1 1 Success",
        "c beforeTool count {\"n\":2}",
        "c afterTool count {\"n\":2} 2",
        "c beforeModel parent-sub-1 2 system user assistant tool",
        "c afterModel parent-sub-1 2 Success",
        "p afterTool child {\"task\":\"Count.\"} Counted.",
        "p beforeModel parent 2 system user assistant tool",
        "p afterModel parent 2 Success"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("takes each stretch of a child's work for a run of its own", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(family([saying("p", log)], [saying("c", log)]), {
        parent: [delegate, text("Done."), delegate, text("Never mind.")],
        child: [call("wonder"), text("Counted."), down]
      })
      const paused = yield* run()
      yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      yield* run()
      assert.deepStrictEqual(log.filter((entry) => entry.includes("Run")), [
        "p beforeRun parent s-1 i1 new",
        "c beforeRun parent-sub-1 s-1 i1 new",
        "c afterRun paused",
        "p afterRun paused",
        "p beforeRun parent s-1 i1 resumed",
        "c beforeRun parent-sub-1 s-1 i1 resumed",
        "c afterRun resumed completed",
        "p afterRun resumed completed",
        "p beforeRun parent s-1 i2 new",
        "c beforeRun parent-sub-2 s-1 i2 new",
        "c afterRun failed",
        "p afterRun completed"
      ])
    }).pipe(Effect.provide(live))
  })

  it.effect("refuses or edits a delegation before the child is spawned", () => {
    const editing = Middleware.make("editing", {
      hooks: [Middleware.beforeTool({}, ({ parameters }) => {
        const { task } = parameters as { readonly task: string }
        return Effect.succeed(
          task === "No." ? Middleware.refuse("no children") : Middleware.edit({ task: `${task} Twice.` })
        )
      })]
    })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(family([editing], []), {
        parent: [
          calls({ tool: "child", parameters: { task: "No." } }, { tool: "child", parameters: { task: "Count." } }),
          text("Done.")
        ],
        child: [text("Counted.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [bad("child", "Refused", "no children"), good("child", "Counted.")])
      assert.deepStrictEqual(told(requests[1]), ["system: Count.", "user: Count. Twice."])
      assert.deepStrictEqual(
        session.events.filter(({ kind }) => kind === "input").map((event) => event.agent),
        ["parent", "parent-sub-2"]
      )
    }).pipe(Effect.provide(live))
  })

  it.effect("stores what hooks before the call write when the child starts, the rest in the call, in order", () => {
    const adding = Middleware.make("adding", {
      hooks: [
        Middleware.beforeTool({ combines: [Trail.count] }, () => Trail.count.combine(10)),
        Middleware.afterTool({ combines: [Trail.count] }, () => Trail.count.combine(100))
      ]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(family([adding], []), script)
      const { session } = yield* run()
      const deltas = session.events.flatMap((event) =>
        event.agent === "parent" && "delta" in event && event.delta.operations.length > 0
          ? [[event.kind, event.delta.operations.map((each) => each.op === "sum" ? each.value : each.op)]]
          : []
      )
      assert.deepStrictEqual(deltas, [["hook", [10]], ["call", [2, 100]]])
      assert.strictEqual(session.state.get(Trail.count), 112)
    }).pipe(Effect.provide(live))
  })

  it.effect("keeps the parent's hooks' writes when the child fails, and nothing of the child's", () => {
    const adding = Middleware.make("adding", {
      hooks: [Middleware.beforeTool({ combines: [Trail.count] }, () => Trail.count.combine(10))]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(family([adding], []), {
        parent: [delegate, text("Done.")],
        child: [count(2), down]
      })
      const { session } = yield* run()
      assert.strictEqual(endsOf(session).at(-1)?.failed, true)
      assert.strictEqual(session.state.get(Trail.count), 10)
    }).pipe(Effect.provide(live))
  })

  it.effect("fails the whole run when a child's hook fails, by its name", () => {
    const failing = Middleware.make("failing", { hooks: [Middleware.afterModel({}, () => Effect.fail("no"))] })
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(family([], [failing]), script)
      const reason = yield* reasonOf(run())
      assert.strictEqual(
        reason._tag === "HookFailed" ? `${reason.middleware}.${reason.hook}` : reason._tag,
        "failing.afterModel"
      )
      assert.deepStrictEqual(endsOf(yield* session()).map(({ failed, tool }) => [tool, failed]), [["child", true]])
    }).pipe(Effect.provide(live))
  })

  it.effect("runs the parent's hooks before the call once, and those after it at its end, when the child paused", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(family([saying("p", log)], []), {
        parent: [delegate, text("Done.")],
        child: [call("wonder"), text("Counted.")]
      })
      const paused = yield* run()
      assert.deepStrictEqual(log.filter((entry) => entry.includes("Tool")), [
        "p beforeTool child {\"task\":\"Count.\"}"
      ])
      yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(log.filter((entry) => entry.includes("Tool")).slice(1), [
        "p afterTool child {\"task\":\"Count.\"} Counted."
      ])
    }).pipe(Effect.provide(live))
  })
})
