import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, type Event, Interrupt, SubAgent, Tool, Toolkit } from "tenon"
import { RepairHistory } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { line } from "../message.ts"
import { conversation, openOf, restarted, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel

const said = (content: string) => Prompt.userMessage({ content: [Prompt.textPart({ text: content })] })
const calling = (...ids: ReadonlyArray<string>) =>
  Prompt.assistantMessage({
    content: ids.map((id) => Prompt.toolCallPart({ id, name: "find", params: {}, providerExecuted: false }))
  })
const results = (...ids: ReadonlyArray<string>) =>
  Prompt.toolMessage({
    content: ids.map((id) =>
      Prompt.toolResultPart({ id, name: "find", isFailure: false, result: "found", providerExecuted: false })
    )
  })
const repaired = (...messages: ReadonlyArray<Prompt.Message>) => RepairHistory.repair(messages)?.map(line)
const found = "tool: find = \"found\""
const cancelled = (id: string) => `tool: find = "the call ${id} of 'find' was cancelled: it has no result"`
const asking = "assistant: find({})"

/** An agent whose session holds a call that somebody else's program never ended. */
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Wonder)
const live = Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })
const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [RepairHistory.make()] })

/** The log of a session, with what another program said in place of the model's first message. */
const importing = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Event.Event> =>
  events.map((event) => event.kind === "model" ? { ...event, messages: [calling("c-1")] } : event)

describe("RepairHistory", () => {
  it("leaves a history alone that is whole", () => {
    assert.isUndefined(repaired(said("Go."), calling("a", "b"), results("a"), results("b"), said("And?")))
  })

  it("gives each call that has none a result, right after the message that asks for it", () => {
    assert.deepStrictEqual(repaired(said("Go."), calling("a", "b"), results("b"), said("And?")), [
      "user: Go.",
      "assistant: find({}), find({})",
      cancelled("a"),
      found,
      "user: And?"
    ])
    assert.deepStrictEqual(repaired(calling("a"), calling("b")), [asking, cancelled("a"), asking, cancelled("b")])
  })

  it("takes no result for a call's that stands before it, or after the model spoke again", () => {
    assert.deepStrictEqual(repaired(calling("a"), results("a"), calling("a")), [
      asking,
      found,
      asking,
      cancelled("a")
    ])
    assert.deepStrictEqual(repaired(calling("a"), calling("b"), results("a", "b")), [
      asking,
      cancelled("a"),
      asking,
      `${found}, find = "found"`
    ])
  })

  it("leaves calls alone that the provider runs", () => {
    const own = Prompt.toolCallPart({ id: "w", name: "web", params: {}, providerExecuted: true })
    assert.isUndefined(repaired(Prompt.assistantMessage({ content: [own] }), said("And?")))
  })

  it.effect("changes what the model is shown of an imported session, and not the session", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("Done.")])
      const { session } = yield* run()
      const again = yield* restarted(agent, { events: importing(session.events) }, [text("Done.")])
      const result = yield* again.run("And?")
      assert.deepStrictEqual(told(again.requests[0]), ["user: Go.", asking, cancelled("c-1"), "user: And?"])
      assert.deepStrictEqual(result.session.history.map(({ role }) => role), ["user", "assistant", "user", "assistant"])
    }).pipe(Effect.provide(live)))

  it.effect("finds nothing to repair in a run that paused and went on, nor in a sub-agent", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", {
        instructions: "",
        subAgents: [SubAgent.make(agent)],
        middleware: [RepairHistory.make()]
      })
      const { requests, resume, run } = yield* conversation(parent, {
        parent: [call("agent", { task: "Look." }), text("Done.")],
        agent: [call("wonder"), text("Found.")]
      })
      const paused = yield* run()
      yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.notInclude(requests.flatMap(told).join("\n"), "cancelled")
    }).pipe(Effect.provide(live)))
})
