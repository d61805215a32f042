import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  ModelPlan,
  Reducer,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit,
  Transfer
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, reasonOf, restarted, told } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const over = (agent_name: string) => call("transfer_to_agent", { agent_name })

const Env = ToolContext.make({ tenant: Schema.String, account: Schema.String })
const Doc = State.make("doc", {
  words: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  lines: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Note = Tool.make("note", {
  parameters: Schema.Struct({ line: Schema.String }),
  success: Schema.String,
  context: [Env.tenant],
  writes: [Doc.lines]
})
const Pay = Tool.make("pay", {
  success: Schema.String,
  context: [Env.account],
  reads: [Doc.lines],
  asks: [Confirm]
})
const ToDesk = Transfer.to("desk")
const Leave = Tool.make("leave", { success: Schema.String, dependencies: [ToDesk] })
const handlers = Layer.mergeAll(
  Toolkit.layer(Toolkit.make(Note), {
    note: Effect.fnUntraced(function*({ line }) {
      yield* Doc.lines.update((lines) => [...lines, line])
      return yield* Env.tenant
    })
  }),
  Toolkit.layer(Toolkit.make(Pay), {
    pay: Effect.fnUntraced(function*() {
      const lines = yield* Doc.lines.get
      const yes = yield* Confirm.ask("pay?")
      return `${yield* Env.account} ${lines.join()} ${yes}`
    })
  }),
  Toolkit.layer(Toolkit.make(Leave), {
    leave: Effect.fnUntraced(function*() {
      const { actions } = yield* ToolCall.ToolCall
      yield* actions.transfer(ToDesk)
      return "left"
    })
  })
)

const Billing = Agent.make("billing", {
  description: "Bills",
  instructions: "You are billing.",
  toolkit: Toolkit.make(Pay, Leave)
})
const Support = Agent.make("support", { instructions: "You are support.", toolkit: Toolkit.make(Note) })
const Desk = Agent.make("desk", {
  instructions: "You are the desk.",
  toolkit: Toolkit.make(Note),
  transfers: [Transfer.make(Billing), Transfer.make(Support, { description: "Everything else" })]
})
const env = Layer.mergeAll(handlers, ToolContext.layer(Desk, { tenant: "acme", account: "a-1" }))

/** Who said what, in order. */
const said = (events: ReadonlyArray<{ readonly kind: string; readonly path: ReadonlyArray<string> }>) =>
  events.flatMap(({ kind, path }) => kind === "model" || kind === "input" ? [`${kind} ${path.join(".")}`] : [])

describe("Transfer", () => {
  it.effect("another agent goes on with the conversation, its messages and state, under its own instructions", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(Desk, [
        call("note", { line: "a" }),
        over("billing"),
        call("pay"),
        text("Paid.")
      ])
      const paused = yield* talk.run("My bill?").pipe(Effect.provide(env))
      assert.deepEqual(openOf(paused).map(({ name, agentPath }) => [name, agentPath]), [["confirm", ["billing"]]])
      const done = yield* talk.resume([Confirm.answer(openOf(paused)[0]!.id, true)]).pipe(Effect.provide(env))
      assert.deepEqual(done._tag === "Completed" && [done.agent, done.text], ["billing", "Paid."])
      assert.deepEqual(said(done.session.events), [
        "input desk",
        "model desk",
        "model desk",
        "model billing",
        "model billing"
      ])
      const { prompt, tools, agent } = talk.requests.at(-1)!
      assert.strictEqual(agent, "billing")
      assert.deepEqual(tools, ["pay", "leave", "transfer_to_agent"])
      assert.strictEqual(told(talk.requests.at(-1))[0], "system: You are billing.")
      // one conversation: the bill, the note, the transfer and the payment
      assert.deepEqual(prompt.content.map(({ role }) => role), [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
        "tool"
      ])
      assert.include(JSON.stringify(prompt.content.at(-1)), "a-1 a true")
      assert.deepEqual(done.session.state.get(Doc.lines), ["a"])
    }))

  it.effect("the next message goes to who has the conversation, after a restart too", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(Desk, [over("billing"), text("one"), text("two")])
      yield* talk.run().pipe(Effect.provide(env))
      const second = yield* talk.run().pipe(Effect.provide(env))
      assert.deepEqual(second._tag === "Completed" && [second.agent, second.text], ["billing", "two"])
      const later = yield* restarted(Desk, second.session, { billing: [over("desk")], desk: [text("three")] })
      const third = yield* later.run().pipe(Effect.provide(env))
      assert.deepEqual(third._tag === "Completed" && [third.agent, third.text], ["desk", "three"])
      assert.deepEqual(said(third.session.events).slice(-3), ["input billing", "model billing", "model desk"])
    }))

  it.effect("an agent hands over to its siblings, and a tool by its own action", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(Desk, {
        desk: [over("support"), text("back")],
        support: [call("note", { line: "b" }), over("billing")],
        billing: [call("leave")]
      })
      const done = yield* talk.run().pipe(Effect.provide(env))
      assert.deepEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "back"])
      const last = done.session.events.findLast((event) => event.kind === "call")
      assert.deepEqual(last?.kind === "call" && last.actions, { transfer: "desk" })
    }))

  it.effect("who is not within reach is an error result for the call", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(Desk, [over("nobody"), text("sorry")])
      const done = yield* talk.run().pipe(Effect.provide(env))
      assert.deepEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "sorry"])
      const ended = done.session.events.find((event) => event.kind === "call")
      assert.isTrue(ended?.kind === "call" && ended.result.isFailure)
    }))

  it.effect("without a way back the next message goes to the agent above", () =>
    Effect.gen(function*() {
      const Once = Agent.make("once", { instructions: "", transfers: [] })
      const Root = Agent.make("root", { instructions: "", transfers: [Transfer.make(Once, { back: false })] })
      const talk = yield* conversation(Root, { root: [over("once"), text("again")], once: [text("one")] })
      const first = yield* talk.run()
      assert.strictEqual(first._tag === "Completed" && first.agent, "once")
      assert.deepEqual(talk.requests.at(-1)?.tools, [])
      const second = yield* talk.run()
      assert.strictEqual(second._tag === "Completed" && second.agent, "root")
    }))

  it.effect("hooks around a run see each agent's part, and a target's questions are its own", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const Watch = Middleware.make("watch", {
        hooks: [
          Middleware.beforeRun({ asks: [Confirm] }, ({ agent, resumed }) =>
            Effect.map(Confirm.ask("go on?"), (yes) => {
              log.push(`before ${agent} ${resumed} ${yes}`)
            })),
          Middleware.afterRun({}, ({ status }) => Effect.sync(() => void log.push(status))),
          Middleware.onEvent({}, ({ kind, path }) =>
            Effect.sync(() => {
              if (kind === "model") log.push(path.join("."))
            }))
        ]
      })
      const Inner = Agent.make("inner", { instructions: "", middleware: [Watch] })
      const Outer = Agent.make("outer", { instructions: "", middleware: [Watch], transfers: [Transfer.make(Inner)] })
      const talk = yield* conversation(Outer, [over("inner"), text("done")])
      const one = openOf(yield* talk.run())
      const two = openOf(yield* talk.resume([Confirm.answer(one[0]!.id, true)]))
      assert.notStrictEqual(two[0]!.id, one[0]!.id)
      const done = yield* talk.resume([Confirm.answer(two[0]!.id, false)])
      assert.strictEqual(done._tag === "Completed" && done.agent, "inner")
      assert.deepEqual(log, [
        "paused",
        "before outer true true",
        "outer",
        "transferred",
        "paused",
        "before outer true false",
        "inner",
        "completed"
      ])
    }))

  it.effect("a target answers with its own output, and its own limits hold within the root's", () =>
    Effect.gen(function*() {
      const Judge = Agent.make("judge", {
        instructions: "",
        output: Schema.Struct({ stars: Schema.Int }),
        limits: { steps: 1 }
      })
      const Root = Agent.make("root", { instructions: "", transfers: [Transfer.make(Judge)] })
      const talk = yield* conversation(Root, [over("judge"), text(`{"stars":4}`)])
      const done = yield* talk.run()
      assert.deepEqual(done._tag === "Completed" && done.output, { stars: 4 })
      const short = yield* conversation(Root, [over("judge"), over("root"), over("judge"), text(`{"stars":4}`)])
      const reason = yield* reasonOf(short.run())
      assert.strictEqual(reason._tag === "LimitReached" && reason.agent, "judge")
    }))

  it.effect("a sub-agent's conversation may change hands: the last to hold it answers its parent", () =>
    Effect.gen(function*() {
      const Editor = Agent.make("editor", {
        instructions: "",
        subAgents: [SubAgent.make(Desk, { returns: [Doc.lines] })]
      })
      const talk = yield* conversation(Editor, {
        editor: [call("desk", { task: "pay" }), text("edited")],
        desk: [over("support")],
        support: [calls({ tool: "note", parameters: { line: "s" } }), over("billing")],
        billing: [call("pay"), text("paid")]
      })
      const supplied = Layer.mergeAll(handlers, ToolContext.layer(Editor, { tenant: "acme", account: "a-1" }))
      const paused = yield* talk.run().pipe(Effect.provide(supplied))
      assert.deepEqual(openOf(paused)[0]?.agentPath, ["editor", "billing"])
      const later = yield* restarted(Editor, paused.session, { editor: [text("edited")], billing: [text("paid")] })
      const done = yield* later.resume([Confirm.answer(openOf(paused)[0]!.id, true)]).pipe(Effect.provide(supplied))
      assert.strictEqual(done._tag === "Completed" && done.text, "edited")
      assert.include(JSON.stringify(done.session.history), "paid")
      assert.deepEqual(done.session.state.get(Doc.lines), ["s"])
    }))

  it.effect("a target has the context that middleware above it provides, and a model of its own", () =>
    Effect.gen(function*() {
      const Accounts = Middleware.make("accounts", {
        provides: [Middleware.provide(Env.account, {}, Effect.succeed("from above"))]
      })
      const Payer = Agent.make("payer", { instructions: "", toolkit: Toolkit.make(Pay) })
      const Root = Agent.make("root", { instructions: "", middleware: [Accounts], transfers: [Transfer.make(Payer)] })
      const done = yield* AgentRunner.run(Root, { session: "s", input: "Go." }).pipe(
        Effect.provide([
          ScriptedModel.layer([over("payer")]),
          ModelPlan.forAgent(Payer, ScriptedModel.layer([call("pay"), text("own model")])),
          handlers,
          SessionStore.layerMemory
        ])
      )
      assert.strictEqual(openOf(done)[0]?.name, "confirm")
    }))

  it.effect("an agent that the program no longer has gives the conversation back, with a warning", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(Desk, [over("billing"), text("one")])
      const first = yield* talk.run().pipe(Effect.provide(env))
      const Alone = Agent.make("desk", { instructions: "", toolkit: Toolkit.make(Note) })
      const later = yield* restarted(Alone, first.session, [text("alone")])
      const done = yield* later.run().pipe(Effect.provide(env))
      assert.deepEqual(done._tag === "Completed" && [done.agent, done.text], ["desk", "alone"])
    }))

  it("two agents of one name, a tool of the transfer's name, and an agent within itself are refused", () => {
    assert.throws(
      () => Agent.make("billing", { instructions: "", transfers: [Transfer.make(Desk) as never] }),
      "contain itself"
    )
    const Other = Agent.make("billing", { instructions: "" })
    const Middle = Agent.make("middle", { instructions: "", transfers: [Transfer.make(Other)] })
    assert.throws(
      () =>
        Agent.make("root", { instructions: "", transfers: [Transfer.make(Billing), Transfer.make(Middle)] as never }),
      "'billing' names two agents"
    )
    const Taken = Toolkit.make(Tool.make("transfer_to_agent", {}))
    assert.throws(
      () =>
        Agent.make("root", { instructions: "", toolkit: Taken as never, transfers: [Transfer.make(Billing)] as never }),
      "names two tools"
    )
  })
})
