import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { LanguageModel, Prompt } from "effect/ai"
import {
  Agent,
  AgentError,
  AgentRunner,
  Interrupt,
  Reducer,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { Guardrails } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, openOf, reasonOf, restarted, textOf, told } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Env = ToolContext.make({ tenant: Schema.String })
const Seen = State.make("seen", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Find = Tool.make("find", { parameters: Schema.Struct({ query: Schema.String }), success: Schema.String })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Find, Wonder)
const live = Toolkit.layer(kit, {
  find: ({ query }) => Effect.succeed(`found ${query}`),
  wonder: () => Confirm.ask("Sure?")
})
const find = (query: string) => call("find", { query })

/** Refuses what holds "bad", and takes the number out of the rest. */
const check = (said: string) =>
  Effect.succeed(
    said.includes("bad")
      ? Guardrails.refuse("no")
      : said.includes("4711")
      ? Guardrails.replace(said.replaceAll("4711", "…"))
      : undefined
  )
const around = (...guards: ReadonlyArray<Guardrails.Guard<(typeof Guardrails.Section.replaced)["~writes"]>>) =>
  Agent.make("agent", { instructions: "", toolkit: kit, middleware: [Guardrails.make("guards", guards)] })
const guarding = around(Guardrails.input({}, ({ text }) => check(text)))

describe("Guardrails › input", () => {
  it.effect("answers a refused message with the reason, and shows later calls a note in its place", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(guarding, [text("Fine.")])
      const refused = yield* run("bad idea")
      assert.deepStrictEqual([textOf(refused), requests.length], ["no", 0])
      const next = yield* run("good idea")
      assert.strictEqual(textOf(next), "Fine.")
      assert.deepStrictEqual(told(requests[0]), [
        "user: (This message was refused.)",
        "assistant: no",
        "user: good idea"
      ])
      // the log holds what was said
      assert.include(JSON.stringify(next.session.history), "bad idea")
    }).pipe(Effect.provide(live)))

  it.effect("shows the model another text, in each later call too, over a pause and a restart", () =>
    Effect.gen(function*() {
      const { requests, run, session } = yield* conversation(guarding, [call("wonder")])
      const paused = yield* run("my number is 4711")
      assert.deepStrictEqual(told(requests[0]), ["user: my number is …"])
      const again = yield* restarted(guarding, yield* session(), [text("Done."), text("Done.")])
      yield* again.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      yield* again.run("and?")
      assert.deepStrictEqual(again.requests.map((request) => told(request)[0]), [
        "user: my number is …",
        "user: my number is …"
      ])
    }).pipe(Effect.provide(live)))

  it.effect("keeps what else a replaced message holds, and drops it with a refused one", () =>
    Effect.gen(function*() {
      const file = Prompt.filePart({ mediaType: "image/png", data: "aGk=" })
      const message = (said: string) => [Prompt.textPart({ text: said }), file]
      const { context, requests, run } = yield* conversation(guarding, [text("One."), text("Two.")])
      const say = (said: string) =>
        Effect.provideContext(
          AgentRunner.run(guarding, { session: "s-1", user: "u-1", app: "app", input: message(said) }),
          context
        )
      yield* say("4711")
      yield* say("bad")
      yield* run("and?")
      assert.deepStrictEqual(
        requests.at(-1)?.prompt.content.flatMap(({ content, role }) =>
          role === "user" && typeof content !== "string" ? [content.map(({ type }) => type)] : []
        ),
        [["text", "file"], ["text"], ["text"]]
      )
    }).pipe(Effect.provide(live)))

  it.effect("checks a sub-agent's task where the sub-agent has it", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(guarding)] })
      const { requests, run } = yield* conversation(parent, {
        parent: [
          calls({ tool: "agent", parameters: { task: "bad" } }, { tool: "agent", parameters: { task: "4711" } }),
          text("Done.")
        ],
        agent: [text("Found.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("agent", "no"), good("agent", "Found.")])
      assert.deepStrictEqual(told(requests.find(({ agent }) => agent === "agent")), ["user: …"])
    }).pipe(Effect.provide(live)))

  it.effect("has the context and State that it declares", () => {
    const guard = Guardrails.input(
      { context: [Env.tenant], writes: [Seen.count] },
      ({ agent, text }) =>
        Effect.gen(function*() {
          yield* Seen.count.combine(text.length)
          return Guardrails.refuse(`${agent} of ${yield* Env.tenant}: ${yield* Seen.count.get}`)
        })
    )
    const agent = Agent.make("agent", { instructions: "", middleware: [Guardrails.make("guards", [guard])] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [])
      assert.strictEqual(
        textOf(yield* Effect.provide(run("four"), Env.layer({ tenant: "acme" }))),
        "agent of acme: 4"
      )
    })
  })

  it.effect("fails the run where the guard fails: nothing passes unchecked", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(around(Guardrails.input({}, () => Effect.fail("down"))), [])
      const reason = yield* reasonOf(run())
      assert.instanceOf(reason, AgentError.HookFailed)
      assert.strictEqual(requests.length, 0)
    }).pipe(Effect.provide(live)))
})

