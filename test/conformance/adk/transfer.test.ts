import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, type AgentRunner, Interrupt, Tool, Toolkit, Transfer } from "tenon"
import { HumanApproval } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, idsOf, openOf, restarted, told } from "../../runner/fixtures.ts"

const { call, text } = ScriptedModel

const to = (agent_name: string) => call("transfer_to_agent", { agent_name })

/** Who answered, and what. */
const answerOf = (result: AgentRunner.AgentResult) => result._tag === "Completed" ? [result.agent, result.text] : []

/** Who spoke, and who ended which call, in order. */
const turnsOf = ({ session }: AgentRunner.AgentResult) =>
  session.events.flatMap((event) =>
    event.kind === "model"
      ? [`${event.path.at(-1)}: ${event.calls.map(({ tool }) => tool).join() || "text"}`]
      : event.kind === "call"
      ? [`${event.tool}${event.result.isFailure ? " failed" : ""}`]
      : []
  )

const Sub = Agent.make("sub", { instructions: "You are sub." })
const Root = Agent.make("root", { instructions: "You are root.", transfers: [Transfer.make(Sub)] })

/** A root whose target answers once, and hands nothing back. */
const Once = Agent.make("once", { instructions: "You are once." })
const Single = Agent.make("root", { instructions: "You are root.", transfers: [Transfer.make(Once, { back: false })] })

/** A root with a transferable agent, below which is one that answers once. */
const Middle = Agent.make("middle", { instructions: "", transfers: [Transfer.make(Once, { back: false })] })
const Deep = Agent.make("root", { instructions: "", transfers: [Transfer.make(Middle)] })

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

