import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, Middleware, Reducer, State, StateDelta, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
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
  statusesOf,
  textOf,
  told
} from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Notes = State.make("notes", {
  title: State.field(Schema.String, { initial: "untitled" }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Env = ToolContext.make({ tenant: Schema.String })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Quick = Tool.make("quick", { combines: [Notes.count] })
const Hang = Tool.make("hang", { writes: [Notes.title] })
const After = Tool.make("after", { reads: [Notes.title] })
const Sure = Tool.make("sure", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Quick, Hang, After, Sure)
const agent = Agent.make("agent", { instructions: "Work.", toolkit: kit })

const over = "the run ended before this call did"

/** Something that never ends by itself, says when it began, and cleans up. */
const hanging = Effect.gen(function*() {
  const began = yield* Deferred.make<void>()
  const log: Array<string> = []
  return {
    began: Deferred.await(began),
    log,
    hang: Deferred.succeed(began, undefined).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Effect.sync(() => log.push("cleaned up")))
    )
  }
})
const handlers = (hang: Effect.Effect<never>) =>
  Toolkit.layer(kit, {
    quick: () => Notes.count.combine(1),
    hang: () => Effect.andThen(Notes.title.set("lost"), hang),
    after: () => Effect.asVoid(Notes.title.get),
    sure: () => Effect.tap(Confirm.ask("Sure?"), (sure) => sure ? Effect.void : hang)
  })

/** Interrupts a run when it has begun to hang; the run ends as interrupted, and its finalizers have run. */
const cancelled = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  { began, log }: { readonly began: Effect.Effect<void>; readonly log: ReadonlyArray<string> }
) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(run)
    yield* began
    yield* Fiber.interrupt(fiber)
    assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    assert.deepStrictEqual(log, ["cleaned up"])
  })

