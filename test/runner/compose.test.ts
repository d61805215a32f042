import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { Agent, Compose, Interrupt, Reducer, State, SubAgent, Tool, ToolCall, Toolkit, Transfer } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, logOf, openOf, reasonOf, restarted, textOf, told } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Doc = State.make("doc", {
  lines: State.field(Schema.Array(Schema.String), { initial: [] }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Add = Tool.make("add", { parameters: Schema.Struct({ line: Schema.String }), writes: [Doc.lines] })
const Count = Tool.make("count", { combines: [Doc.count] })
const Stop = Tool.make("stop", {})
const Ask = Tool.make("ask", { success: Schema.Boolean, asks: [Confirm] })
const Break = Tool.make("break", { success: Schema.String, failure: Schema.String })
const kit = Toolkit.make(Add, Count, Stop, Ask, Break)
const live = Toolkit.layer(kit, {
  add: ({ line }) => Doc.lines.update((lines) => [...lines, line]),
  count: () => Doc.count.combine(1),
  stop: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.escalate),
  ask: () => Confirm.ask("Sure?"),
  break: () => Effect.fail("broken")
})

const member = <const Name extends string>(name: Name) =>
  SubAgent.make(Agent.make(name, { instructions: `I am ${name}.`, toolkit: kit }), {
    returns: [Doc.lines, Doc.count],
    snapshot: "spawn"
  })
const [One, Two, Three] = [member("one"), member("two"), member("three")]
const Stars = Schema.Struct({ stars: Schema.Int })
const Judge = SubAgent.make(Agent.make("judge", { instructions: "", output: Stars }))

/** An answer that ends the agents above too. */
const stop = (said: string) => ({ text: said, calls: [{ tool: "stop" }] })

describe("Compose.sequential", () => {
  const All = Compose.sequential("all", { subAgents: [One, Two, Three] })

  it.effect("each is told the message and what those before it said, and sees the state that came back", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(All, {
        one: [call("add", { line: "a" }), text("first")],
        two: [call("add", { line: "b" }), text("second")],
        three: [text("third")]
      })
      const done = yield* run("Go.")
      assert.deepStrictEqual(done._tag === "Completed" && [done.agent, done.text], ["all", "third"])
      assert.deepStrictEqual(done.session.state.get(Doc.lines), ["a", "b"])
      assert.include(told(requests.at(-1)), "user: Go.\n\none:\nfirst\n\ntwo:\nsecond")
    }).pipe(Effect.provide(live)))

  it.effect("pauses with a member, and goes on with it in another process", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(All, { one: [text("first")], two: [call("ask")] })
      const paused = yield* talk.run()
      assert.deepStrictEqual(openOf(paused).map(({ agentPath }) => agentPath), [["all", "two"]])
      const later = yield* restarted(All, paused.session, { two: [text("second")], three: [text("third")] })
      const done = yield* later.resume([Confirm.answer(openOf(paused)[0]?.id ?? "", true)])
      assert.strictEqual(textOf(done), "third")
      assert.strictEqual(done.usage.steps, 8)
    }).pipe(Effect.provide(live)))

  it.effect("one that escalates ends it, and those above it", () =>
    Effect.gen(function*() {
      const Boss = Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(All)] })
      const { run } = yield* conversation(Boss, {
        boss: [call("all", { task: "Go." }), text("never")],
        one: [text("first")],
        two: [stop("enough")]
      })
      assert.strictEqual(textOf(yield* run()), "enough")
    }).pipe(Effect.provide(live)))

  it.effect("one that fails ends it with its name; in another agent that is a result of the call", () =>
    Effect.gen(function*() {
      const Short = SubAgent.make(Agent.make("short", { instructions: "", toolkit: kit, limits: { steps: 1 } }))
      const Pair = Compose.sequential("pair", { subAgents: [Short, One] })
      const reason = yield* reasonOf((yield* conversation(Pair, { short: [call("count")] })).run())
      assert.strictEqual(reason._tag === "SubAgentFailed" && reason.subAgent, "short")
      const Boss = Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(Pair)] })
      const boss = yield* conversation(Boss, {
        boss: [call("pair", { task: "Go." }), text("sorry")],
        short: [call("count")]
      })
      assert.strictEqual(textOf(yield* boss.run()), "sorry")
    }).pipe(Effect.provide(live)))

  it.effect("answers with the value of the last one, and gives tasks of its own wording", () =>
    Effect.gen(function*() {
      const Rated = Compose.sequential("rated", {
        subAgents: [One, Judge],
        task: ({ answers, message }, name) => `${name}: ${message} ${answers.length}`
      })
      const { requests, run } = yield* conversation(Rated, { one: [text("x")], judge: [text(`{"stars":3}`)] })
      const done = yield* run("Rate.")
      assert.deepStrictEqual(done._tag === "Completed" && done.output, { stars: 3 })
      assert.include(told(requests.at(-1)), "user: judge: Rate. 1")
    }).pipe(Effect.provide(live)))

  it.effect("a limit of the run holds over all members", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(All, { one: [text("first")], two: [text("second")] })
      const reason = yield* reasonOf(run("Go.", { limits: { steps: 4 } }))
      assert.strictEqual(reason._tag, "LimitReached")
    }).pipe(Effect.provide(live)))
})

