import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { Agent, AgentError, AgentRunner, Interrupt, Middleware, Session, SessionStore, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import {
  conversation,
  endsOf,
  idsOf,
  openOf,
  reasonOf,
  restarted,
  statusesOf,
  textOf,
  told
} from "../../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Queue = Tool.make("queue", { parameters: Schema.Struct({ key: Schema.String }) })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const Crash = Tool.make("crash", {})
const kit = Toolkit.make(Queue, Wonder, Crash)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const ref = { app: "app", session: "s-1", user: "u-1" } as const
const post = (key: string, input: string) => AgentRunner.post(agent, { ...ref, key, input })

/** A conversation whose tool leaves messages for its own session. */
const queueing = (script: ScriptedModel.Script, meanwhile: Effect.Effect<unknown> = Effect.void) =>
  Effect.gen(function*() {
    const it = yield* conversation(agent, script)
    const live = Toolkit.layer(kit, {
      queue: ({ key }) =>
        post(key, `Message ${key}.`).pipe(
          Effect.provideContext(it.context),
          Effect.orDie,
          Effect.andThen(meanwhile),
          Effect.asVoid
        ),
      wonder: () => Confirm.ask("Sure?"),
      crash: () => Effect.die(new Error("crashed"))
    })
    return { ...it, live, post: (key: string, input: string) => Effect.provideContext(post(key, input), it.context) }
  })

const queue = (key: string) => ({ tool: "queue", parameters: { key } })

describe("sagents 2.10: server", () => {
  it.effect("T245 a message that a tool leaves is a user's message, once, after what the model had said", () =>
    Effect.gen(function*() {
      const { live, requests, run } = yield* queueing([calls(queue("a")), text("Both."), text("Again.")])
      assert.strictEqual(textOf(yield* Effect.provide(run("Go."), live)), "Both.")
      const before = ["user: Go.", "assistant: queue({\"key\":\"a\"})", "tool: queue = null", "user: Message a."]
      assert.deepStrictEqual(told(requests[1]), before)
      yield* Effect.provide(run("And?"), live)
      assert.deepStrictEqual(told(requests[2]), [...before, "assistant: Both.", "user: And?"])
    }))

  it.effect("T246 nothing ends between a message and the one that was left while it was answered", () =>
    Effect.gen(function*() {
      const { live, run } = yield* queueing([calls(queue("a")), text("Both.")])
      assert.deepStrictEqual(statusesOf((yield* Effect.provide(run(), live)).session), ["completed"])
    }))

  it.effect("T247 a message that comes while the model gives its last answer is answered too", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const { live, post, requests, run } = yield* queueing([
        () => Effect.as(Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(go)), text("First.")),
        text("Second.")
      ])
      const fiber = yield* Effect.forkChild(Effect.provide(run("Go."), live))
      yield* Deferred.await(asked)
      yield* post("a", "One more.")
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual(textOf(yield* Fiber.join(fiber)), "Second.")
      assert.deepStrictEqual(told(requests[1]), ["user: Go.", "assistant: First.", "user: One more."])
    }))

  it.effect("T249 a message waits while a question is open, and after a failure, and is then taken", () =>
    Effect.gen(function*() {
      const asking = yield* queueing([calls(queue("a"), { tool: "wonder" }), text("Sure.")])
      const paused = yield* Effect.provide(asking.run("Go."), asking.live)
      assert.deepStrictEqual(asking.requests.length, 1)
      const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
      yield* Effect.provide(asking.resume(answers), asking.live)
      assert.deepStrictEqual(told(asking.requests[1]).at(-1), "user: Message a.")

      const failing = yield* queueing([calls(queue("a")), text("Both."), text("More.")])
      const { reason } = yield* Effect.flip(
        Effect.provide(failing.run("Go.", { limits: { steps: 1 } }), failing.live)
      )
      assert.strictEqual(reason._tag, "LimitReached")
      yield* Effect.provide(failing.run("On."), failing.live)
      assert.deepStrictEqual(told(failing.requests[1]).slice(-2), ["user: Message a.", "user: On."])
    }))

  it.effect("T250 several messages stay several, in their order, and only a user's can be left", () =>
    Effect.gen(function*() {
      const { live, requests, run } = yield* queueing([calls(queue("a"), queue("b")), text("All.")])
      yield* Effect.provide(run("Go."), live)
      assert.sameMembers(told(requests[1]).slice(-2), ["user: Message a.", "user: Message b."])
      // @ts-expect-error a message of another role has no parts of a user's
      const other: AgentRunner.PostOptions<typeof agent>["input"] = [{ type: "tool-result", id: "c" }]
      assert.isDefined(other)
    }))

  it.effect("T251 a tool that always leaves a message meets the limit of the invocation; the next one has its own", () =>
    Effect.gen(function*() {
      const forever = Array.from({ length: 4 }, (_, index) => calls(queue(`k-${index}`)))
      const { live, requests, run } = yield* queueing([...forever, text("Enough.")])
      const { reason } = yield* Effect.flip(Effect.provide(run("Go.", { limits: { steps: 4 } }), live))
      assert.strictEqual(reason._tag, "LimitReached")
      assert.strictEqual(textOf(yield* Effect.provide(run("Stop.", { limits: { steps: 4 } }), live)), "Enough.")
      assert.strictEqual(requests.length, 5)
    }))

  it.effect("T254 a cancellation while a tool leaves a message ends the run, and the message waits", () =>
    Effect.gen(function*() {
      const left = yield* Deferred.make<void>()
      const { context, live, requests, run } = yield* queueing(
        [calls(queue("a")), text("Both.")],
        Effect.andThen(Deferred.succeed(left, undefined), Effect.never)
      )
      const fiber = yield* Effect.forkChild(Effect.flip(Effect.provide(run("Go."), live)))
      yield* Deferred.await(left)
      yield* Effect.provideContext(AgentRunner.post(agent, { ...ref, key: "c", cancel: true }), context)
      assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "RunCancelled")
      yield* Effect.provide(run("On."), live)
      assert.deepStrictEqual(told(requests[1]).slice(-2), ["user: Message a.", "user: On."])
    }))

  it.effect("T256 a session begins with its first run, once; it goes on in another process, asleep or awake; it can be dismissed", () =>
    Effect.gen(function*() {
      const { live, run, session } = yield* queueing([call("wonder"), text("Done.")])
      const first = yield* Effect.provide(run("Go.", { key: "m-1" }), live)
      // the same again is the same
      const again = yield* Effect.provide(run("Go.", { key: "m-1" }), live)
      assert.deepStrictEqual([openOf(again), again.session.events], [openOf(first), first.session.events])
      const answers = openOf(first).map(({ id }) => Confirm.answer(id, true))
      const other = yield* restarted(agent, yield* session(), [text("Done there.")])
      assert.strictEqual(textOf(yield* Effect.provide(other.resume(answers), live)), "Done there.")
      assert.strictEqual((yield* reasonOf(Effect.provide(other.resume(answers), live)))._tag, "AnswerRefused")
      const dismissed = yield* restarted(agent, yield* session(), [text("Anew.")])
      yield* dismissed.abandon()
      assert.strictEqual(textOf(yield* Effect.provide(dismissed.run("Go on."), live)), "Anew.")
    }))

  it.effect("T257 a store that is down is told as such, and never taken for a session that is not there", () =>
    Effect.gen(function*() {
      const working = yield* Layer.build(SessionStore.layerMemory)
      const down = Effect.fail(new AgentError.StoreFailed({ problem: "it is down" }))
      const store = Context.make(SessionStore.SessionStore, {
        ...Context.get(working, SessionStore.SessionStore),
        load: () => down,
        newest: () => down,
        post: () => down
      })
      const { context, live } = yield* queueing([])
      const broken = Context.merge(context, store)
      const reading = [
        AgentRunner.resume(agent, { ...ref, answers: [] }),
        AgentRunner.abandon(agent, ref),
        post("a", "Hello."),
        AgentRunner.run(agent, { ...ref, input: "Hello." })
      ]
      for (const each of reading) {
        const { reason } = yield* Effect.flip(Effect.provide(Effect.provideContext(each, broken), live))
        assert.strictEqual(reason._tag, "StoreFailed")
      }
      const load = yield* Effect.flip(Effect.provideContext(Session.load(ref), broken))
      assert.strictEqual(load._tag, "StoreFailed")
    }))

  it.effect("T259 a tool that dies is a failed call, a hook that dies a failed run; the session goes on after either", () =>
    Effect.gen(function*() {
      const { live, run } = yield* queueing([call("crash"), text("It crashed.")])
      const result = yield* Effect.provide(run(), live)
      assert.deepStrictEqual([textOf(result), endsOf(result.session).map(({ failed }) => failed)], ["It crashed.", [
        true
      ]])

      let healthy = false
      const dying = Middleware.make("dying", {
        hooks: [Middleware.beforeModel({}, () => healthy ? Effect.void : Effect.die(new Error("crashed")))]
      })
      const fragile = yield* conversation(Agent.make("fragile", { instructions: "", middleware: [dying] }), [
        text("Well.")
      ])
      assert.strictEqual((yield* reasonOf(fragile.run()))._tag, "HookFailed")
      healthy = true
      assert.strictEqual(textOf(yield* fragile.run("Again.")), "Well.")
      assert.deepStrictEqual(statusesOf(yield* fragile.session()), ["failed", "completed"])
    }))

  it.effect("T260 what needs a session says by name that there is none; a message begins one", () =>
    Effect.gen(function*() {
      const { context, live, run } = yield* queueing([call("wonder"), text("Done.")])
      const missing = [
        AgentRunner.resume(agent, { ...ref, answers: [Confirm.answer("i1.1.1?1", true)] }),
        AgentRunner.abandon(agent, ref),
        AgentRunner.post(agent, { ...ref, key: "a", answer: Confirm.answer("i1.1.1?1", true) })
      ]
      for (const each of missing) {
        const { reason } = yield* Effect.flip(Effect.provide(Effect.provideContext(each, context), live))
        assert.include(["SessionMissing", "AnswerRefused"], reason._tag)
      }
      yield* Effect.provideContext(AgentRunner.post(agent, { ...ref, key: "c", cancel: true }), context)
      const paused = yield* Effect.provide(run("Go."), live)
      assert.deepStrictEqual(idsOf(openOf(paused)), ["i1.1.1?1"])
    }))
})
