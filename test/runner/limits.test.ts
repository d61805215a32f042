import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { AiError } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, AgentError, Interrupt, Reducer, State, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, openOf, reasonOf, restarted, statusesOf, textOf, told } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel
const { LimitReached } = AgentError

const Tally = State.make("tally", { worked: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Work = Tool.make("work", { success: Schema.Int, combines: [Tally.worked] })
const Nap = Tool.make("nap", { parameters: Schema.Struct({ millis: Schema.Int }) })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Work, Nap, Wonder)
const live = Toolkit.layer(kit, {
  work: () => Effect.as(Tally.worked.combine(1), 1),
  nap: ({ millis }) => Effect.sleep(millis),
  wonder: () => Confirm.ask("Go on?")
})

const worker = (limits: Agent.Limits) => Agent.make("worker", { instructions: "Work.", toolkit: kit, limits })
const plain = worker({})
const work = call("work")
const nap = (millis: number) => call("nap", { millis })
const delegate = call("child", { task: "Work." })

describe("AgentRunner.run › limits", () => {
  it.effect("makes as many model calls as there are steps, runs the calls of the last, and refuses the next", () =>
    Effect.gen(function*() {
      const { requests, run, session } = yield* conversation(worker({ steps: 2 }), [work, work])
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new LimitReached({ limit: "steps", max: 2, agent: "worker" })
      )
      assert.strictEqual(requests.length, 2)
      const left = yield* session()
      assert.deepStrictEqual(endsOf(left), [good("work", 1), good("work", 1)])
      assert.strictEqual(left.state.get(Tally.worked), 2)
      assert.deepStrictEqual(statusesOf(left), ["failed"])
    }).pipe(Effect.provide(live)))

  it.effect("ends with an answer in the last step", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(worker({ steps: 2 }), [work, text("Done.")])
      const result = yield* run()
      assert.strictEqual(textOf(result), "Done.")
      assert.deepStrictEqual(result.usage, { steps: 2, toolCalls: 1, inputTokens: 2, outputTokens: 2 })
    }).pipe(Effect.provide(live)))

  it.effect("refuses a limit that is not a number, which nothing would ever reach", () =>
    Effect.gen(function*() {
      for (const name of ["steps", "toolCalls", "tokens"] as const) {
        const message = `the limit of 'worker' for ${name} is not a number`
        assert.throws(() => worker({ [name]: Number.NaN }), message)
        const { requests, run } = yield* conversation(plain, [text("Done.")])
        const exit = yield* Effect.exit(run("Go.", { limits: { [name]: Number.NaN } }))
        assert.deepStrictEqual(
          Exit.isFailure(exit) && Cause.squash(exit.cause),
          new TypeError(message)
        )
        assert.strictEqual(requests.length, 0)
      }
    }).pipe(Effect.provide(live)))

  it.effect("keeps an agent's own limit where the run's is undefined", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(worker({ steps: 1 }), [work, text("Done.")])
      const limits: { steps?: number | undefined } = { steps: undefined }
      assert.strictEqual((yield* reasonOf(run("Go.", { limits: limits as Agent.Limits })))._tag, "LimitReached")
    }).pipe(Effect.provide(live)))

  it.effect("makes no model call where no step is allowed", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(plain, [text("Done.")])
      assert.deepStrictEqual(
        yield* reasonOf(run("Go.", { limits: { steps: 0 } })),
        new LimitReached({ limit: "steps", max: 0, agent: "worker" })
      )
      assert.strictEqual(requests.length, 0)
    }).pipe(Effect.provide(live)))

  it.effect("starts no call of a batch that goes over the limit of calls, and answers each of them", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(worker({ toolCalls: 2 }), [
        work,
        calls({ tool: "work" }, { tool: "nap", parameters: { millis: 1 } })
      ])
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new LimitReached({ limit: "toolCalls", max: 2, agent: "worker" })
      )
      const message = "'worker' reached its limit of 2 for toolCalls"
      const left = yield* session()
      assert.deepStrictEqual(endsOf(left), [
        good("work", 1),
        bad("work", "LimitReached", message),
        bad("nap", "LimitReached", message)
      ])
      assert.strictEqual(left.state.get(Tally.worked), 1)
    }).pipe(Effect.provide(live)))

  it.effect("counts a call whose own failure is called as a limit's is, over a pause too", () =>
    Effect.gen(function*() {
      const Own = Schema.Struct({ _tag: Schema.tag("LimitReached"), message: Schema.String })
      const Refusing = Tool.make("refusing", { success: Schema.String, failure: Own })
      const refusing = Toolkit.layer(Toolkit.make(Refusing), {
        refusing: () => Effect.fail({ _tag: "LimitReached", message: "no more calls today" } as const)
      })
      const agent = Agent.make("caller", {
        instructions: "",
        toolkit: Toolkit.make(Refusing, Wonder),
        limits: { toolCalls: 2 }
      })
      const { resume, run } = yield* conversation(agent, [call("refusing"), call("wonder"), call("wonder"), text("no")])
      const paused = yield* run().pipe(Effect.provide([refusing, live]))
      const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
      const reason = yield* reasonOf(resume(answers).pipe(Effect.provide([refusing, live])))
      assert.strictEqual(reason._tag === "LimitReached" && reason.limit, "toolCalls")
    }))

  it.effect("runs a batch that meets the limit of calls exactly", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(worker({ toolCalls: 3 }), [
        work,
        calls({ tool: "work" }, { tool: "work" }),
        text("Done.")
      ])
      const result = yield* run()
      assert.strictEqual(textOf(result), "Done.")
      assert.strictEqual(result.session.state.get(Tally.worked), 3)
    }).pipe(Effect.provide(live)))

  it.effect("starts no model call at the limit of tokens, and one below it", () =>
    Effect.gen(function*() {
      const turn = (outputTokens: number) => ({ ...work, inputTokens: 4, outputTokens })
      const below = yield* conversation(worker({ tokens: 10 }), [turn(5), text("Done.")])
      assert.strictEqual(textOf(yield* below.run()), "Done.")
      const at = yield* conversation(worker({ tokens: 10 }), [turn(6), text("Done.")])
      assert.deepStrictEqual(
        yield* reasonOf(at.run()),
        new LimitReached({ limit: "tokens", max: 10, agent: "worker" })
      )
      assert.strictEqual(at.requests.length, 1)
      assert.deepStrictEqual(endsOf(yield* at.session()), [good("work", 1)])
    }).pipe(Effect.provide(live)))

  it.effect("starts no model call when its time is over, and one a millisecond earlier", () =>
    Effect.gen(function*() {
      const below = yield* conversation(worker({ time: "1 second" }), [nap(999), text("Done.")])
      const quick = yield* Effect.forkChild(below.run())
      yield* TestClock.adjust(999)
      assert.strictEqual(textOf(yield* Fiber.join(quick)), "Done.")

      const at = yield* conversation(worker({ time: "1 second" }), [nap(1000), text("Done.")])
      const slow = yield* Effect.forkChild(reasonOf(at.run()))
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(
        yield* Fiber.join(slow),
        new LimitReached({ limit: "time", max: 1000, agent: "worker" })
      )
      assert.strictEqual(at.requests.length, 1)
    }).pipe(Effect.provide(live)))

  it.effect("starts no call when the model took all the time", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(worker({ time: "1 second" }), [
        () => Effect.as(Effect.sleep("1 second"), work)
      ])
      const fiber = yield* Effect.forkChild(reasonOf(run()))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "LimitReached")
      assert.deepStrictEqual(endsOf(yield* session()), [
        bad("work", "LimitReached", "'worker' reached its limit of 1000 ms for time")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("prefers the run's limits to the agent's, each by itself", () =>
    Effect.gen(function*() {
      const agent = worker({ steps: 1, toolCalls: 1 })
      const { run } = yield* conversation(agent, [work, work])
      assert.deepStrictEqual(
        yield* reasonOf(run("Go.", { limits: { steps: 5 } })),
        new LimitReached({ limit: "toolCalls", max: 1, agent: "worker" })
      )
    }).pipe(Effect.provide(live)))

  it.effect("leaves a session that goes on, with a count of its own", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(worker({ toolCalls: 1 }), [
        calls({ tool: "work" }, { tool: "work" }),
        work,
        text("Done.")
      ])
      yield* reasonOf(run("Too much."))
      const result = yield* run("Less.")
      assert.strictEqual(textOf(result), "Done.")
      assert.strictEqual(result.invocation, "i2")
      assert.deepStrictEqual(result.usage, { steps: 2, toolCalls: 1, inputTokens: 2, outputTokens: 2 })
      const limit = JSON.stringify(endsOf(result.session)[0]?.value)
      assert.deepStrictEqual(told(requests[1]), [
        "system: Work.",
        "user: Too much.",
        "assistant: work({}), work({})",
        `tool: work = ${limit}, work = ${limit}`,
        "user: Less."
      ])
    }).pipe(Effect.provide(live)))
})

