/**
 * Agents that hand a conversation over, and compositions, where they once went wrong.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, SchemaGetter } from "effect"
import { Agent, AgentRunner, Compose, Interrupt, Middleware, SubAgent, Tool, ToolCall, Toolkit, Transfer } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, openOf, restarted, textOf, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel
const over = (agent_name: string) => call("transfer_to_agent", { agent_name })
const member = <const Name extends string>(name: Name) => SubAgent.make(Agent.make(name, { instructions: "" }))

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Ask = Tool.make("ask", { success: Schema.Boolean, asks: [Confirm] })
const Asking = Toolkit.make(Ask)
const AskLive = Toolkit.layer(Asking, { ask: () => Confirm.ask("Sure?") })

describe("an agent of another name than the one that a session began with", () => {
  const asking = SubAgent.make(Agent.make("asking", { instructions: "", toolkit: Asking }))

  it.effect("goes on with a composition where it was", () =>
    Effect.gen(function*() {
      const subAgents = [member("one"), asking] as const
      const Old = Compose.sequential("old", { subAgents })
      const New = Compose.sequential("new", { subAgents, limits: { steps: 10 } })
      const first = yield* conversation(Old, { one: [text("1")], asking: [call("ask")] })
      const paused = yield* first.run()
      const later = yield* restarted(New, paused.session, { one: [text("3")], asking: [text("2"), text("4")] })
      assert.strictEqual(textOf(yield* later.resume([Confirm.answer(openOf(paused)[0]?.id ?? "", true)])), "2")
      assert.strictEqual(textOf(yield* later.run()), "4")
    }).pipe(Effect.provide(AskLive)))

  it.effect("is told from a target that has the old name", () =>
    Effect.gen(function*() {
      const Billing = Agent.make("billing", { instructions: "" })
      const Desk = Agent.make("desk", { instructions: "", toolkit: Asking, transfers: [Transfer.make(Billing)] })
      const began = yield* conversation(Billing, [text("one")])
      const { session } = yield* began.run()
      const desk = yield* restarted(Desk, session, { billing: [over("desk")], desk: [call("ask")] })
      const paused = yield* desk.run()
      const later = yield* restarted(Desk, paused.session, { desk: [text("two")] })
      const done = yield* later.resume([Confirm.answer(openOf(paused)[0]?.id ?? "", true)])
      assert.deepStrictEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "two"])
    }).pipe(Effect.provide(AskLive)))
})

describe("a message that comes with the answer of a composition", () => {
  /** Its last member has a message posted while it answers. */
  const posting = <A extends Agent.Any>(
    agent: A,
    script: Readonly<Record<string, ReadonlyArray<ScriptedModel.Step>>>
  ) =>
    Effect.gen(function*() {
      let post: Effect.Effect<unknown> = Effect.void
      const talk = yield* conversation(agent, {
        ...script,
        two: [() => Effect.as(Effect.suspend(() => post), text("2")), ...script["two"] ?? []]
      })
      const message = { app: "app", user: "u-1", session: "s-1", key: "m-1", input: "Second." }
      post = Effect.orDie(Effect.provideContext(AgentRunner.post(agent, message), talk.context))
      return talk
    })
  const Both = Compose.parallel("both", { subAgents: [member("one"), member("two")] })

  it.effect("is a task for its members", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* posting(Both, { one: [text("1"), text("3")], two: [text("4")] })
      assert.strictEqual(textOf(yield* run("First.")), `{"one":"3","two":"4"}`)
      assert.deepStrictEqual(told(requests.at(-1)).slice(-1), ["user: Second."])
    }))

  it.effect("goes to the agent above, where it came to the composition by a transfer", () =>
    Effect.gen(function*() {
      const Desk = Agent.make("desk", { instructions: "", transfers: [Transfer.make(Both)] })
      const { run } = yield* posting(Desk, { desk: [over("both"), text("Mine.")], one: [text("1")] })
      const done = yield* run("First.")
      assert.deepStrictEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "Mine."])
    }))
})

describe("an answer to a call that ended pending", () => {
  it.effect("goes to who would get a message: not to a composition that has answered, to do it all again", () =>
    Effect.gen(function*() {
      const Comp = Compose.sequential("comp", { subAgents: [member("one")] })
      const Desk = Agent.make("desk", { instructions: "", toolkit: Asking, transfers: [Transfer.make(Comp)] })
      const { resume, run } = yield* conversation(Desk, {
        desk: [call("ask"), over("comp"), text("Noted.")],
        one: [text("1")]
      })
      yield* run()
      const done = yield* resume([Confirm.answer("i1.1.1?pending", true)])
      assert.deepStrictEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "Noted."])
    }).pipe(Effect.provide(Toolkit.layer(Asking, { ask: () => Effect.as(Confirm.pending("Sure?"), false) }))))
})