describe("Compose.parallel", () => {
  it.effect("answers with a record of all answers; each member's operations come back in order", () =>
    Effect.gen(function*() {
      const Both = Compose.parallel("both", { subAgents: [One, Judge, Two] })
      const { run } = yield* conversation(Both, {
        one: [call("count"), text("1")],
        two: [call("count"), text("2")],
        judge: [text(`{"stars":3}`)]
      })
      const done = yield* run()
      assert.deepStrictEqual(done._tag === "Completed" && done.output, { one: "1", judge: { stars: 3 }, two: "2" })
      assert.strictEqual(done.session.state.get(Doc.count), 2)
    }).pipe(Effect.provide(live)))

  it.effect("all members end where one escalates, and the agents above end with their answers", () =>
    Effect.gen(function*() {
      const Both = Compose.parallel("both", { subAgents: [One, Two] })
      const Boss = Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(Both)] })
      const { run } = yield* conversation(Boss, {
        boss: [call("both", { task: "Go." }), text("never")],
        one: [stop("enough")],
        two: [text("2")]
      })
      assert.strictEqual(textOf(yield* run()), JSON.stringify({ one: "enough", two: "2" }))
    }).pipe(Effect.provide(live)))
})

describe("Compose.loop", () => {
  it.effect("goes round until its rounds are over, or one escalates; the agents above go on", () =>
    Effect.gen(function*() {
      const Round = Compose.loop("round", { subAgents: [One, Two], times: 2 })
      const all = yield* conversation(Round, { one: [text("a"), text("c")], two: [text("b"), text("d")] })
      assert.strictEqual(textOf(yield* all.run()), "d")
      const Boss = Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(Round)] })
      const early = yield* conversation(Boss, {
        boss: [call("round", { task: "Go." }), text("and on")],
        one: [text("a"), stop("c")],
        two: [text("b")]
      })
      const done = yield* early.run()
      assert.strictEqual(textOf(done), "and on")
      assert.include(logOf(done.session), "boss: call round")
    }).pipe(Effect.provide(live)))

  it.effect("as a target of a transfer it answers, and the next message goes to the agent above", () =>
    Effect.gen(function*() {
      const Round = Compose.loop("round", { subAgents: [One], times: 1 })
      const Desk = Agent.make("desk", { instructions: "", transfers: [Transfer.make(Round)] })
      const { run } = yield* conversation(Desk, {
        desk: [call("transfer_to_agent", { agent_name: "round" }), text("back")],
        one: [text("once")]
      })
      const first = yield* run()
      assert.deepStrictEqual(first._tag === "Completed" && [first.agent, first.text], ["round", "once"])
      assert.strictEqual(textOf(yield* run()), "back")
    }).pipe(Effect.provide(live)))

  it.effect("is cancelled with its member, and can go on", () =>
    Effect.gen(function*() {
      const Slow = Tool.make("slow", { success: Schema.String })
      const Sleeper = SubAgent.make(Agent.make("sleeper", { instructions: "", toolkit: Toolkit.make(Slow) }))
      const Round = Compose.loop("round", { subAgents: [Sleeper], times: 2 })
      const talk = yield* conversation(Round, { sleeper: [call("slow"), text("a"), text("b")] })
      const sleeping = Toolkit.layer(Toolkit.make(Slow), { slow: () => Effect.never })
      const fiber = yield* Effect.forkChild(talk.run().pipe(Effect.provide(sleeping)))
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 100 }))
      yield* Fiber.interrupt(fiber)
      const done = yield* talk.run().pipe(Effect.provide(sleeping))
      assert.strictEqual(textOf(done), "b")
    }))
})

describe("Compose", () => {
  it.effect("fails the run, by its name, where a task cannot be put into words", () =>
    Effect.gen(function*() {
      const Odd = Compose.sequential("odd", {
        subAgents: [One],
        task: () => {
          throw new TypeError("secret")
        }
      })
      const talk = yield* conversation(Odd, [])
      const reason = yield* reasonOf(talk.run())
      assert.deepStrictEqual(reason._tag === "HookFailed" && [reason.middleware, reason.hook], ["odd", "task"])
      assert.notInclude(reason.message, "secret")
    }).pipe(Effect.provide(live)))

  it("refuses an empty list, a member with parameters of its own, and rounds that are no number of them", () => {
    assert.throws(() => Compose.sequential("none", { subAgents: [] }), "'none' has no members")
    const Typed = SubAgent.make(Agent.make("typed", { instructions: "" }), { parameters: Stars })
    assert.throws(() => Compose.loop("odd", { subAgents: [Typed], times: 1 }), "has parameters of its own")
    for (const times of [Number.NaN, 0, 1.5]) {
      assert.throws(() => Compose.loop("odd", { subAgents: [One], times }), "a whole number of times")
    }
  })
})
