import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Logger, Schema } from "effect"
import { AiError } from "effect/ai"
import { Agent, type Event, ModelPlan, type Session, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { Compaction, ConversationTitle, Guardrails } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { line } from "../message.ts"
import { conversation, restarted, textOf, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel

const Look = Tool.make("look", { parameters: Schema.Struct({ at: Schema.Int }), success: Schema.Int })
const kit = Toolkit.make(Look)
const live = Toolkit.layer(kit, { look: ({ at }) => Effect.succeed(at) })

/** An agent that keeps what it was to summarize, a message a line, and says how often it did. */
const counting = (when: Compaction.When) => {
  const summarized: Array<ReadonlyArray<string>> = []
  const middleware = Compaction.make({
    when,
    summarize: (messages) => Effect.sync(() => `(${summarized.push(messages.map(line))})`)
  })
  return { summarized, agent: Agent.make("agent", { instructions: "", toolkit: kit, middleware: [middleware] }) }
}

/** A step whose prompt was this large. */
const look = (at: number, inputTokens: number): ScriptedModel.Turn => ({ ...call("look", { at }), inputTokens })
const looked = (at: number) => [`assistant: look({"at":${at}})`, `tool: look = ${at}`]
const compactions = ({ events }: Pick<Session.Session, "events">) =>
  events.flatMap((event) => event.kind === "compacted" ? [event] : [])

/** Runs with what is logged. */
const logging = <A, E, R>(effect: (logged: Array<unknown>) => Effect.Effect<A, E, R>) => {
  const logged: Array<unknown> = []
  return Effect.provide(effect(logged), Logger.layer([Logger.make(({ message }) => void logged.push(message))]))
}

describe("Compaction", () => {
  it.effect("goes on within a long invocation, whose message stays", () => {
    const { agent, summarized } = counting(Compaction.over(100, { keep: 1 }))
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [
        look(1, 10),
        look(2, 99),
        look(3, 40),
        look(4, 120),
        text("Done.")
      ])
      const { session } = yield* run("Look around.")
      assert.deepStrictEqual(summarized, [
        ["user: Look around.", ...looked(1)],
        // a new summary tells of the one before
        ["user: Look around.", "user: (1)", ...looked(2), ...looked(3)]
      ])
      assert.deepStrictEqual(requests.map((request) => told(request).length), [1, 3, 4, 6, 4])
      assert.deepStrictEqual(told(requests.at(-1)), ["user: Look around.", "user: (2)", ...looked(4)])
      assert.deepStrictEqual(compactions(session).map(({ from, to }) => [from, to]), [[2, 2], [2, 7]])
      assert.strictEqual(session.transcript.length, 10)
    }).pipe(Effect.provide(live))
  })

  it.effect("keeps ten steps unless told otherwise, and measures anew once it has compacted", () => {
    const { agent, summarized } = counting(Compaction.over(1))
    return Effect.gen(function*() {
      const steps = Array.from({ length: 12 }, (_, index) => look(index, 10))
      const { run } = yield* conversation(agent, [...steps, text("Done.")])
      yield* run("Look around.")
      assert.deepStrictEqual(summarized, [["user: Look around.", ...looked(0)], [
        "user: Look around.",
        "user: (1)",
        ...looked(1)
      ]])
    }).pipe(Effect.provide(live))
  })

  it.effect("by invocations goes on where it was in another process, and summaries stand in a row", () => {
    const { agent, summarized } = counting(Compaction.every(2))
    return Effect.gen(function*() {
      const script = Array.from({ length: 9 }, () => text("ok"))
      const here = yield* conversation(agent, script)
      for (const input of ["1", "2", "3", "4"]) yield* here.run(input)
      const there = yield* restarted(agent, yield* here.session(), script)
      yield* there.run("5")
      yield* there.run("6")
      const tellsOf = (...inputs: ReadonlyArray<string>) => inputs.flatMap((each) => [`user: ${each}`, "assistant: ok"])
      assert.deepStrictEqual(summarized, [tellsOf("1", "2"), tellsOf("3", "4")])
      assert.deepStrictEqual(told(there.requests.at(-1)), ["user: (1)", "user: (2)", ...tellsOf("5"), "user: 6"])
    }).pipe(Effect.provide(live))
  })

  it.effect("that fails, or says nothing, is logged and tried again; the run goes on as it was", () =>
    logging((logged) => {
      class Full extends Schema.TaggedError<Full>()("Full", { secret: Schema.String }) {}
      const tries: Array<Effect.Effect<string, Full>> = [
        Effect.fail(new Full({ secret: "4711" })),
        Effect.succeed(" "),
        Effect.succeed("They met.")
      ]
      const middleware = Compaction.make({
        when: Compaction.every(1),
        summarize: () => Effect.suspend(() => tries.shift() ?? Effect.succeed("again"))
      })
      const agent = Agent.make("agent", { instructions: "", middleware: [middleware] })
      return Effect.gen(function*() {
        const { requests, run } = yield* conversation(agent, ["1", "2", "3", "4"].map(text))
        for (const input of ["a", "b", "c", "d"]) assert.strictEqual((yield* run(input))._tag, "Completed")
        assert.deepStrictEqual(requests.map((request) => told(request).length), [1, 3, 5, 2])
        assert.deepStrictEqual(logged, [
          ["the history was not compacted: Full"],
          ["the history was not compacted: the summary is empty"]
        ])
      })
    }))

  it.effect("reads the context keys and services that it declares", () => {
    const Env = ToolContext.make({ tenant: Schema.String })
    class Words extends Context.Service<Words, { readonly first: string }>()("test/Words") {}
    const middleware = Compaction.make({
      when: Compaction.every(1),
      context: [Env.tenant],
      dependencies: [Words],
      summarize: () => Effect.zipWith(Env.tenant, Words, (tenant, { first }) => `${first} ${tenant}`)
    })
    const agent = Agent.make("agent", { instructions: "", middleware: [middleware] })
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [text("One."), text("Two.")])
      const ran = (input: string) => run(input).pipe(Effect.provide(ToolContext.layer(agent, { tenant: "acme" })))
      yield* Effect.provideService(Effect.andThen(ran("1"), ran("2")), Words, { first: "of" })
      assert.deepStrictEqual(told(requests[1]), ["user: of acme", "user: 2"])
    })
  })

  it.effect("is no message of the user to a guard, nor to who makes a title", () => {
    const guarded: Array<string> = []
    const titles: Array<string> = []
    const agent = Agent.make("agent", {
      instructions: "",
      middleware: [
        Compaction.make({ when: Compaction.every(1), summarize: () => Effect.succeed("They met.") }),
        Guardrails.make("guard", [
          Guardrails.input({}, ({ text }) => Effect.sync(() => void guarded.push(text)))
        ]),
        ConversationTitle.make({
          generate: ({ input }) => Effect.sync(() => titles.push(input)).pipe(Effect.as(""))
        })
      ]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("One."), text("Two.")])
      yield* run("Hello.")
      yield* run("So.")
      assert.deepStrictEqual([guarded, titles], [["Hello.", "So."], ["Hello.", "So."]])
    })
  })
})