describe("AgentRunner.run › limits of sub-agents", () => {
  const child = (limits: Agent.Limits) =>
    SubAgent.make(Agent.make("child", { instructions: "Work.", toolkit: kit, limits }), {
      returns: [Tally.worked],
      snapshot: "step"
    })
  const parent = (own: Agent.Limits, childs: Agent.Limits) =>
    Agent.make("parent", { instructions: "Delegate.", subAgents: [child(childs)], limits: own })

  it.effect("gives the parent an error result when the child reaches its own, and nothing of its state", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(parent({}, { steps: 1 }), {
        parent: [delegate, text("Never mind.")],
        child: [work]
      })
      const result = yield* run()
      assert.strictEqual(textOf(result), "Never mind.")
      assert.deepStrictEqual(endsOf(result.session), [
        good("work", 1),
        bad("child", "LimitReached", "'parent-sub-1' reached its limit of 1 for steps")
      ])
      assert.strictEqual(result.session.state.get(Tally.worked), 0)
      assert.deepStrictEqual(result.usage, { steps: 3, toolCalls: 2, inputTokens: 3, outputTokens: 3 })
      assert.strictEqual(requests.length, 3)
    }).pipe(Effect.provide(live)))

  it.effect("fails the run when the child reaches what is left of the parent's", () =>
    Effect.gen(function*() {
      const { requests, run, session } = yield* conversation(parent({ steps: 2 }, { steps: 5 }), {
        parent: [delegate, text("Good morning.")],
        child: [work, work]
      })
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new LimitReached({ limit: "steps", max: 2, agent: "parent" })
      )
      assert.deepStrictEqual(requests.map(({ agent }) => agent), ["parent", "child"])
      assert.deepStrictEqual(statusesOf(yield* session()), ["failed"])
      // a new message has limits of its own, and finds no open call
      const result = yield* run("Hello.")
      assert.strictEqual(textOf(result), "Good morning.")
      assert.deepStrictEqual(endsOf(result.session), [
        good("work", 1),
        bad("child", "LimitReached", "'parent' reached its limit of 2 for steps")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("fails the run when a child's batch goes over what is left of the parent's calls", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(parent({ toolCalls: 2 }, {}), {
        parent: [delegate],
        child: [calls({ tool: "work" }, { tool: "work" })]
      })
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new LimitReached({ limit: "toolCalls", max: 2, agent: "parent" })
      )
      const message = "'parent' reached its limit of 2 for toolCalls"
      assert.deepStrictEqual(endsOf(yield* session()).slice(0, 2), [
        bad("work", "LimitReached", message),
        bad("work", "LimitReached", message)
      ])
    }).pipe(Effect.provide(live)))

  it.effect("ends only the agent whose limit it is when a grandchild reaches it", () =>
    Effect.gen(function*() {
      const middle = Agent.make("middle", {
        instructions: "Delegate.",
        subAgents: [child({})],
        limits: { steps: 2 }
      })
      const root = Agent.make("root", { instructions: "Delegate.", subAgents: [SubAgent.make(middle)] })
      const { run } = yield* conversation(root, {
        root: [call("middle", { task: "Work." }), text("Never mind.")],
        middle: [delegate],
        child: [work]
      })
      const result = yield* run()
      assert.strictEqual(textOf(result), "Never mind.")
      assert.deepStrictEqual(
        endsOf(result.session).at(-1),
        bad("middle", "LimitReached", "'root-sub-1' reached its limit of 2 for steps")
      )
    }).pipe(Effect.provide(live)))

  it.effect("makes no model call too many when two children ask at the same time", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(parent({ steps: 2 }, {}), {
        parent: [
          calls({ tool: "child", parameters: { task: "One." } }, { tool: "child", parameters: { task: "Two." } })
        ],
        child: [
          () => Effect.as(Effect.yieldNow, text("One.")),
          () => Effect.as(Effect.yieldNow, text("Two."))
        ]
      })
      assert.deepStrictEqual(
        yield* reasonOf(run()),
        new LimitReached({ limit: "steps", max: 2, agent: "parent" })
      )
      assert.strictEqual(requests.length, 2)
    }).pipe(Effect.provide(live)))

  it.effect("counts a child's time from its own start", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(parent({}, { time: "1 second" }), {
        parent: [() => Effect.as(Effect.sleep("5 seconds"), delegate), text("Done.")],
        child: [nap(999), text("Rested.")]
      })
      const fiber = yield* Effect.forkChild(run())
      yield* TestClock.adjust("5 seconds")
      yield* TestClock.adjust(999)
      const result = yield* Fiber.join(fiber)
      assert.deepStrictEqual(endsOf(result.session).at(-1), good("child", "Rested."))
    }).pipe(Effect.provide(live)))

  it.effect("counts a model call that failed in no limit", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(parent({ steps: 2 }, {}), {
        parent: [delegate, text("Never mind.")],
        child: [ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))]
      })
      const result = yield* run()
      assert.strictEqual(textOf(result), "Never mind.")
      assert.strictEqual(result.usage.steps, 2)
    }).pipe(Effect.provide(live)))
})

