/** Other messages in place of earlier ones: `Middleware.compact` before a step, and how a log is read that holds it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  type Event,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  State,
  SubAgent,
  Tool,
  ToolCall,
  Toolkit,
  Transfer
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line, said } from "../message.ts"
import { conversation, logOf, openOf, reasonOf, restarted, told } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Trail = State.make("trail", { notes: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Job = Interrupt.make("job", { question: Schema.Struct({}), answer: Schema.String })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Note = Tool.make("note", { success: Schema.String, combines: [Trail.notes] })
const Start = Tool.make("start", { success: Schema.String, asks: [Job] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Note, Start, Wonder)
const live = Toolkit.layer(kit, {
  note: () => Effect.flatMap(ToolCall.ToolCall, ({ userInput }) => Effect.as(Trail.notes.combine(1), userInput)),
  start: () => Effect.as(Job.pending({}), "started"),
  wonder: () => Confirm.ask("Sure?")
})

type Decide = (start: Middleware.StepStart) => Middleware.Compact | undefined

const compacting = (decide: Decide) =>
  Middleware.make("compacting", { hooks: [Middleware.beforeStep({}, (start) => Effect.sync(() => decide(start)))] })
const agentWith = (decide: Decide) =>
  Agent.make("agent", { instructions: "", toolkit: kit, middleware: [compacting(decide)] })

/** All but so many entries, before the step of this number. */
const allBut = (entries: number, at: number, summary = "…"): Decide => {
  let steps = 0
  return ({ entries: all }) =>
    ++steps === at ? Middleware.compact({ from: 0, to: all.at(-1 - entries)?.sequence ?? 0 }, summary) : undefined
}

const linesOf = (messages: ReadonlyArray<Prompt.Message>) => messages.map(line)
const compactions = ({ events }: Pick<Session.Session, "events">) => events.filter(({ kind }) => kind === "compacted")