describe("Compaction › byModel", () => {
  const compaction = Compaction.byModel({ when: Compaction.every(1) })
  const agent = Agent.make("agent", { instructions: "Help.", toolkit: kit, middleware: [compaction] })

  it.effect("asks the model for a summary of a text, and counts its tokens but no step", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [
        call("look", { at: 7 }),
        text("Seven."),
        { text: "They saw a seven.", inputTokens: 30, outputTokens: 6 },
        text("Bye.")
      ])
      yield* run("Look.")
      const { session, usage } = yield* run("Thanks.")
      const summarizing = requests[2]
      assert.deepStrictEqual([summarizing?.tools, summarizing?.prompt.content.map(({ role }) => role)], [[], [
        "system",
        "user"
      ]])
      assert.strictEqual(
        told(summarizing)[1],
        "user: user: Look.\n\nassistant: (calls look with {\"at\":7})\n\ntool: (look gave 7)\n\nassistant: Seven."
      )
      assert.deepStrictEqual(told(requests[3]).slice(1), [
        "user: Summary of what was said before:\nThey saw a seven.",
        "user: Thanks."
      ])
      assert.deepStrictEqual(usage, { steps: 1, toolCalls: 0, inputTokens: 31, outputTokens: 7 })
      assert.deepStrictEqual(compactions(session).map(({ usage }) => usage), [{ inputTokens: 30, outputTokens: 6 }])
    }).pipe(Effect.provide(live)))

  it.effect("does not fail the run where the model fails", () =>
    logging((logged) =>
      Effect.gen(function*() {
        const overloaded = new AiError.InternalProviderError({ description: "overloaded" })
        const { run } = yield* conversation(agent, [text("Hello."), ScriptedModel.fail(overloaded), text("Bye.")])
        yield* run("Hello.")
        const result = yield* run("So.")
        assert.deepStrictEqual([textOf(result), compactions(result.session)], ["Bye.", []])
        assert.deepStrictEqual(logged, [["the history was not compacted: AiError"]])
      }).pipe(Effect.provide(live))
    ))

  it.effect("asks the agent's own model, in a sub-agent too", () =>
    Effect.gen(function*() {
      const child = Agent.make("child", {
        instructions: "",
        toolkit: kit,
        middleware: [Compaction.byModel({ when: Compaction.over(1, { keep: 0 }) })]
      })
      const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
      const own = ModelPlan.forAgent(
        child,
        ScriptedModel.layer([call("look", { at: 1 }), text("One was seen."), text("Seen.")])
      )
      const { run } = yield* conversation(parent, [call("child", { task: "Look." }), text("Done.")])
      const { session } = yield* Effect.provide(run(), own)
      const [made] = compactions(session) as ReadonlyArray<Event.Compacted>
      assert.deepStrictEqual([made?.agent, made?.messages.map(line)], [
        "parent-sub-1",
        ["user: Summary of what was said before:\nOne was seen."]
      ])
    }).pipe(Effect.provide(live)))
})
