/** Hooks around a handler: tries that leave nothing behind, questions, failures, and where there is no handler. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Schema } from "effect"
import { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, Middleware, Reducer, type Session, State, SubAgent, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, idsOf, openOf, reasonOf, restarted, textOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Trail = State.make("trail", {
  steps: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  last: State.field(Schema.String, { initial: "" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Work = Tool.make("work", {
  parameters: Schema.Struct({ n: Schema.Int }),
  success: Schema.String,
  failure: Schema.String,
  writes: [Trail.steps, Trail.last]
})
const Look = Tool.make("look", { success: Schema.String }).annotate(AiTool.Readonly, true)
const Sure = Tool.make("sure", { success: Schema.Boolean, failure: Schema.String, asks: [Confirm] })
const kit = Toolkit.make(Work, Look, Sure)

/** What a hook touches here, or less. */
type Needs = (typeof Trail.steps)["~writes"] | (typeof Confirm)["~asks"]
const within = (...hooks: ReadonlyArray<Middleware.Hook<Needs>>) =>
  Agent.make("agent", {
    instructions: "Work.",
    toolkit: kit,
    middleware: hooks.map((hook, index) => Middleware.make(`m${index + 1}`, { hooks: [hook] }))
  })

const steps = (item: string) => Trail.steps.combine(item)
const twice = Middleware.aroundTool({}, (_, next) => Effect.andThen(next, next))
const again = Middleware.aroundTool(
  {},
  (_, next) => Effect.flatMap(next, (given) => given.result.isFailure ? next : Effect.succeed(given))
)

/** Handlers that say in State how often they ran; `work` fails up to the try of its number. */
const handlers = (
  sure: (tries: number) => Effect.Effect<boolean, string, (typeof Confirm)["~asks"]> = () => Effect.succeed(true)
) => {
  let tries = 0
  return Toolkit.layer(kit, {
    work: Effect.fnUntraced(function*({ n }) {
      const number = ++tries
      yield* steps(`try ${number}`)
      yield* Trail.last.set(`try ${number}`)
      if (number < n) return yield* Effect.fail(`failed ${number}`)
      return `worked ${number}`
    }),
    look: () => Effect.succeed("seen"),
    sure: () => Effect.suspend(() => sure(++tries))
  })
}
const work = (n: number) => call("work", { n })
const stateOf = ({ session: { state } }: { readonly session: Session.Session }) => ({
  steps: state.get(Trail.steps),
  last: state.get(Trail.last)
})