describe("adk: transfer", () => {
  it.effect("T138 a transfer is confirmed or rejected by a person; without targets there is no such tool", () =>
    Effect.gen(function*() {
      const Guarded = Agent.make("root", {
        instructions: "",
        middleware: [HumanApproval.make({ policies: [{ tools: ["transfer_to_agent"] }] })],
        transfers: [Transfer.make(Sub)]
      })
      const talk = () => conversation(Guarded, { root: [to("sub"), text("I stay.")], sub: [text("Here I am.")] })

      const confirmed = yield* talk()
      const paused = yield* confirmed.run()
      assert.deepStrictEqual(
        Interrupt.Approval.among(openOf(paused)).map(({ question }) => [question.tool, question.arguments]),
        [["transfer_to_agent", { agent_name: "sub" }]]
      )
      const approved = idsOf(openOf(paused)).map((id) => Interrupt.approve(id))
      // in another process too
      const again = yield* restarted(Guarded, paused.session, { sub: [text("Here I am.")] })
      for (const { resume } of [confirmed, again]) {
        assert.deepStrictEqual(answerOf(yield* resume(approved)), ["sub", "Here I am."])
      }

      const rejected = yield* talk()
      const asked = yield* rejected.run()
      const kept = yield* rejected.resume(idsOf(openOf(asked)).map((id) => Interrupt.reject(id, "not to sub")))
      assert.deepStrictEqual(answerOf(kept), ["root", "I stay."])
      assert.include(told(rejected.requests.at(-1)).at(-1), "not to sub")

      const alone = yield* conversation(Agent.make("root", { instructions: "" }), [text("Hi.")])
      yield* alone.run()
      assert.deepStrictEqual([confirmed.requests[0]?.tools, alone.requests[0]?.tools], [["transfer_to_agent"], []])
    }))

  it.effect("T188 a target goes on with the conversation, and gets the next message", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Root, [to("sub"), text("response1"), text("response2")])
      const first = yield* run()
      assert.deepStrictEqual(turnsOf(first), ["root: transfer_to_agent", "transfer_to_agent", "sub: text"])
      assert.deepStrictEqual(answerOf(first), ["sub", "response1"])
      assert.deepStrictEqual(answerOf(yield* run()), ["sub", "response2"])
    }))

  it.effect("T189 a target that cannot hand back answers once, and the next message is the root's", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(Single, [to("once"), text("response1"), text("response2")])
      assert.deepStrictEqual(answerOf(yield* run()), ["once", "response1"])
      assert.deepStrictEqual(requests.at(-1)?.tools, [])
      assert.deepStrictEqual(answerOf(yield* run()), ["root", "response2"])
    }))

  it.effect("T190 below a target that cannot hand back, the next message is that of the one above it", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Deep, [to("middle"), to("once"), text("response1"), text("response2")])
      const first = yield* run()
      assert.deepStrictEqual(turnsOf(first), [
        "root: transfer_to_agent",
        "transfer_to_agent",
        "middle: transfer_to_agent",
        "transfer_to_agent",
        "once: text"
      ])
      assert.deepStrictEqual(answerOf(first), ["once", "response1"])
      assert.deepStrictEqual(answerOf(yield* run()), ["middle", "response2"])
    }))

  it.effect("T200 a message goes to who has the conversation and may keep it, an answer to who asked", () =>
    Effect.gen(function*() {
      const receiver = (agent: typeof Root | typeof Single, ...before: ReadonlyArray<ScriptedModel.Step>) =>
        Effect.gen(function*() {
          const talk = yield* conversation(agent, [...before, text("next")])
          if (before.length > 0) yield* talk.run()
          return answerOf(yield* talk.run())[0]
        })
      assert.strictEqual(yield* receiver(Root), "root")
      assert.strictEqual(yield* receiver(Root, text("mine")), "root")
      assert.strictEqual(yield* receiver(Root, to("sub"), text("theirs")), "sub")
      assert.strictEqual(yield* receiver(Single, to("once"), text("theirs")), "root")

      // an agent that this program does not know
      const former = yield* conversation(Root, [to("sub"), text("theirs")])
      const later = yield* restarted(Single, (yield* former.run()).session, [text("next")])
      assert.deepStrictEqual(answerOf(yield* later.run()), ["root", "next"])

      const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
      const kit = Toolkit.make(Wonder)
      const Asker = Agent.make("asker", { instructions: "", toolkit: kit })
      const Above = Agent.make("root", { instructions: "", transfers: [Transfer.make(Asker, { back: false })] })
      yield* Effect.gen(function*() {
        const { resume, run } = yield* conversation(Above, [to("asker"), call("wonder"), text("sure")])
        const answers = idsOf(openOf(yield* run())).map((id) => Confirm.answer(id, true))
        assert.deepStrictEqual(answerOf(yield* resume(answers)), ["asker", "sure"])
      }).pipe(Effect.provide(Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })))
    }))

  it.effect("T201 agents go by their names: any text, told apart in one reach, and no agent below itself", () =>
    Effect.gen(function*() {
      const Odd = Agent.make("not an identifier", { instructions: "" })
      const User = Agent.make("user", { instructions: "", transfers: [Transfer.make(Odd)] })
      const Top = Agent.make("top", { instructions: "", transfers: [Transfer.make(User)] })
      const { run } = yield* conversation(Top, [to("user"), to("not an identifier"), text("Hi.")])
      const result = yield* run()
      assert.deepStrictEqual(answerOf(result), ["not an identifier", "Hi."])

      const Twin = Agent.make("sub", { instructions: "" })
      assert.throws(
        () => Agent.make("top", { instructions: "", transfers: [Transfer.make(Sub), Transfer.make(Twin)] as never }),
        TypeError,
        "'sub' names two agents: rename one"
      )
      assert.throws(
        () => Agent.make("sub", { instructions: "", transfers: [Transfer.make(Root)] as never }),
        TypeError,
        "an agent cannot contain itself: sub"
      )
      // under two agents at once nobody could say to whom it hands back
      const Left = Agent.make("left", { instructions: "", transfers: [Transfer.make(Sub)] })
      const Right = Agent.make("right", { instructions: "", transfers: [Transfer.make(Sub)] })
      assert.throws(
        () => Agent.make("top", { instructions: "", transfers: [Transfer.make(Left), Transfer.make(Right)] as never }),
        TypeError,
        "'sub' names two agents: rename one"
      )
    }))
})