describe("Middleware.compact", () => {
  it.effect("is an event that changes what the model is shown, from this step on and in another process", () =>
    Effect.gen(function*() {
      const agent = agentWith(allBut(1, 3, "They met."))
      const { requests, run } = yield* conversation(agent, [call("note"), text("Noted."), text("And?")])
      yield* run("Hello.")
      const { session } = yield* run("So.")
      const shown = ["user: They met.", "user: So."]
      assert.deepStrictEqual(told(requests[2]), shown)
      assert.deepStrictEqual(logOf(session).slice(-4), [
        "agent: input",
        "agent: compacted",
        "agent: model",
        "agent: ended completed"
      ])
      assert.deepStrictEqual(compactions(session), [{
        ...session.events.at(-3) as Event.Compacted,
        kind: "compacted",
        middleware: "compacting",
        from: 1,
        to: 4,
        messages: [
          Prompt.userMessage({
            content: [Prompt.textPart({ text: "They met." })],
            options: { tenon: { summary: true } }
          })
        ]
      }])
      // State is not touched, and everything can still be read
      assert.strictEqual(session.state.get(Trail.notes), 1)
      assert.deepStrictEqual(linesOf(session.transcript), [
        "user: Hello.",
        "assistant: note({})",
        "tool: note = \"Hello.\"",
        "assistant: Noted.",
        "user: So.",
        "assistant: And?"
      ])
      const again = yield* restarted(agentWith(() => undefined), session, [text("Well.")])
      yield* again.run("Go on.")
      assert.deepStrictEqual(told(again.requests[0]), [...shown, "assistant: And?", "user: Go on."])
    }).pipe(Effect.provide(live)))

  it.effect("leaves the message that the run answers, which a call still finds", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(agentWith(allBut(0, 2)), [
        call("note"),
        call("note"),
        text("Done.")
      ])
      yield* run("Take notes.")
      assert.deepStrictEqual(told(requests[1]), ["user: Take notes.", "user: …"])
      assert.deepStrictEqual(told(requests[2]).slice(2), ["assistant: note({})", "tool: note = \"Take notes.\""])
    }).pipe(Effect.provide(live)))

  it.effect("replaces nothing where there is nothing to replace, and leaves no event", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(
        agentWith(({ entries }) => Middleware.compact({ from: entries[0]?.sequence ?? 0, to: Infinity }, "…")),
        [text("Hello.")]
      )
      assert.deepStrictEqual(compactions((yield* run()).session), [])
    }).pipe(Effect.provide(live)))

  it.effect("fails the run where it parts a call from its result", () =>
    Effect.gen(function*() {
      const call = Prompt.toolCallPart({ id: "c", name: "note", params: {}, providerExecuted: false })
      const result = Prompt.toolResultPart({
        id: "c",
        name: "note",
        isFailure: false,
        result: "x",
        providerExecuted: false
      })
      const asking = Prompt.assistantMessage({ content: [call] })
      const answering = Prompt.toolMessage({ content: [result] })
      const running = (...messages: ReadonlyArray<Prompt.Message>) =>
        Effect.gen(function*() {
          const decide: Decide = ({ entries }) =>
            entries.length < 3 ? undefined : Middleware.compact({ from: 0, to: 3 }, messages)
          const { run } = yield* conversation(agentWith(decide), [text("One."), text("Two.")])
          yield* run()
          return yield* run()
        })
      const problem = "its messages part a call from its result"
      for (const messages of [[asking], [answering], [asking, answering, answering]]) {
        assert.deepInclude(yield* reasonOf(running(...messages)), {
          _tag: "HookFailed",
          middleware: "compacting",
          hook: "beforeStep",
          problem
        })
      }
      const { session } = yield* running(asking, answering)
      assert.deepStrictEqual(linesOf(session.history).slice(0, 2), ["assistant: note({})", "tool: note = \"x\""])
    }).pipe(Effect.provide(live)))

  it.effect("counts what it took towards the usage and the limits, over a pause too", () =>
    Effect.gen(function*() {
      const usage = { inputTokens: 50, outputTokens: 5 }
      const decide: Decide = ({ entries, step }) =>
        entries.length > 2 && step === 1 ? Middleware.compact({ from: 0, to: 3 }, "…", { usage }) : undefined
      const agent = agentWith(decide)
      const script = [text("Hello."), call("wonder"), text("Done.")]
      const { resume, run, session } = yield* conversation(agent, script)
      yield* run()
      const paused = yield* run()
      assert.deepStrictEqual(paused.usage, { steps: 1, toolCalls: 1, inputTokens: 51, outputTokens: 6 })
      const done = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(done.usage, { steps: 2, toolCalls: 1, inputTokens: 52, outputTokens: 7 })
      // the step does not begin that would go over
      const limited = yield* conversation(agent, script)
      yield* limited.run()
      assert.deepInclude(yield* reasonOf(limited.run("Go.", { limits: { tokens: 55 } })), {
        _tag: "LimitReached",
        limit: "tokens"
      })
      assert.deepStrictEqual([limited.requests.length, compactions(yield* session()).length], [1, 1])
    }).pipe(Effect.provide(live)))

  it.effect("keeps a call that ended pending until its final answer, and may replace it then", () =>
    Effect.gen(function*() {
      let at = 0
      const agent = agentWith(({ entries, step }) =>
        step > 1 || entries.length < 3 ? undefined : Middleware.compact({ from: 0, to: Infinity }, `… ${++at}`)
      )
      const { requests, resume, run } = yield* conversation(agent, [
        calls({ tool: "start" }, { tool: "note" }),
        ...["It runs.", "Yes.", "Half.", "Built.", "Bye."].map(text)
      ])
      const [id = ""] = (yield* run("Build it.")).session.open.map(({ id }) => id)
      yield* run("Does it run?")
      const step = (value: string) => ["assistant: start({}), note({})", `tool: start = "${value}", note = "Build it."`]
      assert.deepStrictEqual(told(requests[2]), ["user: … 1", ...step("started"), "user: Does it run?"])
      yield* resume([Interrupt.progress(Job.answer(id, "half"))])
      assert.deepStrictEqual(told(requests[3]), ["user: … 2", ...step("half")])
      yield* resume([Job.answer(id, "built")])
      assert.deepStrictEqual(told(requests[4]), ["user: … 3", ...step("built")])
      const { session } = yield* run("Thanks.")
      assert.deepStrictEqual(told(requests[5]), ["user: … 4", "user: Thanks."])
      assert.include(linesOf(session.transcript), "tool: start = \"built\", note = \"Build it.\"")
    }).pipe(Effect.provide(live)))

  it.effect("changes the history of its agent alone: a sub-agent's, or its parent's", () =>
    Effect.gen(function*() {
      const child = agentWith(allBut(0, 2, "(child)"))
      const parent = Agent.make("parent", {
        instructions: "",
        subAgents: [SubAgent.make(child)],
        middleware: [compacting(allBut(0, 3, "(parent)"))]
      })
      const { requests, run } = yield* conversation(parent, {
        parent: [call("agent", { task: "Look." }), call("agent", { task: "Again." }), text("Found.")],
        agent: [call("note"), text("There."), text("Here.")]
      })
      const { session } = yield* run("Find it.")
      assert.deepStrictEqual(requests.map((each) => [each.agent, ...told(each)]), [
        ["parent", "user: Find it."],
        ["agent", "user: Look."],
        ["agent", "user: Look.", "user: (child)"],
        ["parent", "user: Find it.", "assistant: agent({\"task\":\"Look.\"})", "tool: agent = \"There.\""],
        ["agent", "user: Again."],
        ["parent", "user: Find it.", "user: (parent)"]
      ])
      assert.deepStrictEqual(compactions(session).map(({ agent }) => agent), ["parent-sub-1", "parent"])
    }).pipe(Effect.provide(live)))

  it.effect("of one who holds a conversation holds for the others", () =>
    Effect.gen(function*() {
      const billing = Agent.make("billing", { instructions: "", middleware: [compacting(allBut(1, 2, "(billing)"))] })
      const front = Agent.make("front", { instructions: "", transfers: [Transfer.make(billing)] })
      const to = (agent_name: string) => call("transfer_to_agent", { agent_name })
      const { requests, run } = yield* conversation(front, {
        front: [to("billing"), text("I am sorry.")],
        billing: [text("Here."), to("front")]
      })
      yield* run("I want to pay.")
      const { session } = yield* run("And to complain.")
      const shown = ["user: (billing)", "user: And to complain."]
      assert.deepStrictEqual(told(requests[2]), shown)
      const moved = [...shown, "assistant: transfer_to_agent({\"agent_name\":\"front\"})"]
      assert.deepStrictEqual([requests[3]?.agent, told(requests[3]).slice(0, 3)], ["front", moved])
      const again = yield* restarted(front, session, { front: [text("Well.")] })
      yield* again.run("Still there?")
      assert.deepStrictEqual(told(again.requests[0]).slice(0, 3), moved)
    }).pipe(Effect.provide(live)))
})

