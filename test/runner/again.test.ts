import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema, Stream } from "effect"
import { AiError } from "effect/ai"
import { Agent, AgentRunner, Interrupt, Middleware, Reducer, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, idsOf, openOf, reasonOf, restarted, textOf } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Count = State.make("count", { runs: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Up = Tool.make("up", { success: Schema.Int, combines: [Count.runs] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Up, Wonder)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = (before: Effect.Effect<void> = Effect.void) =>
  Toolkit.layer(kit, {
    up: () => Effect.as(Effect.andThen(before, Count.runs.combine(1)), 1),
    wonder: () => Confirm.ask("Sure?")
  })
const ref = { app: "app", session: "s-1", user: "u-1" } as const
const key = "m-1"

const inputsOf = ({ events }: AgentRunner.AgentResult["session"]) =>
  events.flatMap((event) => event.kind === "input" ? [event.key] : [])

const broken = new AiError.InternalProviderError({ description: "down" })

describe("a message with a key", () => {
  it.effect("that was answered gets its stored answer: nothing runs, and nothing is written", () =>
    Effect.gen(function*() {
      const { requests, run, session } = yield* conversation(agent, [call("up"), text("Done."), text("Later.")])
      const first = yield* run("Go.", { key })
      yield* run("And then?")
      const before = yield* session()
      const second = yield* run("Go.", { key })
      assert.deepStrictEqual(
        [second._tag, textOf(second), second.invocation, second.usage],
        [first._tag, "Done.", "i1", first.usage]
      )
      assert.deepStrictEqual(second.session.events, before.events)
      assert.strictEqual(second.session.state.get(Count.runs), 1)
      assert.lengthOf(requests, 3)
    }).pipe(Effect.provide(live())))

  it.effect("gets its stored answer also after a restart, as the value of the output schema", () =>
    Effect.gen(function*() {
      const Typed = Agent.make("typed", { instructions: "", output: Schema.Struct({ at: Schema.DateFromString }) })
      const script = [text(JSON.stringify({ at: "2026-01-02T00:00:00.000Z" }))]
      const { run } = yield* conversation(Typed, script)
      const first = yield* run("When?", { key })
      const again = yield* restarted(Typed, first.session, [])
      const second = yield* again.run("When?", { key })
      assert.deepStrictEqual(second._tag === "Completed" && second.output, { at: new Date("2026-01-02") })
    }))

  it.effect("that waits for an answer gets the open questions, and is one invocation over the pause", () =>
    Effect.gen(function*() {
      const { resume, run, session } = yield* conversation(agent, [call("wonder"), text("Done.")])
      const first = yield* run("Go.", { key })
      const before = yield* session()
      const second = yield* run("Go.", { key })
      assert.deepStrictEqual(openOf(second), openOf(first))
      assert.deepStrictEqual((yield* session()).events, before.events)
      yield* resume(idsOf(openOf(second)).map((id) => Confirm.answer(id, true)))
      assert.strictEqual(textOf(yield* run("Go.", { key })), "Done.")
    }).pipe(Effect.provide(live())))

  it.effect("whose run failed goes on where it was", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("up"), ScriptedModel.fail(broken), text("Done.")])
      assert.strictEqual((yield* reasonOf(run("Go.", { key })))._tag, "ModelFailed")
      const second = yield* run("Go.", { key })
      assert.deepStrictEqual([textOf(second), second.invocation], ["Done.", "i1"])
      assert.deepStrictEqual(inputsOf(second.session), [key])
      assert.deepStrictEqual(endsOf(second.session).map(({ tool }) => tool), ["up"])
    }).pipe(Effect.provide(live())))

  it.effect("that got no answer is refused once the session has gone on", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [ScriptedModel.fail(broken), text("Other.")])
      yield* reasonOf(run("Go.", { key }))
      yield* run("Something else.")
      assert.deepInclude(yield* reasonOf(run("Go.", { key })), { _tag: "InputTaken", key, invocation: "i1" })
    }).pipe(Effect.provide(live())))

  it.effect("that was cancelled stays so", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const { context, run } = yield* conversation(agent, [call("up"), text("Never.")])
      yield* Effect.gen(function*() {
        const running = yield* Effect.forkChild(reasonOf(run("Go.", { key })))
        yield* Deferred.await(reached)
        yield* Effect.provideContext(AgentRunner.post(agent, { ...ref, key: "stop", cancel: true }), context)
        for (const reason of [yield* Fiber.join(running), yield* reasonOf(run("Go.", { key }))]) {
          assert.deepInclude(reason, { _tag: "RunCancelled", key: "stop" })
        }
      }).pipe(
        Effect.provide(live(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)))
      )
    }))

  it.effect("that was posted before is one message", () =>
    Effect.gen(function*() {
      const { context, requests, run } = yield* conversation(agent, [text("Done.")])
      const post = Effect.provideContext(AgentRunner.post(agent, { ...ref, key, input: "Go." }), context)
      yield* post
      const { session } = yield* run("Go.", { key })
      yield* post
      assert.deepStrictEqual(inputsOf(session), [key])
      assert.deepStrictEqual(inputsOf((yield* run("Go.", { key })).session), [key])
      assert.lengthOf(requests, 1)
    }).pipe(Effect.provide(live())))

  it.live("that comes twice at the same time is one run, whose end both get", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [call("up"), text("Done.")])
      const both = yield* Effect.all([run("Go.", { key }), run("Go.", { key }), run("Go.", { key })], {
        concurrency: "unbounded"
      }).pipe(Effect.provide(live(Effect.sleep("1200 millis"))))
      for (const result of both) {
        assert.deepStrictEqual([textOf(result), result.invocation, inputsOf(result.session)], ["Done.", "i1", [key]])
      }
      assert.lengthOf(requests, 2)
    }))

  it.live("that comes while another is at work is refused as any", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("up")])
      const running = yield* Effect.forkChild(run("Go."))
      yield* Effect.yieldNow
      assert.strictEqual((yield* reasonOf(run("Go.", { key })))._tag, "SessionBusy")
      yield* Fiber.interrupt(running)
    }).pipe(Effect.provide(live(Effect.never))))

  it.effect("is one message wherever a process ended", () =>
    Effect.gen(function*() {
      const script = [call("up"), call("up"), text("Done.")]
      const { run } = yield* conversation(agent, script)
      const { session } = yield* run("Go.", { key })
      for (let length = 1; length <= session.events.length; length++) {
        const events = session.events.slice(0, length)
        const said = events.filter(({ kind }) => kind === "model").length
        const again = yield* restarted(agent, { events }, script.slice(said))
        const result = yield* again.run("Go.", { key })
        assert.deepStrictEqual([textOf(result), inputsOf(result.session)], ["Done.", [key]], `of ${length} events`)
      }
    }).pipe(Effect.provide(live())))

  it.effect("shows its answer to a stream too, without events", () =>
    Effect.gen(function*() {
      const { context, run } = yield* conversation(agent, [text("Done.")])
      yield* run("Go.", { key })
      const items = yield* Stream.runCollect(AgentRunner.stream(agent, { ...ref, input: "Go.", key })).pipe(
        Effect.provideContext(context)
      )
      assert.deepStrictEqual(items.map(({ _tag }) => _tag), ["Result"])
    }).pipe(Effect.provide(live())))

  it.effect("runs no hooks a second time", () =>
    Effect.gen(function*() {
      let started = 0
      const Seen = Middleware.make("seen", {
        hooks: [Middleware.beforeRun({}, () =>
          Effect.sync(() => {
            started++
          }))]
      })
      const Hooked = Agent.make("hooked", { instructions: "", middleware: [Seen] })
      const { run } = yield* conversation(Hooked, [text("Done.")])
      yield* run("Go.", { key })
      yield* run("Go.", { key })
      assert.strictEqual(started, 1)
    }))
})
