import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, type Event, Interrupt, SessionStore, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, resultsOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Path = Schema.Struct({ path: Schema.String })
const Delete = Tool.make("delete", {
  parameters: Path,
  success: Schema.String,
  approval: ({ path }) => Effect.succeed(path.startsWith("scratch/") ? false : `${path} is not temporary`)
})
const Look = Tool.make("look", { success: Schema.String })
const kit = Toolkit.make(Delete, Look)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const boss = Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(agent)] })

/** The handlers, and what they ran with. */
const handling = () => {
  const ran: Array<string> = []
  const live = Toolkit.layer(kit, {
    delete: ({ path }) => Effect.sync(() => (ran.push(`delete ${path}`), `deleted ${path}`)),
    look: () => Effect.sync(() => (ran.push("look"), "seen"))
  })
  return { ran, live }
}
const deleting = (path: string) => ({ tool: "delete", parameters: { path } })
const openOf = (result: AgentRunner.AgentResult) => result._tag === "Paused" ? result.open : []

describe("adk: confirmation", () => {
  it.effect("T130 an answer that nobody asked for is refused, and changes nothing", () => {
    const { live } = handling()
    return Effect.gen(function*() {
      const { answer, load, send } = yield* conversation(agent, [text("hello")])
      const missing = yield* Effect.flip(answer(Interrupt.approve("i1.1.1?0")))
      assert.strictEqual(missing.reason._tag, "SessionMissing")
      yield* send("hi")
      const refused = yield* Effect.flip(answer(Interrupt.approve("i1.1.1?0")))
      assert.strictEqual(refused.reason._tag, "AnswerRefused")
      assert.lengthOf((yield* load({}, [])).events, 4)
    }).pipe(Effect.provide(live))
  })

  it.effect("T131 a confirmed call runs once, with exactly its arguments, and has one result", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(agent, [calls(deleting("/home/a")), text("done")])
      const paused = yield* send("go")
      const result = yield* answer(...openOf(paused).map(({ id }) => Interrupt.approve(id)))
      assert.deepStrictEqual(ran, ["delete /home/a"])
      assert.deepStrictEqual(resultsOf(result), ["deleted /home/a"])
    }).pipe(Effect.provide(live))
  })

  it.effect("T133 what needs no confirmation runs before the pause, is stored, and does not run again", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(agent, [calls(deleting("/home/a"), { tool: "look" }), text("done")])
      const paused = yield* send("go")
      assert.deepStrictEqual([ran, resultsOf(paused)], [["look"], ["seen"]])
      yield* answer(...openOf(paused).map(({ id }) => Interrupt.approve(id)))
      assert.deepStrictEqual(ran, ["look", "delete /home/a"])
    }).pipe(Effect.provide(live))
  })

  it.effect("T134 a confirmation holds for the arguments that were seen: changed ones are asked for anew", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { send } = yield* conversation(agent, [calls(deleting("/home/a")), text("done")])
      const { session } = yield* send("go")
      const tampered = JSON.parse(JSON.stringify(session.events).replaceAll("/home/a\"", "/home/b\"")) as ReadonlyArray<
        Event.Event
      >
      const ref = { app: "agent", session: "s-1" }
      const asked = yield* AgentRunner.resume(agent, { session: "s-1", answers: [Interrupt.approve("i1.1.1?0")] }).pipe(
        Effect.provide([
          ScriptedModel.layer([text("done")]),
          // the question still shows the hash of what it was asked for
          SessionStore.layerMemoryWith([{ ref, events: tampered }])
        ])
      )
      assert.deepStrictEqual([asked._tag, ran], ["Paused", []])
    }).pipe(Effect.provide(live))
  })

  it.effect("T135 a tool may decide by its arguments whether to ask", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { send } = yield* conversation(agent, [calls(deleting("scratch/a"), deleting("/home/a"))])
      const paused = yield* send("go")
      assert.deepStrictEqual(Interrupt.Approval.among(openOf(paused)).map(({ question }) => question.reason), [
        "/home/a is not temporary"
      ])
      assert.deepStrictEqual(ran, ["delete scratch/a"])
    }).pipe(Effect.provide(live))
  })

  it.effect("T136 a confirmation that was acted on is over: the next call is asked for by itself", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(agent, [
        calls(deleting("/home/a")),
        calls(deleting("/home/b")),
        text("done")
      ])
      const first = yield* send("go")
      const second = yield* answer(...openOf(first).map(({ id }) => Interrupt.approve(id)))
      assert.deepStrictEqual(openOf(second).map(({ id }) => id), ["i1.2.1?0"])
      const again = yield* Effect.flip(answer(Interrupt.approve("i1.1.1?0")))
      assert.strictEqual(again.reason._tag, "AnswerRefused")
      assert.deepStrictEqual(ran, ["delete /home/a"])
    }).pipe(Effect.provide(live))
  })

  it.effect("T139 the answer to a question of a sub-agent is given at the root, and finds it", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(boss, {
        boss: [call("agent", { task: "go" }), text("all done")],
        agent: [calls(deleting("/home/a")), text("done")]
      })
      const paused = yield* send("go")
      assert.deepStrictEqual(openOf(paused).map(({ agentPath }) => agentPath), [["boss", "agent"]])
      const result = yield* answer(...openOf(paused).map(({ id }) => Interrupt.approve(id)))
      assert.strictEqual(result._tag === "Completed" && result.text, "all done")
      assert.deepStrictEqual(ran, ["delete /home/a"])
    }).pipe(Effect.provide(live))
  })

  it.effect("T140 a call that has its result takes no confirmation any more", () => {
    const { live, ran } = handling()
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(agent, [calls(deleting("/home/a")), text("done")])
      const paused = yield* send("go")
      yield* answer(...openOf(paused).map(({ id }) => Interrupt.reject(id, "no")))
      const again = yield* Effect.flip(answer(...openOf(paused).map(({ id }) => Interrupt.approve(id))))
      assert.strictEqual(again.reason._tag, "AnswerRefused")
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(live))
  })

  it.effect("T141 two calls that need it are two questions, each with its call, arguments and reason", () => {
    const { live } = handling()
    return Effect.gen(function*() {
      const { send } = yield* conversation(agent, [calls(deleting("/home/a"), deleting("/home/b"))])
      const paused = yield* send("go")
      assert.deepStrictEqual(openOf(paused).map(({ call, tool }) => [call, tool]), [
        ["i1.1.1", "delete"],
        ["i1.1.2", "delete"]
      ])
      assert.deepStrictEqual(
        Interrupt.Approval.among(openOf(paused)).map(({ question }) => [question.arguments, question.reason]),
        [
          [{ path: "/home/a" }, "/home/a is not temporary"],
          [{ path: "/home/b" }, "/home/b is not temporary"]
        ]
      )
    }).pipe(Effect.provide(live))
  })

  it.effect("T144 what is open tells its kind, and a kind reads its own questions", () => {
    const Colour = Interrupt.make("colour", { question: Schema.Struct({ of: Schema.String }), answer: Schema.String })
    const Paint = Tool.make("paint", { success: Schema.String, asks: [Colour] })
    const both = Toolkit.make(Paint, Delete)
    const painter = Agent.make("painter", { instructions: "", toolkit: both })
    return Effect.gen(function*() {
      const { send } = yield* conversation(painter, [calls({ tool: "paint" }, deleting("/home/a"))])
      const open = openOf(yield* send("go"))
      assert.sameMembers(open.map(({ name }) => name), ["colour", "approval"])
      assert.deepStrictEqual(Colour.among(open), [{ id: "i1.1.1?1", question: { of: "the door" } }])
      assert.deepStrictEqual(Interrupt.Approval.among(open).map(({ question }) => question.tool), ["delete"])
    }).pipe(Effect.provide(Toolkit.layer(both, {
      paint: () => Colour.ask({ of: "the door" }),
      delete: () => Effect.succeed("")
    })))
  })
})