describe("a log with compactions", () => {
  const delta = { versions: {}, operations: [] }
  const head = (sequence: number) => ({ id: `s/${sequence}`, sequence, agent: "a", path: ["a"], time: 0 })
  const input = (sequence: number): Event.Event => ({
    ...head(sequence),
    invocation: "i1",
    kind: "input",
    message: said(`${sequence}`),
    delta
  })
  const compacted = (sequence: number, from: number, to: number): Event.Event => ({
    ...head(sequence),
    invocation: "i2",
    kind: "compacted",
    middleware: "session",
    from,
    to,
    messages: [said(`${from}-${to}`)]
  })
  const historyOf = (...events: ReadonlyArray<Event.Event>) => linesOf(Result.getOrThrow(Session.fold(events)).history)

  it("takes a step with its results or leaves it, whether its calls were over then or not", () => {
    const parts = ["p", "q"].map((id) => Prompt.toolCallPart({ id, name: "t", params: {}, providerExecuted: false }))
    const model: Event.Event = {
      ...head(1),
      invocation: "i1",
      kind: "model",
      step: 1,
      messages: [Prompt.assistantMessage({ content: parts })],
      calls: parts.map(({ id }) => ({ id, providerId: id, tool: "t", parameters: {} })),
      usage: { inputTokens: 1, outputTokens: 1 },
      finish: "tool-calls"
    }
    const ended = (sequence: number, call: string): Event.Event => ({
      ...head(sequence),
      invocation: "i1",
      kind: "call",
      call,
      tool: "t",
      result: { isFailure: false, value: call },
      delta,
      actions: {}
    })
    const step = ["assistant: t({}), t({})", "tool: t = \"p\", t = \"q\""]
    const over = [input(0), model, ended(2, "p"), ended(3, "q")]
    assert.deepStrictEqual(historyOf(...over, compacted(4, 0, 3)), ["user: 0-3"])
    assert.deepStrictEqual(historyOf(...over, compacted(4, 0, 0)), ["user: 0-0", ...step])
    assert.deepStrictEqual(historyOf(...over, compacted(4, 0, 1)), ["user: 0-1"])
    assert.deepStrictEqual(historyOf(...over, compacted(4, 2, 3)), ["user: 0", ...step])
    const amid = historyOf(input(0), model, ended(2, "p"), compacted(3, 0, 9), ended(4, "q"))
    assert.deepStrictEqual(amid, ["user: 0-9", ...step])
  })

  it("shows compactions that overlap where the part of each begins, and a wider one in place of both", () => {
    const inputs = [0, 1, 2, 3, 4].map(input)
    const shown = ["user: 0", "user: 1-2", "user: 2-3", "user: 4"]
    assert.deepStrictEqual(historyOf(...inputs, compacted(5, 1, 2), compacted(6, 2, 3)), shown)
    assert.deepStrictEqual(historyOf(...inputs, compacted(5, 2, 3), compacted(6, 1, 2)), shown)
    const wider = ["user: 0", "user: 1-3", "user: 4"]
    assert.deepStrictEqual(historyOf(...inputs, compacted(5, 1, 2), compacted(6, 2, 3), compacted(7, 1, 3)), wider)
    assert.deepStrictEqual(historyOf(...inputs, compacted(5, 1, 3), compacted(6, 2, 3), compacted(7, 1, 2)), wider)
  })
})