describe("AgentRunner.run › cancelled", () => {
  it.effect("in a model call: nothing of the answer is kept, and the next run asks again", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const { requests, run, session } = yield* conversation(agent, [call("quick"), () => it.hang, text("Good day.")])
      yield* Effect.gen(function*() {
        yield* cancelled(run("First."), it)
        assert.deepStrictEqual(logOf(yield* session()), [
          "agent: created",
          "agent: input",
          "agent: model",
          "agent: call quick",
          "agent: ended cancelled"
        ])
        const result = yield* run("Second.")
        assert.strictEqual(textOf(result), "Good day.")
        assert.strictEqual(result.invocation, "i2")
        assert.strictEqual(result.session.state.get(Notes.count), 1)
        assert.deepStrictEqual(told(requests[2]).slice(1), [
          "user: First.",
          "assistant: quick({})",
          "tool: quick = null",
          "user: Second."
        ])
      }).pipe(Effect.provide(handlers(it.hang)))
    }))

  it.effect("in a handler: what it wrote is dropped, calls that ended stay, those that waited never ran", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const { run, session } = yield* conversation(agent, [
        calls({ tool: "quick" }, { tool: "hang" }, { tool: "after" }),
        text("Good day.")
      ])
      yield* Effect.gen(function*() {
        yield* cancelled(run(), it)
        const left = yield* session()
        assert.deepStrictEqual(endsOf(left), [
          good("quick", null),
          bad("hang", "Cancelled", over),
          bad("after", "Cancelled", over)
        ])
        assert.deepStrictEqual(
          left.events.flatMap((event) => event.kind === "call" && event.result.isFailure ? [event.delta] : []),
          [StateDelta.empty, StateDelta.empty]
        )
        assert.deepStrictEqual([left.state.get(Notes.title), left.state.get(Notes.count)], ["untitled", 1])
        assert.deepStrictEqual(statusesOf(left), ["cancelled"])
        assert.strictEqual(textOf(yield* run()), "Good day.")
      }).pipe(Effect.provide(handlers(it.hang)))
    }))

  it.effect("by a time-out around it", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const { run, session } = yield* conversation(agent, [call("hang"), text("Good day.")])
      yield* Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(Effect.timeoutOption(run(), "1 minute"))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "None")
        assert.deepStrictEqual(it.log, ["cleaned up"])
        const left = yield* session()
        assert.deepStrictEqual(endsOf(left), [bad("hang", "Cancelled", over)])
        const last = left.events.at(-1)
        assert.deepStrictEqual(last?.kind === "ended" ? [last.status, last.elapsed] : [], ["cancelled", 60_000])
      }).pipe(Effect.provide(handlers(it.hang)))
    }))

  it.effect("in a child's model call: its calls and the delegating one are closed", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const child = Agent.make("child", { instructions: "Work.", toolkit: kit })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(child, { returns: [Notes.count] })]
      })
      const { run, session } = yield* conversation(parent, {
        parent: [call("child", { task: "Go." }), text("Good day.")],
        child: [call("quick"), () => it.hang]
      })
      yield* Effect.gen(function*() {
        yield* cancelled(run(), it)
        const left = yield* session()
        assert.deepStrictEqual(endsOf(left), [good("quick", null), bad("child", "Cancelled", over)])
        // it did not end, so nothing comes back
        assert.strictEqual(left.state.get(Notes.count), 0)
        assert.strictEqual(textOf(yield* run()), "Good day.")
      }).pipe(Effect.provide(handlers(it.hang)))
    }))

  it.effect("in two children at once", () =>
    Effect.gen(function*() {
      const one = yield* hanging
      const two = yield* hanging
      const child = Agent.make("child", { instructions: "Work." })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const { run, session } = yield* conversation(parent, {
        parent: [
          calls({ tool: "child", parameters: { task: "One." } }, { tool: "child", parameters: { task: "Two." } }),
          text("Good day.")
        ],
        child: [() => one.hang, () => two.hang]
      })
      yield* cancelled(run(), { began: Effect.andThen(one.began, two.began), log: one.log })
      assert.deepStrictEqual(two.log, ["cleaned up"])
      assert.deepStrictEqual(endsOf(yield* session()), [
        bad("child", "Cancelled", over),
        bad("child", "Cancelled", over)
      ])
      assert.strictEqual(textOf(yield* run()), "Good day.")
    }))

  /** One hook of each kind that does the same. */
  const hooksOf = (run: () => Effect.Effect<void, never, (typeof Notes.title)["~writes"]>) => {
    const touches = { writes: [Notes.title] } as const
    return {
      beforeRun: Middleware.beforeRun(touches, run),
      beforeStep: Middleware.beforeStep(touches, run),
      beforeModel: Middleware.beforeModel(touches, run),
      afterModel: Middleware.afterModel(touches, run),
      beforeTool: Middleware.beforeTool(touches, run),
      afterTool: Middleware.afterTool(touches, run),
      afterRun: Middleware.afterRun(touches, run)
    }
  }
  const kinds = ["beforeRun", "beforeStep", "beforeModel", "afterModel", "beforeTool", "afterTool", "afterRun"] as const
  for (const kind of kinds) {
    it.effect(`in a hook: it is cleaned up, and nothing of it is kept (${kind})`, () =>
      Effect.gen(function*() {
        const it = yield* hanging
        let broken = true
        const hooks = hooksOf(() => broken ? Effect.andThen(Notes.title.set("lost"), it.hang) : Effect.void)
        const watched = Agent.make("agent", {
          instructions: "Work.",
          toolkit: kit,
          middleware: [Middleware.make("watching", { hooks: [hooks[kind]] })]
        })
        const { run, session } = yield* conversation(watched, [
          call("quick"),
          text("Done."),
          text("Good day."),
          text("Good day.")
        ])
        yield* Effect.gen(function*() {
          yield* cancelled(run(), it)
          const left = yield* session()
          assert.deepStrictEqual(statusesOf(left), ["cancelled"])
          assert.strictEqual(left.state.get(Notes.title), "untitled")
          assert.strictEqual(left.state.get(Notes.count), kind === "afterRun" ? 1 : 0)
          assert.deepStrictEqual(
            endsOf(left),
            kind.endsWith("Tool")
              ? [bad("quick", "Cancelled", over)]
              : kind === "afterRun"
              ? [good("quick", null)]
              : []
          )
          broken = false
          assert.strictEqual((yield* run())._tag, "Completed")
        }).pipe(Effect.provide(handlers(it.hang)))
      }))
  }

  it.effect("runs no after-hooks", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const ended: Array<string> = []
      const watched = Agent.make("agent", {
        instructions: "Work.",
        toolkit: kit,
        middleware: [Middleware.make("watching", {
          hooks: [
            Middleware.afterRun({}, ({ status }) => Effect.sync(() => void ended.push(status))),
            Middleware.afterTool({}, ({ tool }) => Effect.sync(() => void ended.push(tool)))
          ]
        })]
      })
      const { run } = yield* conversation(watched, [call("hang"), text("Done.")])
      yield* Effect.gen(function*() {
        yield* cancelled(run(), it)
        assert.deepStrictEqual(ended, [])
        yield* run()
        assert.deepStrictEqual(ended, ["completed"])
      }).pipe(Effect.provide(handlers(it.hang)))
    }))

  it.effect("in a provision, before the first model call", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const Show = Tool.make("show", { success: Schema.String, context: [Env.tenant] })
      const showing = Toolkit.make(Show)
      const provided = Agent.make("agent", {
        instructions: "Show.",
        toolkit: showing,
        middleware: [Middleware.make("provides", { provides: [Middleware.provide(Env.tenant, {}, it.hang)] })]
      })
      const { requests, run, session } = yield* conversation(provided, [text("Done.")])
      yield* Effect.provide(cancelled(run(), it), Toolkit.layer(showing, { show: () => Env.tenant }))
      assert.strictEqual(requests.length, 0)
      assert.deepStrictEqual(logOf(yield* session()), ["agent: created", "agent: input", "agent: ended cancelled"])
    }))
})

describe("AgentRunner.resume › cancelled", () => {
  it.effect("closes the call that was answered, and leaves the question that was not", () =>
    Effect.gen(function*() {
      const it = yield* hanging
      const { requests, resume, run, session } = yield* conversation(agent, [
        calls({ tool: "sure" }, { tool: "sure" }),
        text("Done.")
      ])
      yield* Effect.gen(function*() {
        assert.deepStrictEqual(idsOf(openOf(yield* run())), ["i1.1.1?1", "i1.1.2?1"])
        yield* cancelled(resume([Confirm.answer("i1.1.1?1", false)]), it)
        const left = yield* session()
        assert.deepStrictEqual(statusesOf(left), ["paused", "cancelled"])
        assert.deepStrictEqual(endsOf(left), [bad("sure", "Cancelled", over)])
        assert.deepStrictEqual(idsOf(left.open), ["i1.1.2?1"])
        assert.strictEqual((yield* reasonOf(run()))._tag, "QuestionsOpen")
        const result = yield* resume([Confirm.answer("i1.1.2?1", true)])
        assert.strictEqual(textOf(result), "Done.")
        assert.deepStrictEqual(endsOf(result.session), [bad("sure", "Cancelled", over), good("sure", true)])
        assert.strictEqual(requests.length, 2)
      }).pipe(Effect.provide(handlers(it.hang)))
    }))
})