describe("Middleware.aroundTool", () => {
  it.effect("stands between the hooks before and after a call, the first middleware outermost", () => {
    const seen: Array<string> = []
    const say = (what: string) => Effect.sync(() => void seen.push(what))
    const around = (name: string) =>
      Middleware.aroundTool({}, (request, next) =>
        Effect.gen(function*() {
          yield* say(`${name} ${request.tool} ${JSON.stringify(request.parameters)}`)
          const given = yield* next
          yield* say(`${name} ${String(given.result.value)}`)
          return Middleware.result(`${name}(${String(given.result.value)})`)
        }))
    const agent = within(
      around("one"),
      Middleware.beforeTool({}, () => Effect.as(say("before"), Middleware.edit({ n: 1 }))),
      Middleware.afterTool({}, ({ result }) => say(`after ${String(result.value)}`)),
      around("two")
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [work(9), text("Done.")])
      assert.deepStrictEqual(endsOf((yield* run()).session), [good("work", "one(two(worked 1))")])
      assert.deepStrictEqual(seen, [
        "before",
        `one work {"n":1}`,
        `two work {"n":1}`,
        "two worked 1",
        "one two(worked 1)",
        "after one(two(worked 1))"
      ])
    }).pipe(Effect.provide(handlers()))
  })

  it.effect("tells whether the tool may run twice, and how often a hook further out ran this one", () => {
    const seen: Array<unknown> = []
    const agent = within(
      twice,
      Middleware.aroundTool(
        {},
        ({ repeatable, tool, try: nth }, next) =>
          Effect.andThen(Effect.sync(() => seen.push([tool, repeatable, nth])), next)
      )
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [work(1), call("look"), text("Done.")])
      yield* run()
      assert.deepStrictEqual(seen, [["work", false, 1], ["work", false, 2], ["look", true, 1], ["look", true, 2]])
    }).pipe(Effect.provide(handlers()))
  })

  it.effect("keeps of all tries the last one's operations, and what the hook itself wrote", () => {
    const writes = Middleware.aroundTool({ writes: [Trail.steps] }, (_, next) =>
      Effect.gen(function*() {
        yield* steps("before")
        const first = yield* next
        yield* steps(`then ${(yield* Trail.steps.get).join()}`)
        if (!first.result.isFailure) return first
        const second = yield* next
        yield* steps("after")
        return second
      }))
    const inner = Middleware.aroundTool(
      { writes: [Trail.steps] },
      ({ try: nth }, next) => Effect.andThen(steps(`inner ${nth}`), next)
    )
    return Effect.gen(function*() {
      const { run } = yield* conversation(within(writes, inner), [work(2), text("Done.")])
      const result = yield* run()
      assert.deepStrictEqual(endsOf(result.session), [good("work", "worked 2")])
      assert.deepStrictEqual(stateOf(result), {
        steps: ["before", "then before,inner 1", "inner 2", "try 2", "after"],
        last: "try 2"
      })
    }).pipe(Effect.provide(handlers()))
  })

  it.effect("drops what a handler did whose last try failed, or whose result a hook calls a failure", () => {
    const refusing = Middleware.aroundTool({ writes: [Trail.steps] }, (_, next) =>
      Effect.gen(function*() {
        const { result } = yield* next
        yield* steps("checked")
        return Middleware.result(`no: ${String(result.value)}`, { isFailure: true })
      }))
    const count = Middleware.aroundTool({ writes: [Trail.steps] }, (_, next) => Effect.andThen(steps("counted"), next))
    return Effect.gen(function*() {
      const failing = yield* conversation(within(again, count), [work(9), text("Done.")])
      const failed = yield* failing.run()
      assert.deepStrictEqual(endsOf(failed.session), [{ tool: "work", failed: true, value: "failed 2" }])
      assert.deepStrictEqual(stateOf(failed), { steps: ["counted"], last: "" })

      const refused = yield* conversation(within(refusing, count), [work(1), text("Done.")])
      const result = yield* refused.run()
      assert.deepStrictEqual(endsOf(result.session), [{ tool: "work", failed: true, value: "no: worked 3" }])
      assert.deepStrictEqual(stateOf(result), { steps: ["counted", "checked"], last: "" })
    }).pipe(Effect.provide(handlers()))
  })

  it.effect("drops what a dropped try asked of the loop", () => {
    let tries = 0
    const live = Toolkit.layer(kit, {
      work: () => Effect.succeed(""),
      sure: () => Effect.succeed(true),
      look: Effect.fnUntraced(function*() {
        const { actions } = yield* ToolCall.ToolCall
        if (++tries === 1) yield* actions.end
        return `seen ${tries}`
      })
    })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(within(twice), [call("look"), text("Done.")])
      assert.strictEqual(textOf(yield* run()), "Done.")
      assert.strictEqual(requests.length, 2)
    }).pipe(Effect.provide(live))
  })

  it.effect("cancels a handler that takes too long: it cleans up, and leaves nothing", () => {
    const log: Array<string> = []
    const timed = Middleware.aroundTool({}, (_, next) =>
      Effect.map(
        Effect.timeoutOption(next, "1 second"),
        Option.getOrElse(() => Middleware.result("too long"))
      ))
    return Effect.gen(function*() {
      const began = yield* Deferred.make<void>()
      const late = yield* Deferred.make<void>()
      const wrote = yield* Deferred.make<boolean>()
      const live = Toolkit.layer(kit, {
        look: () => Effect.succeed(""),
        sure: () => Effect.succeed(true),
        work: Effect.fnUntraced(function*() {
          yield* Trail.last.set("lost")
          yield* Deferred.await(late).pipe(
            Effect.andThen(Trail.last.set("leaked")),
            Effect.exit,
            Effect.flatMap((exit) => Deferred.succeed(wrote, exit._tag === "Success")),
            Effect.forkDetach
          )
          yield* Deferred.succeed(began, undefined)
          return yield* Effect.onInterrupt(Effect.never, () => Effect.sync(() => log.push("cleaned up")))
        })
      })
      const { run } = yield* conversation(within(timed), [work(1), text("Done.")])
      const fiber = yield* Effect.forkChild(Effect.provide(run(), live))
      yield* Deferred.await(began)
      yield* TestClock.adjust("1 second")
      const result = yield* Fiber.join(fiber)
      yield* Deferred.succeed(late, undefined)
      assert.deepStrictEqual(endsOf(result.session), [good("work", "too long")])
      assert.deepStrictEqual(stateOf(result), { steps: [], last: "" })
      assert.deepStrictEqual([log, yield* Deferred.await(wrote)], [["cleaned up"], false])
    })
  })

  it.effect("fails the run where it fails or dies, by its own name, also within another that would go on", () => {
    const outer = Middleware.aroundTool(
      {},
      (_, next) => Effect.catchCause(next, () => Effect.orElseSucceed(next, () => Middleware.result("fine")))
    )
    const failing = (run: Parameters<typeof Middleware.aroundTool>[1]) => {
      const agent = within(outer, Middleware.aroundTool({}, run as never))
      return Effect.gen(function*() {
        const it = yield* conversation(agent, [call("sure"), text("Done.")])
        const reason = yield* reasonOf(it.run())
        return reason._tag === "HookFailed" ? [reason.middleware, reason.hook, reason.problem] : reason._tag
      })
    }
    return Effect.gen(function*() {
      assert.deepStrictEqual([
        yield* failing(() => Effect.fail({ _tag: "Down" })),
        yield* failing(() => Effect.succeed(Middleware.result(Number.NaN as never))),
        yield* failing((_, next) => Effect.andThen(Effect.all([next, next], { concurrency: 2 }), next))
      ], [
        ["m2", "aroundTool", "Down"],
        ["m2", "aroundTool", "its result is not JSON"],
        ["m2", "aroundTool", "'m2' ran 'next' while it ran"]
      ])
    }).pipe(Effect.provide(handlers(() => Effect.as(Effect.yieldNow, true))))
  })

  it.effect("runs no handler once it has ended", () => {
    let kept: Effect.Effect<Middleware.Result> | undefined
    const agent = within(Middleware.aroundTool({}, (_, next) => {
      kept = next
      return Effect.succeed(Middleware.result("not run"))
    }))
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [work(1), text("Done.")])
      const result = yield* run()
      assert.deepStrictEqual(endsOf(result.session), [good("work", "not run")])
      const exit = yield* Effect.exit(kept ?? Effect.succeed(Middleware.result("")))
      assert.include(String(exit), "'m1' ran 'next' after its own end")
    }).pipe(Effect.provide(handlers()))
  })

  it.effect("does not run where no handler does: hooks gave the result, no such tool, a sub-agent", () => {
    const seen: Array<string> = []
    const around = Middleware.aroundTool(
      { writes: [Trail.steps] },
      ({ tool }, next) => Effect.andThen(Effect.sync(() => seen.push(tool)), next)
    )
    const child = Agent.make("child", { instructions: "Work.", toolkit: kit })
    const agent = Agent.make("agent", {
      instructions: "Work.",
      toolkit: kit,
      subAgents: [SubAgent.make(child)],
      middleware: [
        Middleware.make("around", { hooks: [around] }),
        Middleware.make("refuse", {
          hooks: [
            Middleware.beforeTool(
              {},
              ({ tool }) => Effect.succeed(tool === "look" ? Middleware.refuse("no") : undefined)
            ),
            Middleware.afterTool({}, () => Effect.void)
          ]
        })
      ]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, {
        agent: [
          calls({ tool: "look" }, { tool: "none" }, { tool: "work", parameters: { n: "x" } }, {
            tool: "child",
            parameters: { task: "Go." }
          }),
          text("Done.")
        ],
        child: [work(1), text("Worked.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(seen, [])
      assert.deepStrictEqual(
        new Set(endsOf(session).map(({ failed, tool }) => `${tool} ${failed ? "failed" : "went well"}`)),
        new Set([
          "child went well",
          "look failed",
          "none failed",
          "work went well",
          "work failed"
        ])
      )
    }).pipe(Effect.provide(handlers()))
  })

  it.effect("stands around the tools of a run-time toolkit", () => {
    const Remote = AiTool.make("remote", { success: Schema.String, failure: Schema.String, failureMode: "return" })
    const remote = AiToolkit.make(Remote)
    let tries = 0
    return Effect.gen(function*() {
      const served = yield* Effect.provide(
        remote,
        remote.toLayer({
          remote: () => Effect.suspend(() => ++tries === 1 ? Effect.fail("no") : Effect.succeed("yes"))
        })
      )
      const agent = Agent.make("agent", {
        instructions: "",
        dynamic: [Toolkit.dynamic(served, { prefix: "x_" })],
        middleware: [Middleware.make("again", { hooks: [again] })]
      })
      const { run } = yield* conversation(agent, [call("x_remote"), text("Done.")])
      assert.deepStrictEqual(endsOf((yield* run()).session), [good("x_remote", "yes")])
    })
  })

  it.effect("counts for what a call waits for", () => {
    const log: Array<string> = []
    const touching = Middleware.aroundTool({ writes: [Trail.steps] }, (_, next) => next)
    const overlap = (agent: ReturnType<typeof within>) =>
      Effect.gen(function*() {
        const { run } = yield* conversation(agent, [calls({ tool: "look" }, { tool: "look" }), text("Done.")])
        yield* run()
        return log.splice(0)
      })
    const live = Toolkit.layer(kit, {
      work: () => Effect.succeed(""),
      sure: () => Effect.succeed(true),
      look: () =>
        Effect.gen(function*() {
          log.push("begins")
          yield* Effect.yieldNow
          log.push("ends")
          return ""
        })
    })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* overlap(within(again)), ["begins", "begins", "ends", "ends"])
      assert.deepStrictEqual(yield* overlap(within(touching)), ["begins", "ends", "begins", "ends"])
    }).pipe(Effect.provide(live))
  })
})