describe("AgentRunner.resume › limits", () => {
  it.effect("goes on counting steps and calls where the pause left them, in another process too", () =>
    Effect.gen(function*() {
      const agent = worker({ steps: 2 })
      const before = yield* conversation(agent, [calls({ tool: "work" }, { tool: "wonder" })])
      const paused = yield* before.run()
      assert.deepStrictEqual(paused.usage, { steps: 1, toolCalls: 2, inputTokens: 1, outputTokens: 1 })
      const after = yield* restarted(agent, paused.session, [work])
      const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
      assert.deepStrictEqual(
        yield* reasonOf(after.resume(answers)),
        new LimitReached({ limit: "steps", max: 2, agent: "worker" })
      )
      assert.deepStrictEqual(endsOf(yield* after.session()), [good("work", 1), good("wonder", true), good("work", 1)])
    }).pipe(Effect.provide(live)))

  it.effect("counts a call that waited once", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(worker({ toolCalls: 2 }), [call("wonder"), work, text("Done.")])
      const paused = yield* run()
      const result = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.strictEqual(textOf(result), "Done.")
      assert.deepStrictEqual(result.usage, { steps: 3, toolCalls: 2, inputTokens: 3, outputTokens: 3 })
    }).pipe(Effect.provide(live)))

  it.effect("adds up the time of the runs, without the time of waiting", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(worker({ time: "1 second" }), [
        calls({ tool: "nap", parameters: { millis: 600 } }, { tool: "wonder" }),
        nap(399),
        nap(1),
        text("Done.")
      ])
      const first = yield* Effect.forkChild(run())
      yield* TestClock.adjust(600)
      const paused = yield* Fiber.join(first)
      yield* TestClock.adjust("1 hour")
      const second = yield* Effect.forkChild(reasonOf(resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))))
      yield* TestClock.adjust(399)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        yield* Fiber.join(second),
        new LimitReached({ limit: "time", max: 1000, agent: "worker" })
      )
    }).pipe(Effect.provide(live)))

  it.effect("adds up the time of a child over the runs, from its own start", () =>
    Effect.gen(function*() {
      const child = Agent.make("child", { instructions: "Work.", toolkit: kit, limits: { time: "1 second" } })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const { resume, run } = yield* conversation(parent, {
        parent: [() => Effect.as(Effect.sleep("1 minute"), delegate), text("Never mind.")],
        child: [nap(600), call("wonder"), nap(399), nap(1), text("Rested.")]
      })
      const first = yield* Effect.forkChild(run())
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust(600)
      const paused = yield* Fiber.join(first)
      yield* TestClock.adjust("1 hour")
      const second = yield* Effect.forkChild(resume(openOf(paused).map(({ id }) => Confirm.answer(id, true))))
      yield* TestClock.adjust(399)
      yield* TestClock.adjust(1)
      const result = yield* Fiber.join(second)
      assert.deepStrictEqual(
        endsOf(result.session).at(-1),
        bad("child", "LimitReached", "'parent-sub-1' reached its limit of 1000 ms for time")
      )
    }).pipe(Effect.provide(live)))

  it.effect("goes on counting what a child used before the pause", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const child = Agent.make("child", { instructions: "Work.", toolkit: kit, limits: { steps: 2 } })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const { resume, run } = yield* conversation(parent, {
        parent: [delegate, text("Never mind.")],
        child: [call("wonder"), () => Effect.as(Deferred.succeed(started, undefined), work)]
      })
      const paused = yield* run()
      const result = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.isTrue(yield* Deferred.isDone(started))
      assert.deepStrictEqual(
        endsOf(result.session).at(-1),
        bad("child", "LimitReached", "'parent-sub-1' reached its limit of 2 for steps")
      )
      assert.deepStrictEqual(result.usage, { steps: 4, toolCalls: 3, inputTokens: 4, outputTokens: 4 })
    }).pipe(Effect.provide(live)))
})
