import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Schema, Stream } from "effect"
import { AiError } from "effect/ai"
import { Agent, AgentRunner, Interrupt, Reducer, State, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, openOf, statusesOf, textOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Tally = State.make("tally", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Count = Tool.make("count", { success: Schema.String, combines: [Tally.count] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Count, Wonder)
const live = Toolkit.layer(kit, {
  count: () => Effect.as(Tally.count.combine(1), "counted"),
  wonder: () => Confirm.ask("Sure?")
})
const child = Agent.make("child", { instructions: "Count.", toolkit: kit })
const agent = Agent.make("agent", { instructions: "Work.", toolkit: kit, subAgents: [SubAgent.make(child)] })

const ref = { session: "s-1", user: "u-1", app: "app" }
const script = {
  agent: [
    {
      ...calls({ tool: "count" }, { tool: "child", parameters: { task: "Go." } }),
      text: "I count.",
      reasoning: "Two of them."
    },
    text("All done.")
  ],
  child: [call("count"), text("Done here.")]
}

/** An item on one line. */
const line = (item: AgentRunner.StreamItem): string => {
  switch (item._tag) {
    case "Event":
      return `${item.event.agent}: ${item.event.kind}`
    case "Part":
      return `${item.agent}: ${item.part.type}${item.part.type === "text-delta" ? ` ${item.part.delta.trim()}` : ""}`
    case "Discarded":
      return `${item.agent}: discarded`
    case "Result":
      return item.result._tag
  }
}
const eventsOf = (items: ReadonlyArray<AgentRunner.StreamItem>) =>
  items.flatMap((item) => item._tag === "Event" ? [item.event] : [])
const resultOf = (items: ReadonlyArray<AgentRunner.StreamItem>) => {
  const last = items.at(-1)
  assert.strictEqual(last?._tag, "Result")
  return (last as Extract<AgentRunner.StreamItem, { _tag: "Result" }>).result
}

/** A conversation whose runs are streamed. */
const streaming = (turns: ScriptedModel.Script) =>
  Effect.map(conversation(agent, turns), (it) => ({
    ...it,
    stream: (
      options: { readonly input: string } | { readonly answers: ReadonlyArray<AgentRunner.Answers<typeof agent>> }
    ) => Stream.provideContext(AgentRunner.stream(agent, { ...ref, ...options }), it.context)
  }))

describe("AgentRunner.stream", () => {
  it.effect("shows parts as they come, each event once it is stored, and at last the result", () =>
    Effect.gen(function*() {
      const { session, stream } = yield* streaming(script)
      const items = yield* Stream.runCollect(stream({ input: "Go." }))
      assert.deepStrictEqual(
        items.map(line),
        [
          "agent: created",
          "agent: input",
          "agent: reasoning-start",
          "agent: reasoning-delta",
          "agent: reasoning-delta",
          "agent: reasoning-delta",
          "agent: reasoning-end",
          "agent: text-start",
          "agent: text-delta I",
          "agent: text-delta count.",
          "agent: text-end",
          "agent: tool-call",
          "agent: tool-call",
          "agent: finish",
          "agent: model",
          "agent: call",
          "agent-sub-1: input",
          "agent-sub-1: tool-call",
          "agent-sub-1: finish",
          "agent-sub-1: model",
          "agent-sub-1: call",
          "agent-sub-1: text-start",
          "agent-sub-1: text-delta Done",
          "agent-sub-1: text-delta here.",
          "agent-sub-1: text-end",
          "agent-sub-1: finish",
          "agent-sub-1: model",
          "agent: call",
          "agent: text-start",
          "agent: text-delta All",
          "agent: text-delta done.",
          "agent: text-end",
          "agent: finish",
          "agent: model",
          "agent: ended",
          "Completed"
        ].map((entry) => entry.replace("agent-sub-1", "agent-sub-2"))
      )
      assert.deepStrictEqual(eventsOf(items), (yield* session()).events)
      assert.deepStrictEqual(resultOf(items).session.events, eventsOf(items))
    }).pipe(Effect.provide(live)))

  it.effect("stores the same events, and ends with the same result, as a run", () =>
    Effect.gen(function*() {
      const streamed = yield* streaming(script)
      const items = yield* Stream.runCollect(streamed.stream({ input: "Go." }))
      const { run } = yield* conversation(agent, script)
      const result = yield* run()
      assert.deepStrictEqual(eventsOf(items), result.session.events)
      const { session, ...rest } = resultOf(items)
      const { session: other, ...others } = result
      assert.deepStrictEqual(rest, others)
      assert.deepStrictEqual(session.history, other.history)
      assert.strictEqual(session.state.get(Tally.count), other.state.get(Tally.count))
    }).pipe(Effect.provide(live)))

  it.effect("ends with a pause, and shows of the resumed run its own events alone", () =>
    Effect.gen(function*() {
      const { session, stream } = yield* streaming({ agent: [call("wonder"), text("Done.")] })
      const first = yield* Stream.runCollect(stream({ input: "Go." }))
      const paused = resultOf(first)
      assert.deepStrictEqual(openOf(paused).map(({ id }) => id), ["i1.1.1?1"])
      const second = yield* Stream.runCollect(stream({ answers: [Confirm.answer("i1.1.1?1", true)] }))
      assert.deepStrictEqual(second.map(line), [
        "agent: answered",
        "agent: call",
        "agent: text-start",
        "agent: text-delta Done.",
        "agent: text-end",
        "agent: finish",
        "agent: model",
        "agent: ended",
        "Completed"
      ])
      assert.deepStrictEqual([...eventsOf(first), ...eventsOf(second)], (yield* session()).events)
    }).pipe(Effect.provide(live)))

  it.effect("fails with the typed error, after the events that were stored", () =>
    Effect.gen(function*() {
      const { session, stream } = yield* streaming({
        agent: [call("count"), ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))]
      })
      const seen: Array<AgentRunner.StreamItem> = []
      const error = yield* Effect.flip(
        Stream.runForEach(stream({ input: "Go." }), (item) => Effect.sync(() => void seen.push(item)))
      )
      assert.strictEqual(error.reason._tag, "ModelFailed")
      assert.deepStrictEqual(eventsOf(seen), (yield* session()).events)
      assert.strictEqual(seen.map(line).at(-1), "agent: ended")
    }).pipe(Effect.provide(live)))

  it.effect("shows nothing but the refusal of a run that cannot start", () =>
    Effect.gen(function*() {
      const { stream } = yield* streaming({ agent: [] })
      const seen: Array<string> = []
      const error = yield* Effect.flip(
        Stream.runForEach(stream({ answers: [] }), (item) => Effect.sync(() => void seen.push(line(item))))
      )
      assert.strictEqual(error.reason._tag, "SessionMissing")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.provide(live)))

  it.effect("waits for a slow reader, and loses nothing", () =>
    Effect.gen(function*() {
      const words = Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ")
      const { session, stream } = yield* streaming({ agent: [text(words), text("Never asked.")] })
      const go = yield* Latch.make()
      const first = yield* Deferred.make<void>()
      const seen: Array<AgentRunner.StreamItem> = []
      const fiber = yield* Effect.forkChild(Stream.runForEach(stream({ input: "Go." }), (item) =>
        Effect.gen(function*() {
          seen.push(item)
          yield* Deferred.succeed(first, undefined)
          yield* go.await
        })))
      yield* Deferred.await(first)
      for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
      // the reader has one item: the run is held up before its model has said all
      assert.strictEqual(seen.length, 1)
      assert.deepStrictEqual((yield* session()).events.map(({ kind }) => kind), ["created", "input"])
      yield* go.open
      yield* Fiber.join(fiber)
      const result = resultOf(seen)
      assert.strictEqual(textOf(result), words)
      assert.strictEqual(seen.filter((item) => item._tag === "Part" && item.part.type === "text-delta").length, 100)
      assert.deepStrictEqual(eventsOf(seen), result.session.events)
    }).pipe(Effect.provide(live)))

  it.effect("cancels the run when its reader stops early, and the session can go on", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const hanging = Toolkit.layer(kit, {
        count: () =>
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Effect.sync(() => log.push("cleaned up")))
          ),
        wonder: () => Effect.succeed(true)
      })
      const { run, session, stream } = yield* streaming({ agent: [call("count"), text("Good day.")] })
      // it stops at the model's event, while the call runs
      const items = yield* stream({ input: "Go." }).pipe(
        Stream.tap((item) =>
          item._tag === "Event" && item.event.kind === "model" ? Deferred.await(started) : Effect.void
        ),
        Stream.takeUntil((item) => item._tag === "Event" && item.event.kind === "model"),
        Stream.runCollect,
        Effect.provide(hanging)
      )
      assert.strictEqual(items.map(line).at(-1), "agent: model")
      assert.deepStrictEqual(log, ["cleaned up"])
      const left = yield* session()
      assert.deepStrictEqual(endsOf(left), [bad("count", "Cancelled", "the run ended before this call did")])
      assert.deepStrictEqual(statusesOf(left), ["cancelled"])
      assert.strictEqual(textOf(yield* run("Hello.")), "Good day.")
    }).pipe(Effect.provide(live))
  })

  it.effect("cancels the run when its reader stops in the middle of the model's answer", () =>
    Effect.gen(function*() {
      const { run, session, stream } = yield* streaming({ agent: [text("One two three four."), text("Good day.")] })
      const items = yield* stream({ input: "Go." }).pipe(
        Stream.takeUntil((item) => item._tag === "Part" && item.part.type === "text-delta"),
        Stream.runCollect
      )
      assert.strictEqual(items.map(line).at(-1), "agent: text-delta One")
      const result = yield* run("Hello.")
      assert.strictEqual(textOf(result), "Good day.")
      assert.strictEqual((yield* session()).revision, result.session.revision)
    }).pipe(Effect.provide(live)))

  it.effect("runs nothing before somebody reads, and runs anew for each reader", () =>
    Effect.gen(function*() {
      const { requests, stream } = yield* streaming({ agent: [text("One."), text("Two.")] })
      const lazy = stream({ input: "Go." })
      assert.strictEqual(requests.length, 0)
      const [first, second] = [yield* Stream.runCollect(lazy), yield* Stream.runCollect(lazy)]
      assert.deepStrictEqual([textOf(resultOf(first)), textOf(resultOf(second))], ["One.", "Two."])
      assert.strictEqual(resultOf(second).invocation, "i2")
    }).pipe(Effect.provide(live)))
})
