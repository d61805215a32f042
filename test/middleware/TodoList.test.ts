import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Interrupt, SubAgent, Tool, Toolkit } from "tenon"
import { TodoList } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, openOf, restarted, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel
const { items } = TodoList.Todos

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Wonder)
const wonderLive = Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })

const write = (merge: boolean, ...todos: ReadonlyArray<TodoList.Item>) => call("write_todos", { merge, todos })
const one = { id: 1, content: "One" }
const two = { id: 2, content: "Two" }
const Planner = Agent.make("planner", { instructions: "Plan.", toolkit: kit, middleware: [TodoList.make()] })

describe("TodoList", () => {
  it.effect("tells the agent when to keep a list, and what it holds after each write", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(Planner, [
        write(false, one, { ...two, status: "in_progress" }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.match(told(requests[0])[0] ?? "", /^system: Plan\.\n\nFor work of three steps or more/)
      assert.deepStrictEqual(endsOf(session).map(({ value }) => value), [
        "TODO list replaced: 2 TODO (1 pending, 1 in_progress)\n1. [pending] One\n2. [in_progress] Two"
      ])
    }).pipe(Effect.provide([TodoList.layer(), wonderLive])))

  it.effect("says what it is told to say instead", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: "", middleware: [TodoList.make({ instructions: "Plan!" })] })
      const { requests, run } = yield* conversation(agent, [text("Done.")])
      yield* run()
      assert.strictEqual(told(requests[0])[0], "system: Plan!")
    }).pipe(Effect.provide(TodoList.layer())))

  it.effect("keeps the list over a pause, in another process too, and over the next message", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(Planner, [write(false, one, two), call("wonder")])
      const paused = yield* run()
      const again = yield* restarted(Planner, yield* session(), [
        write(true, { ...one, status: "completed" }),
        text("Done."),
        write(true, { id: 3, content: "Three" }),
        text("Done.")
      ])
      const resumed = yield* again.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(resumed.session.state.get(items).map(({ status }) => status), ["completed", "pending"])
      assert.deepStrictEqual((yield* again.run()).session.state.get(items).map(({ id }) => id), [1, 2, 3])
    }).pipe(Effect.provide([TodoList.layer(), wonderLive])))

  it.effect("is emptied once nothing is open, where the handler is told so", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Planner, [
        write(false, one, { ...two, status: "cancelled" }),
        write(true, { ...one, status: "completed" }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.deepStrictEqual(session.state.get(items), [])
      assert.include(String(endsOf(session)[1]?.value), "2 TODO (1 completed, 1 cancelled)")
    }).pipe(Effect.provide([TodoList.layer({ clearWhenDone: true }), wonderLive])))

  it.effect("gives a sub-agent a list of its own, which starts empty and stays there", () =>
    Effect.gen(function*() {
      const child = Agent.make("child", { instructions: "Plan.", middleware: [TodoList.make()] })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(child)],
        middleware: [TodoList.make()]
      })
      const { run } = yield* conversation(parent, {
        parent: [write(false, one), call("child", { task: "Plan." }), text("Done.")],
        child: [write(true, two), text("Planned.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(session.state.get(items).map(({ id }) => id), [1])
      assert.deepStrictEqual(endsOf(session).map(({ value }) => String(value).split("\n")[0]), [
        "TODO list replaced: 1 TODO (1 pending)",
        "TODO list merged: 1 TODO (1 pending)",
        "Planned."
      ])
    }).pipe(Effect.provide(TodoList.layer())))
})
