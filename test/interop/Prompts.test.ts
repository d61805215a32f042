import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Prompt } from "effect/ai"
import { Agent, AgentRunner, Event, Session, SessionStore, Tool, Toolkit } from "tenon"
import { Imported, Prompts } from "tenon/interop"
import { ScriptedModel } from "tenon/testing"

const ref = { app: "guide", session: "s-1" }

const call = (id: string, name = "look") =>
  Prompt.toolCallPart({ id, name, params: { at: id }, providerExecuted: false })
const result = (id: string, value: unknown, name = "look") =>
  Prompt.toolResultPart({ id, name, isFailure: false, result: value, providerExecuted: false })
const user = (text: string) => Prompt.userMessage({ content: [Prompt.textPart({ text })] })
const model = (...content: ReadonlyArray<Prompt.AssistantMessagePart>) => Prompt.assistantMessage({ content })
const results = (...content: ReadonlyArray<Prompt.ToolMessagePart>) => Prompt.toolMessage({ content })
const text = (text: string) => Prompt.textPart({ text })

const messages: ReadonlyArray<Prompt.Message> = [
  user("Look."),
  user("And look well."),
  model(text("I look."), call("a"), call("b")),
  results(result("a", 1), result("b", { is: [true, null] })),
  model(call("a")),
  results(result("a", "again")),
  model(Prompt.reasoningPart({ text: "Hm." }), text("There.")),
  user("Thanks."),
  model(text("Welcome."))
]

describe("Prompts", () => {
  it.effect("makes a log with the same history: calls by their places, though ids come again", () =>
    Effect.gen(function*() {
      const { events, report, waiting, writes } = yield* Prompts.importPrompt(Prompt.fromMessages(messages), ref)
      assert.deepStrictEqual([report, waiting, writes], [[], [], []])
      const session = Result.getOrThrow(Session.fold(events))
      assert.deepStrictEqual(Prompts.exportPrompt(session).content, messages)
      assert.deepStrictEqual(events.map(({ invocation, kind }) => `${invocation} ${kind}`), [
        "i1 created",
        "i1 input",
        "i1 input",
        "i1 model",
        "i1 call",
        "i1 call",
        "i1 model",
        "i1 call",
        "i1 model",
        "i1 ended",
        "i2 input",
        "i2 model",
        "i2 ended"
      ])
      assert.deepStrictEqual(events.flatMap((event) => event.kind === "call" ? [event.call] : []), [
        "i1.1.1",
        "i1.1.2",
        "i1.2.1"
      ])
      for (const event of events) assert.deepStrictEqual(Result.getOrThrow(Event.decode(Event.encode(event))), event)
    }))

  it.effect("lets a run go on, with the tools that the conversation had", () =>
    Effect.gen(function*() {
      yield* Imported.save(yield* Prompts.importPrompt(messages, ref))
      const Look = Toolkit.make(Tool.make("look", {}))
      const agent = Agent.make("guide", { instructions: "Guide.", toolkit: Look })
      const { invocation, session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Once more." }).pipe(
        Effect.provide(Toolkit.layer(Look, { look: () => Effect.void }))
      )
      assert.strictEqual(invocation, "i3")
      assert.lengthOf(session.history, messages.length + 4)
    }).pipe(
      Effect.provide([
        SessionStore.layerMemory,
        ScriptedModel.layer([ScriptedModel.call("look"), ScriptedModel.text("Seen.")])
      ])
    ))

  it.effect("closes calls without results, and reports what has no place", () =>
    Effect.gen(function*() {
      const approval = { approvalId: "p", toolCallId: "a" }
      const { events, report } = yield* Prompts.importPrompt([
        Prompt.systemMessage({ content: "Be kind." }),
        model(call("a"), call("b"), Prompt.toolApprovalRequestPart(approval)),
        results(result("b", 2), Prompt.toolApprovalResponsePart({ ...approval, approved: true }), result("z", 3)),
        user("Well?")
      ], ref)
      const { history } = Result.getOrThrow(Session.fold(events))
      const interrupted = { _tag: "Interrupted", message: "the call of 'look' was interrupted: it has no result" }
      assert.deepStrictEqual(history, [
        model(call("a"), call("b")),
        results({ ...result("a", interrupted), isFailure: true }, result("b", 2)),
        user("Well?")
      ])
      assert.deepStrictEqual(events.flatMap((event) => event.kind === "ended" ? [event.status] : []), [
        "cancelled",
        "cancelled"
      ])
      assert.deepStrictEqual(report.map(({ path }) => path.join(".")), ["0", "1", "2.1", "2.2", "1.0"])
    }))
})
