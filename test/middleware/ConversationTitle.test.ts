import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Logger, Option, Schema } from "effect"
import { Agent, Interrupt, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { ConversationTitle } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, restarted, textOf, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel
const { title } = ConversationTitle.Conversation

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Wonder)
const live = Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })

const titleOf = ({ session }: { readonly session: Parameters<typeof textOf>[0]["session"] }) =>
  Option.getOrUndefined(session.state.get(title))

/** A title of the input and the answer, and how often it was asked for. */
const counting = (options: ConversationTitle.Options = {}) => {
  const made: Array<string> = []
  const middleware = ConversationTitle.make({
    ...options,
    generate: ({ answer, input }) =>
      Effect.sync(() => {
        made.push(`${input}/${answer}`)
        return `${input}/${answer}`
      })
  })
  return {
    made,
    middleware,
    agent: Agent.make("agent", { instructions: "Help.", toolkit: kit, middleware: [middleware] })
  }
}

describe("ConversationTitle", () => {
  it.effect("is made once, after the first answer and not after a step of calls", () => {
    const { agent, made } = counting()
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agent, [{ text: "Let me ask.", ...call("wonder") }])
      const paused = yield* run("Why?")
      assert.deepStrictEqual([titleOf(paused), made], [undefined, []])
      const again = yield* restarted(agent, yield* session(), [text("Because."), text("So.")])
      assert.strictEqual(
        titleOf(yield* again.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))),
        "Why?/Because."
      )
      assert.strictEqual(titleOf(yield* again.run("And?")), "Why?/Because.")
      assert.deepStrictEqual(made, ["Why?/Because."])
    }).pipe(Effect.provide(live))
  })

  it.effect("is made at the first message where it is told so", () => {
    const { agent, made } = counting({ when: "message", maxLength: 4 })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("wonder")])
      assert.strictEqual(titleOf(yield* run("Why🙂🙂?")), "Why🙂")
      assert.deepStrictEqual(made, ["Why🙂🙂?/"])
    }).pipe(Effect.provide(live))
  })

  it.effect("that cannot be made is logged by its kind, and tried again at the next answer", () => {
    const logged: Array<unknown> = []
    let tries = 0
    const failing = ConversationTitle.make({
      generate: () => ++tries === 1 ? Effect.die(new RangeError("secret-4711")) : Effect.succeed("\n Second \n try")
    })
    const agent = Agent.make("agent", { instructions: "Help.", middleware: [failing] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("One."), text("Two.")])
      const first = yield* run()
      assert.deepStrictEqual([textOf(first), titleOf(first)], ["One.", undefined])
      assert.strictEqual(titleOf(yield* run()), "Second")
      assert.deepStrictEqual(logged, [["the conversation got no title: RangeError"]])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.effect("reads the context keys and services that it declares", () => {
    const Env = ToolContext.make({ tenant: Schema.String })
    class Words extends Context.Service<Words, { readonly first: string }>()("test/Words") {}
    const middleware = ConversationTitle.make({
      context: [Env.tenant],
      dependencies: [Words],
      generate: () => Effect.zipWith(Env.tenant, Words, (tenant, { first }) => `${first} ${tenant}`)
    })
    const agent = Agent.make("agent", { instructions: "Help.", middleware: [middleware] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("One.")])
      const ran = run().pipe(
        Effect.provide(ToolContext.layer(agent, { tenant: "acme" })),
        Effect.provideService(Words, { first: "of" })
      )
      assert.strictEqual(titleOf(yield* ran), "of acme")
    })
  })

  it.effect("is the parent's; a sub-agent's own does not come back", () => {
    const { agent: child } = counting()
    const { made, middleware } = counting()
    const parent = Agent.make("parent", {
      instructions: "Delegate.",
      middleware: [middleware],
      subAgents: [SubAgent.make(child)]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(parent, {
        parent: [call("agent", { task: "Look." }), text("Found.")],
        agent: [text("There.")]
      })
      assert.strictEqual(titleOf(yield* run("Find it.")), "Find it./Found.")
      assert.deepStrictEqual(made, ["Find it./Found."])
    }).pipe(Effect.provide(live))
  })
})

describe("ConversationTitle › byModel", () => {
  const agent = Agent.make("agent", { instructions: "Help.", middleware: [ConversationTitle.byModel()] })

  it.effect("asks the run's model once more, and counts no step", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [text("MIT."), text("The licence")])
      const result = yield* run("Which licence?")
      assert.deepStrictEqual([titleOf(result), result.usage.steps], ["The licence", 1])
      assert.strictEqual(told(requests[1])[1], "user: Which licence?\n\nMIT.")
      assert.deepStrictEqual(result.session.history.map(({ role }) => role), ["user", "assistant"])
    }))

  it.effect("does not fail the run where the model fails", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("MIT.")])
      const result = yield* run("Which licence?")
      assert.deepStrictEqual([textOf(result), titleOf(result)], ["MIT.", undefined])
    }).pipe(Effect.provide(Logger.layer([]))))
})
