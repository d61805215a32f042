import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Schema, Stream } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  type Event,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  SessionStore,
  State,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

const ref = { app: "host", session: "s-1" }
const Count = State.make("n", { count: State.field(Schema.Int, { initial: 10, reducer: Reducer.sum }) })
const Up = Tool.make("up", { combines: [Count.count] })
const upLive = Toolkit.layer(Toolkit.make(Up), { up: () => Count.count.combine(1) })
const Plain = Agent.make("host", { instructions: "Greet." })
const Counter = Agent.make("host", { instructions: "Count.", toolkit: Toolkit.make(Up) })
const model = (...turns: ReadonlyArray<ScriptedModel.Step>) => ScriptedModel.layer(turns)

/** A log as a crash after so many events leaves it. */
const crashed = (events: ReadonlyArray<Event.Event>, length: number) =>
  SessionStore.layerMemoryWith([{ ref, events: events.slice(0, length) }])

const results = (session: Session.Session) =>
  session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])

describe("AgentRunner.stream", () => {
  it.effect("ends its run when the reader stops early, and the session goes on", () =>
    Effect.gen(function*() {
      const long = ScriptedModel.text("word ".repeat(60))
      const options = { session: "s-1", input: "hi" }

      yield* Stream.runDrain(Stream.take(AgentRunner.stream(Plain, options), 1)).pipe(Effect.provide(model(long)))

      const next = yield* AgentRunner.run(Plain, options).pipe(Effect.provide(model(ScriptedModel.text("Yes."))))
      assert.strictEqual(next._tag === "Completed" && next.text, "Yes.")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a question", () => {
  it.effect("ends its attempt where a handler cannot be cancelled", () =>
    Effect.gen(function*() {
      const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
      const Send = Tool.make("send", { success: Schema.Boolean, asks: [Confirm] })
      const Clerk = Agent.make("host", { instructions: "Send.", toolkit: Toolkit.make(Send) })
      const live = Toolkit.layer(Toolkit.make(Send), {
        send: () => Effect.acquireUseRelease(Confirm.ask("Really?"), Effect.succeed, () => Effect.void)
      })

      const paused = yield* AgentRunner.run(Clerk, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([live, model(ScriptedModel.call("send"))])
      )

      assert.deepStrictEqual(Confirm.among(paused.session.open).map(({ question }) => question), ["Really?"])
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it.effect("of effect/ai's own needsApproval is asked of a person", () =>
    Effect.gen(function*() {
      const Drop = AiTool.make("drop", { needsApproval: true })
      const Admin = Agent.make("host", { instructions: "Drop.", toolkit: Toolkit.make(Drop) })
      const live = Toolkit.layer(Toolkit.make(Drop), { drop: () => Effect.die("it ran") })

      const paused = yield* AgentRunner.run(Admin, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([live, model(ScriptedModel.call("drop"))])
      )
      const done = yield* AgentRunner.resume(Admin, {
        session: "s-1",
        answers: paused.session.open.map(({ id }) => Interrupt.reject(id, "never"))
      }).pipe(Effect.provide([live, model(ScriptedModel.text("Kept."))]))

      assert.deepStrictEqual(results(done.session), [{ _tag: "Rejected", message: "never" }])
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a call that failed", () => {
  it.effect("commits nothing that a leaked fiber writes while after-hooks run", () =>
    Effect.gen(function*() {
      const late = yield* Deferred.make<void>()
      const leaked = yield* Deferred.make<Fiber.Fiber<void>>()
      const Note = State.make("note", { last: State.optional(Schema.Int) })
      const Leak = Tool.make("leak", { failure: Schema.String, writes: [Note.last] })
      const Slow = Middleware.make("slow", {
        hooks: [
          Middleware.afterTool({}, () =>
            Deferred.succeed(late, undefined).pipe(
              Effect.andThen(Effect.flatMap(Deferred.await(leaked), Fiber.await)),
              Effect.asVoid
            ))
        ]
      })
      const Leaky = Agent.make("host", { instructions: "Leak.", toolkit: Toolkit.make(Leak), middleware: [Slow] })
      const live = Toolkit.layer(Toolkit.make(Leak), {
        leak: () =>
          Effect.andThen(Deferred.await(late), Note.last.set(42)).pipe(
            Effect.forkDetach,
            Effect.flatMap((fiber) => Deferred.succeed(leaked, fiber)),
            Effect.andThen(Effect.fail("no"))
          )
      })

      const { session } = yield* AgentRunner.run(Leaky, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([live, model(ScriptedModel.call("leak"), ScriptedModel.text("done"))])
      )

      assert.deepStrictEqual(results(session), ["no"])
      assert.deepStrictEqual(session.state.get(Note.last), Option.none())
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a log", () => {
  it.effect("gets the sections that a program added, also when a run resumes without answers", () =>
    Effect.gen(function*() {
      const first = yield* AgentRunner.run(Plain, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([SessionStore.layerMemory, model(ScriptedModel.text("Yes."))])
      )
      const loaded = yield* AgentRunner.resume(Counter, { session: "s-1", answers: [] }).pipe(
        Effect.andThen(Session.load(ref, Counter)),
        Effect.provide([
          crashed(first.session.events, 2),
          upLive,
          model(ScriptedModel.call("up"), ScriptedModel.text("Done."))
        ])
      )
      assert.strictEqual(loaded.state.get(Count.count), 11)
    }))

  it.effect("keeps what a call asked of the loop over a crash", () =>
    Effect.gen(function*() {
      const Stop = Tool.make("stop", { success: Schema.String })
      const Stopper = Agent.make("host", { instructions: "Stop.", toolkit: Toolkit.make(Stop) })
      const live = Toolkit.layer(Toolkit.make(Stop), {
        stop: () =>
          Effect.as(Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.skipSummarization), "the result")
      })
      const first = yield* AgentRunner.run(Stopper, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([SessionStore.layerMemory, live, model(ScriptedModel.call("stop"))])
      )
      assert.strictEqual(first._tag === "Completed" && first.text, "the result")

      const again = yield* AgentRunner.resume(Stopper, { session: "s-1", answers: [] }).pipe(
        Effect.provide([crashed(first.session.events, 4), live, model()])
      )

      assert.strictEqual(again._tag === "Completed" && again.text, "the result")
    }))

  it.effect("that a crash cut is ended by its calls' marks before a new message", () =>
    Effect.gen(function*() {
      const Look = Tool.make("look", { success: Schema.String }).annotate(AiTool.Readonly, true)
      const Act = Tool.make("act", { success: Schema.String })
      const kit = Toolkit.make(Look, Act)
      const Both = Agent.make("host", { instructions: "Both.", toolkit: kit })
      const live = Toolkit.layer(kit, { look: () => Effect.succeed("seen"), act: () => Effect.succeed("done") })
      const turns = [ScriptedModel.calls({ tool: "look" }, { tool: "act" }), ScriptedModel.text("Fine.")]
      const first = yield* AgentRunner.run(Both, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([SessionStore.layerMemory, live, model(...turns)])
      )

      const next = yield* AgentRunner.run(Both, { session: "s-1", input: "again" }).pipe(
        Effect.provide([crashed(first.session.events, 3), live, model(ScriptedModel.text("Fine."))])
      )

      const [look, act] = ["look", "act"].map((tool) =>
        next.session.events.flatMap((event) => event.kind === "call" && event.tool === tool ? [event.result] : [])
      )
      assert.deepStrictEqual(look, [{ isFailure: false, value: "seen" }])
      assert.include(JSON.stringify(act), "OutcomeUnknown")
    }))

  it.effect("of a newer program is not written from outside", () =>
    Effect.gen(function*() {
      const Newer = State.make("n", { count: State.field(Schema.Int, { initial: 10 }) }, {
        history: State.history(1, Schema.Struct({ count: Schema.Int })),
        up: ({ count }) => ({ count })
      })
      const Set = Tool.make("set", { writes: [Newer.count] })
      const Host = Agent.make("host", { instructions: "Set.", toolkit: Toolkit.make(Set) })
      const live = Toolkit.layer(Toolkit.make(Set), { set: () => Newer.count.set(1) })
      yield* AgentRunner.run(Host, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([live, model(ScriptedModel.text("Yes."))])
      )

      const error = yield* Effect.flip(Session.write(ref, [Count.count.to(99)]))

      assert.strictEqual(error._tag, "StateError")
      assert.strictEqual((yield* Session.load(ref, Host)).revision, 4)
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("an answer", () => {
  it.effect("without a text is empty, whatever was said before", () =>
    Effect.gen(function*() {
      const result = yield* AgentRunner.run(Counter, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([
          upLive,
          model({ text: "Let me look.", calls: [{ tool: "up" }] }, {}),
          SessionStore.layerMemory
        ])
      )
      assert.strictEqual(result._tag === "Completed" && result.text, "")
    }))

  it.effect("comes to every run whose message brings a write of a shared field", () =>
    Effect.gen(function*() {
      const Profile = State.make("profile", { nick: State.field(Schema.String, { initial: "", scope: "user" }) })
      const options = { session: "s-1", user: "ada", input: "hi", state: [Profile.nick.to("ada l.")] }
      const say = model(ScriptedModel.text("Yes."))
      yield* AgentRunner.run(Plain, options).pipe(Effect.provide(say))

      const second = yield* AgentRunner.run(Plain, options).pipe(Effect.provide(say))
      const error = yield* Effect.flip(
        AgentRunner.run(Plain, { session: "s-2", input: "hi", state: options.state }).pipe(Effect.provide(say))
      )

      assert.strictEqual(second._tag, "Completed")
      assert.strictEqual(error.reason._tag, "UserMissing")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})