describe("Guardrails › output", () => {
  const agent = around(Guardrails.output({}, ({ text }) => check(text)))

  it.effect("stores another text in place of the model's, and leaves its calls", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [{ text: "It is 4711.", ...find("a") }, text("Still 4711.")])
      const { session, ...result } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("find", "found a")])
      assert.deepStrictEqual([result._tag === "Completed" && result.text, result.usage.outputTokens], ["Still ….", 2])
      assert.notInclude(JSON.stringify(session.events), "4711")
    }).pipe(Effect.provide(live)))

  it.effect("stores the reason in place of a refused text, without its calls, and counts what it used", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [{ text: "bad", ...find("a"), inputTokens: 7 }])
      const result = yield* run()
      assert.deepStrictEqual([textOf(result), endsOf(result.session), result.usage.inputTokens], ["no", [], 7])
    }).pipe(Effect.provide(live)))

  it.effect("does so in a stream too, whose chunks have been sent by then", () =>
    Effect.gen(function*() {
      const { model } = yield* ScriptedModel.make([{ text: "It is 4711.", reasoning: "Hm." }])
      const { context } = yield* conversation(agent, [])
      const parts = yield* AgentRunner.stream(agent, { session: "s-1", user: "u-1", app: "app", input: "Go." }).pipe(
        Stream.runCollect,
        Effect.provideService(LanguageModel.LanguageModel, model),
        Effect.provideContext(context)
      )
      const events = JSON.stringify(parts.filter((part) => "event" in part))
      assert.include(JSON.stringify(parts), "4711")
      assert.notInclude(events, "4711")
      assert.include(events, "It is ….")
    }).pipe(Effect.provide(live)))
})

describe("Guardrails › tools", () => {
  it.effect("refuse a call, or give it other arguments", () =>
    Effect.gen(function*() {
      const agent = around(
        Guardrails.toolArguments({}, ({ parameters }) =>
          Effect.gen(function*() {
            const { query } = parameters as { readonly query: string }
            const { step } = yield* ToolCall.ToolCall
            return query === "bad"
              ? Guardrails.refuse(`not in step ${step}`)
              : query === "wrong"
              ? Guardrails.replace({ query: 7 })
              : Guardrails.replace({ query: `${query}!` })
          }))
      )
      const { run } = yield* conversation(agent, [
        calls(
          { tool: "find", parameters: { query: "bad" } },
          { tool: "find", parameters: { query: "good" } },
          { tool: "find", parameters: { query: "wrong" } }
        ),
        text("Done.")
      ])
      const ends = endsOf((yield* run()).session)
      assert.deepStrictEqual(ends.slice(0, 2), [bad("find", "Refused", "not in step 1"), good("find", "found good!")])
      assert.include(JSON.stringify(ends[2]?.value), "InvalidArguments")
    }).pipe(Effect.provide(live)))

  it.effect("withhold a result, or give another", () =>
    Effect.gen(function*() {
      const agent = around(Guardrails.toolResult({}, ({ result }) => check(String(result.value))))
      const { run } = yield* conversation(agent, [
        calls(
          { tool: "find", parameters: { query: "bad" } },
          { tool: "find", parameters: { query: "4711" } },
          { tool: "find", parameters: { query: "a" } }
        ),
        text("Done.")
      ])
      assert.deepStrictEqual(endsOf((yield* run()).session), [
        bad("find", "Refused", "no"),
        good("find", "found …"),
        good("find", "found a")
      ])
    }).pipe(Effect.provide(live)))
})