describe("a tool that hands the conversation over", () => {
  it.effect("reaches whom the types let it reach: its own agent, and those further up", () =>
    Effect.gen(function*() {
      const ToDesk = Transfer.to("desk")
      const Leave = Tool.make("leave", { success: Schema.String, dependencies: [ToDesk] })
      const Leaving = Toolkit.make(Leave)
      const live = Toolkit.layer(Leaving, {
        leave: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.transfer(ToDesk), "left"))
      })
      const Refunds = Agent.make("refunds", { instructions: "", toolkit: Leaving })
      const Billing = Agent.make("billing", { instructions: "", transfers: [Transfer.make(Refunds)] })
      const Desk = Agent.make("desk", { instructions: "", toolkit: Leaving, transfers: [Transfer.make(Billing)] })
      const { requests, run } = yield* conversation(Desk, {
        desk: [call("leave"), over("billing"), text("Back.")],
        billing: [over("refunds")],
        refunds: [call("leave")]
      })
      const done = yield* Effect.provide(run(), live)
      assert.deepStrictEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "Back."])
      assert.deepStrictEqual(requests.map(({ agent }) => agent), ["desk", "desk", "billing", "refunds", "desk"])
    }))
})

describe("a hook after the run of an agent that hands the conversation over", () => {
  it.effect("that asks goes on with the answer, before the other agent does", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const watch = Middleware.make("watch", {
        hooks: [
          Middleware.afterRun({ asks: [Confirm] }, ({ status }) =>
            Effect.map(Confirm.ask(`${status}?`), (yes) => void log.push(`${status} ${yes}`)))
        ]
      })
      const Inner = Agent.make("inner", { instructions: "" })
      const Outer = Agent.make("outer", { instructions: "", middleware: [watch], transfers: [Transfer.make(Inner)] })
      const first = yield* conversation(Outer, [over("inner")])
      const paused = yield* first.run()
      assert.deepStrictEqual(
        openOf(paused).map(({ question }) =>
          question
        ),
        ["transferred?"]
      )
      const later = yield* restarted(Outer, paused.session, {
        inner: [() => Effect.as(Effect.sync(() => log.push("inner")), text("Done."))]
      })
      const done = yield* later.resume([Confirm.answer(openOf(paused)[0]?.id ?? "", true)])
      assert.strictEqual(textOf(done), "Done.")
      assert.deepStrictEqual(log, ["transferred true", "inner"])
    }))
})

describe("a composition whose member hands its conversation over", () => {
  const Judge = Agent.make("judge", { instructions: "", output: Schema.Struct({ stars: Schema.Int }) })
  const Desk = Agent.make("desk", {
    instructions: "",
    output: Schema.Struct({ note: Schema.String }),
    transfers: [Transfer.make(Judge)]
  })
  const subAgents = [SubAgent.make(Desk)] as const
  const script = { desk: [over("judge")], judge: [text(`{"stars":4}`)] }

  it.effect("answers with the value of whoever answered", () =>
    Effect.gen(function*() {
      const last = yield* (yield* conversation(Compose.sequential("last", { subAgents }), script)).run()
      assert.deepStrictEqual(last._tag === "Completed" && last.output, { stars: 4 })
      const all = yield* (yield* conversation(Compose.parallel("all", { subAgents }), script)).run()
      assert.deepStrictEqual(all._tag === "Completed" && all.output, { desk: { stars: 4 } })
    }))
})

describe("a transfer that a process did not live to see", () => {
  it.effect("is made by the next one", () =>
    Effect.gen(function*() {
      const Billing = Agent.make("billing", { instructions: "" })
      const Desk = Agent.make("desk", { instructions: "", transfers: [Transfer.make(Billing)] })
      const { session } = yield* (yield* conversation(Desk, [over("billing"), text("Paid.")])).run()
      const asked = session.events.findIndex(({ kind }) => kind === "model")
      const later = yield* restarted(Desk, { events: session.events.slice(0, asked + 1) }, { billing: [text("Paid.")] })
      const done = yield* later.resume([])
      assert.deepStrictEqual(done._tag === "Completed" && [done.agent, done.text], ["billing", "Paid."])
    }))
})

describe("a sub-agent's parameters that cannot be encoded again", () => {
  it.effect("are an error result of the call, not the end of the run", () =>
    Effect.gen(function*() {
      const Length = Schema.String.pipe(Schema.decodeTo(Schema.Int, {
        decode: SchemaGetter.transform((given: string) => given.length),
        encode: SchemaGetter.forbidden(() => "one way")
      }))
      const Writer = SubAgent.make(Agent.make("writer", { instructions: "" }), {
        parameters: Schema.Struct({ length: Length }),
        task: ({ length }) => `Write ${length} words.`
      })
      const Boss = Agent.make("boss", { instructions: "", subAgents: [Writer] })
      const { run } = yield* conversation(Boss, { boss: [call("writer", { length: "ten" }), text("Sorry.")] })
      const done = yield* run()
      assert.strictEqual(textOf(done), "Sorry.")
      assert.deepStrictEqual(endsOf(done.session), [bad("writer", "ToolDied", "the tool 'writer' failed unexpectedly")])
    }))
})

describe("an answer of one of two members that the other's schema fits too", () => {
  it.effect("is whole", () =>
    Effect.gen(function*() {
      const Short = Agent.make("short", { instructions: "", output: Schema.Struct({ a: Schema.Int }) })
      const Long = Agent.make("long", { instructions: "", output: Schema.Struct({ a: Schema.Int, b: Schema.Int }) })
      const Both = Compose.loop("both", { subAgents: [SubAgent.make(Short), SubAgent.make(Long)], times: 1 })
      const { run } = yield* conversation(Both, { short: [text(`{"a":1}`)], long: [text(`{"a":2,"b":3,"c":4}`)] })
      const done = yield* run()
      assert.deepStrictEqual(done._tag === "Completed" && done.output, { a: 2, b: 3 })
    }))
})
