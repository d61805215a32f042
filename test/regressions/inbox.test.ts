import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Schema } from "effect"
import { Agent, AgentRunner, Interrupt, SessionStore, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, reasonOf, restarted, statusesOf, textOf } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Send = Tool.make("send", { success: Schema.Boolean, asks: [Confirm], exclusive: true })
const kit = Toolkit.make(Send)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = Toolkit.layer(kit, { send: () => Confirm.ask("Sure?") })
const ref = { app: "app", session: "s-1", user: "u-1" } as const

describe("AgentRunner.resume", () => {
  it.effect("finds no session where a crash came before its first message", () =>
    Effect.gen(function*() {
      const first = yield* conversation(agent, [text("Hi.")])
      const { session } = yield* first.run()
      const it = yield* restarted(agent, { events: session.events.slice(0, 1) }, [text("Hi.")])
      assert.strictEqual((yield* reasonOf(it.resume([])))._tag, "SessionMissing")
      assert.strictEqual(textOf(yield* it.run()), "Hi.")
    }).pipe(Effect.provide(live)))

  it.effect("that is interrupted, and only closes what waited for a paused call, says that it ended", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [calls({ tool: "send" }, { tool: "send" }), text("Done.")])
      yield* it.run()
      const store = yield* Effect.provideContext(SessionStore.SessionStore, it.context)
      const reached = yield* Deferred.make<void>()
      let looks = 0
      // held up where it looks for what came meanwhile
      const slow = Layer.succeed(SessionStore.SessionStore, {
        ...store,
        inbox: (of) =>
          ++looks === 1
            ? store.inbox(of)
            : Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      })
      const resuming = AgentRunner.resume(agent, { ...ref, answers: [] })
      const fiber = yield* Effect.forkChild(Effect.provide(resuming, [slow, ScriptedModel.layer([])]))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      const left = yield* it.session()
      assert.deepStrictEqual(endsOf(left), [bad("send", "Cancelled", "the run ended before this call did")])
      assert.deepStrictEqual(statusesOf(left), ["paused", "cancelled"])
    }).pipe(Effect.provide(live)))
})

describe("a cancellation", () => {
  it.effect("of a run that did nothing yet is taken, and told in the log", () =>
    Effect.gen(function*() {
      const failing = yield* conversation(agent, [])
      assert.strictEqual((yield* reasonOf(failing.run()))._tag, "ModelFailed")
      const store = yield* Effect.provideContext(SessionStore.SessionStore, failing.context)
      let isPosted = false
      // it comes when the run has looked at what waited before it
      const posting = Layer.succeed(SessionStore.SessionStore, {
        ...store,
        inbox: (of) =>
          Effect.tap(store.inbox(of), () => {
            if (isPosted) return Effect.void
            isPosted = true
            return store.post(of, { kind: "cancellation", key: "stop-1" })
          })
      })
      const resuming = AgentRunner.resume(agent, { ...ref, answers: [] })
      const reason = yield* reasonOf(Effect.provide(resuming, [posting, ScriptedModel.layer([text("Hi.")])]))
      assert.strictEqual(reason._tag, "RunCancelled")
      const events = Option.getOrThrow(yield* store.load(ref))
      assert.deepInclude(events.at(-1), { kind: "ended", status: "cancelled", key: "stop-1" })
      assert.deepStrictEqual(yield* store.inbox(ref), [])
    }).pipe(Effect.provide(live)))

  it.effect("that came before the answers leaves them for the calls that they set free, and then comes the message", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [call("send"), text("Done.")])
      yield* it.run()
      const post = (what: object) =>
        Effect.provideContext(
          AgentRunner.post(agent, { ...ref, ...what } as AgentRunner.PostOptions<typeof agent>),
          it.context
        )
      yield* post({ key: "m-1", input: "Meanwhile." })
      yield* post({ key: "stop-1", cancel: true })
      yield* post({ key: "a-1", answer: Confirm.answer("i1.1.1?1", true) })
      const { session } = yield* it.run("Next.")
      assert.deepStrictEqual(endsOf(session), [{ tool: "send", failed: false, value: true }])
      assert.deepStrictEqual(
        session.history.map(({ role }) => role),
        ["user", "assistant", "tool", "user", "user", "assistant"]
      )
      assert.deepStrictEqual(statusesOf(session), ["paused", "cancelled", "completed"])
    }).pipe(Effect.provide(live)))
})