describe("Middleware.aroundTool › questions", () => {
  /** The first try asks, and fails once it has its answer. */
  const failsOnce = () => {
    let answered = 0
    return handlers(() =>
      Effect.flatMap(
        Confirm.ask("Sure?"),
        (sure) => ++answered === 1 ? Effect.fail("down") : Effect.succeed(sure)
      )
    )
  }

  it.effect("of a handler are asked once, whatever the try", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(within(again), [call("sure")])
      const paused = openOf(yield* run())
      assert.deepStrictEqual(idsOf(paused), ["i1.1.1?1"])
      const other = yield* restarted(within(again), yield* session(), [text("Done.")])
      const resumed = yield* other.resume(paused.map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(endsOf(resumed.session), [good("sure", true)])
    }).pipe(Effect.provide(failsOnce())))

  it.effect("of a hook are asked anew for each try, in any process", () => {
    const asking = Middleware.aroundTool({ asks: [Confirm] }, (_, next) => {
      const tried: Effect.Effect<Middleware.Result, never, (typeof Confirm)["~asks"]> = Effect.flatMap(
        next,
        (given) =>
          given.result.isFailure
            ? Effect.flatMap(Confirm.ask("Again?"), (yes) => yes ? tried : Effect.succeed(given))
            : Effect.succeed(given)
      )
      return tried
    })
    const agent = within(asking)
    const down = handlers(() => Effect.fail("down"))
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agent, [call("sure")])
      const first = openOf(yield* Effect.provide(run(), down))
      assert.deepStrictEqual(first.map(({ id, question }) => [id, question]), [["i1.1.1?1", "Again?"]])

      const second = yield* restarted(agent, yield* session(), [])
      const asked = openOf(yield* Effect.provide(second.resume([Confirm.answer("i1.1.1?1", true)]), down))
      assert.deepStrictEqual(idsOf(asked), ["i1.1.1?2"])

      const third = yield* restarted(agent, yield* second.session(), [text("Done.")])
      const ended = yield* Effect.provide(third.resume([Confirm.answer("i1.1.1?2", false)]), down)
      assert.deepStrictEqual(endsOf(ended.session), [{ tool: "sure", failed: true, value: "down" }])
    })
  })

  it.effect("of a hook and of its handler keep their numbers when the call runs again", () => {
    const first = Middleware.aroundTool(
      { asks: [Confirm] },
      (_, next) => Effect.flatMap(Confirm.ask("Begin?"), (yes) => yes ? Effect.andThen(next, next) : next)
    )
    const agent = within(first)
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [call("sure"), text("Done.")])
      assert.deepStrictEqual(idsOf(openOf(yield* run())), ["i1.1.1?1"])
      assert.deepStrictEqual(idsOf(openOf(yield* resume([Confirm.answer("i1.1.1?1", true)]))), ["i1.1.1?2"])
      const ended = yield* resume([Confirm.answer("i1.1.1?2", false)])
      assert.deepStrictEqual(endsOf(ended.session), [good("sure", false)])
    }).pipe(Effect.provide(handlers(() => Confirm.ask("Sure?"))))
  })
})

describe("Middleware.aroundTool › errors", () => {
  it.effect("of a handler that dies are results, which another try may better", () => {
    let tries = 0
    const live = handlers(() => Effect.suspend(() => ++tries === 1 ? Effect.die("boom") : Effect.succeed(true)))
    return Effect.gen(function*() {
      const { run } = yield* conversation(within(again), [call("sure"), text("Done.")])
      assert.deepStrictEqual(endsOf((yield* run()).session), [good("sure", true)])
      const worse = yield* conversation(within(again), [work(9), text("Done.")])
      const dying = Toolkit.layer(kit, {
        work: () => Effect.die("boom"),
        look: () => Effect.succeed(""),
        sure: () => Effect.succeed(true)
      })
      assert.deepStrictEqual(endsOf((yield* Effect.provide(worse.run(), dying)).session), [
        bad("work", "ToolDied", "the tool 'work' failed unexpectedly")
      ])
    }).pipe(Effect.provide(live))
  })
})
