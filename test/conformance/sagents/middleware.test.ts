import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Option } from "effect"
import { Prompt } from "effect/ai"
import { Agent, AgentRunner, type Session } from "tenon"
import { ConversationTitle, RepairHistory } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { restarted, world } from "./fixtures.ts"

const { text } = ScriptedModel
const { title } = ConversationTitle.Conversation

const titleOf = ({ session }: AgentRunner.AgentResult) => Option.getOrUndefined(session.state.get(title))

describe("middleware", () => {
  it.effect("T150 a title is made once, at the first message; one that fails does not fail the run", () =>
    Effect.gen(function*() {
      const titled: Array<string> = []
      const entitling = (fails: boolean) =>
        Agent.make("agent", {
          instructions: "Help.",
          middleware: [ConversationTitle.make({
            when: "message",
            generate: ({ input }) =>
              Effect.suspend(() => {
                titled.push(input)
                return fails ? Effect.fail("no") : Effect.succeed(`About ${input}`)
              })
          })]
        })
      const say = (agent: ReturnType<typeof entitling>, input: string, given?: string) =>
        AgentRunner.run(agent, { session: "s-1", input, ...(given !== undefined && { state: [title.to(given)] }) })
      const answers = () => Effect.provide(Layer.merge(world([text("One."), text("Two.")]), Logger.layer([])))

      const twice = Effect.gen(function*() {
        const first = yield* say(entitling(false), "licences")
        // it is in the log as an event of its own
        assert.isTrue(first.session.events.some((event) => event.kind === "hook" && event.middleware.includes("title")))
        return [titleOf(first), titleOf(yield* say(entitling(false), "bugs"))]
      })
      assert.deepStrictEqual(yield* answers()(twice), ["About licences", "About licences"])
      const failed = yield* answers()(say(entitling(true), "licences"))
      assert.deepStrictEqual([failed._tag, titleOf(failed)], ["Completed", undefined])
      assert.strictEqual(titleOf(yield* answers()(say(entitling(false), "bugs", "Given"))), "Given")
      assert.deepStrictEqual(titled, ["licences", "licences"])
    }))

  it.effect("T151 each call without a result gets one, right after, that names tool and id and says cancelled", () =>
    Effect.gen(function*() {
      const call = (id: string) => Prompt.toolCallPart({ id, name: "find", params: {}, providerExecuted: false })
      const asking = (...ids: ReadonlyArray<string>) => Prompt.assistantMessage({ content: ids.map(call) })
      const answering = (...ids: ReadonlyArray<string>) =>
        Prompt.toolMessage({
          content: ids.map((id) =>
            Prompt.toolResultPart({ id, name: "find", isFailure: false, result: "ok", providerExecuted: false })
          )
        })
      const shape = (...messages: ReadonlyArray<Prompt.Message>) =>
        RepairHistory.repair(messages)?.map(({ content, role }) =>
          role === "tool" && typeof content !== "string"
            ? content.map((part) => part.type === "tool-result" ? `${part.id} ${part.isFailure}` : part.type).join()
            : role
        )
      // one, several, in several messages, partly answered, and answered before they were asked
      assert.deepStrictEqual(shape(asking("a")), ["assistant", "a true"])
      assert.deepStrictEqual(shape(asking("a", "b")), ["assistant", "a true", "b true"])
      assert.deepStrictEqual(shape(asking("a"), asking("b")), ["assistant", "a true", "assistant", "b true"])
      assert.deepStrictEqual(shape(asking("a", "b"), answering("a")), ["assistant", "b true", "a false"])
      assert.deepStrictEqual(shape(answering("a"), asking("a")), ["a false", "assistant", "a true"])
      assert.isUndefined(shape(asking("a"), answering("a")))

      const agent = Agent.make("agent", { instructions: "", middleware: [RepairHistory.make()] })
      const first = yield* Effect.provide(
        AgentRunner.run(agent, { session: "s-1", input: "Go." }),
        world([text("One.")])
      )
      const imported: Session.Session = {
        ...first.session,
        events: first.session.events.map((event) =>
          event.kind === "model" ? { ...event, messages: [asking("c-7")] } : event
        )
      }
      const told: Array<string> = []
      yield* Effect.provide(
        AgentRunner.run(agent, { session: "s-1", input: "And?" }),
        restarted(imported, [({ prompt }) => {
          told.push(...prompt.content.map((message) => `${message.role} ${JSON.stringify(message.content)}`))
          return text("Two.")
        }])
      )
      assert.deepStrictEqual(told.map((line) => line.split(" ")[0]), ["user", "assistant", "tool", "user"])
      for (const part of ["find", "c-7", "cancelled"]) assert.include(told[2], part)
    }))
})
