import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { Agent, AgentRunner, Interrupt, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, reasonOf, statusesOf, textOf, told } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wait = Tool.make("wait", {})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Wait, Wonder)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = (wait: Effect.Effect<void> = Effect.void) =>
  Toolkit.layer(kit, { wait: () => wait, wonder: () => Confirm.ask("Sure?") })
const ref = { app: "app", session: "s-1", user: "u-1" } as const
const post = (key: string, input: string) => AgentRunner.post(agent, { ...ref, key, input })

describe("a message that is posted", () => {
  it.effect("joins a run that is under way at its next step", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const { context, requests, run } = yield* conversation(agent, [call("wait"), text("Both.")])
      const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go))
      const fiber = yield* Effect.forkChild(Effect.provide(run(), live(wait)))
      yield* Deferred.await(reached)
      yield* Effect.provideContext(post("m-1", "And this."), context)
      yield* Deferred.succeed(go, undefined)
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(textOf(result), "Both.")
      assert.deepStrictEqual(told(requests.at(-1)).slice(-2), ["tool: wait = null", "user: And this."])
      assert.deepStrictEqual(new Set(result.session.events.map(({ invocation }) => invocation)), new Set(["i1"]))
    }))

  it.effect("that comes with the last answer is answered before the run ends", () =>
    Effect.gen(function*() {
      let late: Effect.Effect<unknown> = Effect.void
      const posting = Middleware.make("posting", {
        hooks: [Middleware.afterRun({}, () => Effect.asVoid(Effect.suspend(() => late)))]
      })
      const busy = Agent.make("agent", { instructions: "", middleware: [posting] })
      const { context, run } = yield* conversation(busy, [text("First."), text("Second.")])
      // the hook after the run posts it twice, a second copy changes nothing
      late = Effect.orDie(Effect.provideContext(post("m-1", "One more."), context))
      const result = yield* run()
      assert.strictEqual(textOf(result), "Second.")
      assert.deepStrictEqual(statusesOf(result.session), ["completed"])
    }))

  it.effect("waits for the next run, and comes before its message", () =>
    Effect.gen(function*() {
      const { context, requests, run } = yield* conversation(agent, [text("Fine."), text("Again.")])
      yield* Effect.provideContext(Effect.andThen(post("m-1", "One."), post("m-2", "Two.")), context)
      yield* run("Three.")
      assert.deepStrictEqual(told(requests[0]), ["user: One.", "user: Two.", "user: Three."])
      // taken once, whoever posts it again
      yield* Effect.provideContext(post("m-1", "One."), context)
      yield* run("Four.")
      assert.deepStrictEqual(told(requests[1]), [
        "user: One.",
        "user: Two.",
        "user: Three.",
        "assistant: Fine.",
        "user: Four."
      ])
    }).pipe(Effect.provide(live())))

  it.effect("waits while a question is open", () =>
    Effect.gen(function*() {
      const { context, requests, resume, run } = yield* conversation(agent, [call("wonder"), text("Done.")])
      const paused = yield* run()
      yield* Effect.provideContext(post("m-1", "Meanwhile."), context)
      assert.strictEqual((yield* reasonOf(run()))._tag, "QuestionsOpen")
      yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(told(requests.at(-1)).slice(-2), ["tool: wonder = true", "user: Meanwhile."])
    }).pipe(Effect.provide(live())))

  it.effect("is for the root agent, also while a sub-agent works", () => {
    const child = Agent.make("child", { instructions: "", toolkit: kit })
    const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
    return Effect.gen(function*() {
      let meanwhile: Effect.Effect<void> = Effect.void
      const { context, requests, run } = yield* conversation(parent, {
        parent: [call("child", { task: "t" }), text("Done.")],
        child: [call("wait"), text("Mine.")]
      })
      meanwhile = Effect.orDie(Effect.provideContext(post("m-1", "Hurry."), context))
      yield* Effect.provide(run(), live(Effect.suspend(() => meanwhile)))
      assert.deepStrictEqual(requests.map((request) => [request.agent, told(request).at(-1)]), [
        ["parent", "user: Go."],
        ["child", "user: t"],
        ["child", "tool: wait = null"],
        ["parent", "user: Hurry."]
      ])
    })
  })
})
