/** ADK's rows on compacted histories and on resumed invocations (2.10). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Prompt } from "effect/ai"
import { Agent, type Event, Interrupt, Session, StateDelta, Tool, Toolkit } from "tenon"
import { Compaction } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { line, said } from "../../message.ts"
import { conversation, told } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Job = Interrupt.make("job", { question: Schema.Struct({}), answer: Schema.String })
const Start = Tool.make("start", { success: Schema.String, asks: [Job] })
const kit = Toolkit.make(Start)
const live = Toolkit.layer(kit, { start: () => Effect.as(Job.pending({}), "started") })

/** An agent whose history is compacted, and what was to be summarized, a message a line. */
const compacted = (when: Compaction.When) => {
  const summarized: Array<ReadonlyArray<string>> = []
  const middleware = Compaction.make({
    when,
    summarize: (messages) => Effect.sync(() => `Summary ${summarized.push(messages.map(line))}`)
  })
  return { summarized, agent: Agent.make("agent", { instructions: "", toolkit: kit, middleware: [middleware] }) }
}

/** Runs these invocations, each of a message and an answer. */
const talk = (when: Compaction.When, inputs: ReadonlyArray<string>, tokens = 1) =>
  Effect.gen(function*() {
    const { agent, summarized } = compacted(when)
    const { send } = yield* conversation(
      agent,
      inputs.map(() => ({ text: "ok", inputTokens: tokens, outputTokens: 0 }))
    )
    for (const input of inputs) yield* send(input)
    return summarized.map((messages) => messages.filter((each) => each !== "assistant: ok"))
  }).pipe(Effect.provide(live))

const users = (...names: ReadonlyArray<string>) => names.map((name) => `user: ${name}`)

/** The history of a log in which each event is a message by its number, and a pair a compaction of a range. */
const historyOf = (...events: ReadonlyArray<number | readonly [from: number, to: number]>): ReadonlyArray<string> => {
  const place = (number: number): number => events.indexOf(number)
  const log = events.map((event, sequence): Event.Event => {
    const head = { id: `s/${sequence}`, sequence, agent: "a", path: ["a"], time: 0 }
    if (typeof event === "number") {
      const message: Prompt.UserMessage = said(`Event ${event}`)
      return { ...head, invocation: `i${event}`, kind: "input", message, delta: StateDelta.empty }
    }
    const [from, to] = event
    const messages = [said(from === to ? `Summary ${from}` : `Summary ${from}-${to}`)]
    return {
      ...head,
      invocation: "i0",
      kind: "compacted",
      middleware: "m",
      from: place(from),
      to: place(to),
      messages
    }
  })
  return Effect.runSync(Effect.fromResult(Session.fold(log))).history.map((message) => line(message).slice(6))
}

describe("adk: compaction", () => {
  it.effect("T240 fewer invocations than the interval are not summarized", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* talk(Compaction.every(3), ["inv1"]), [])
      assert.deepStrictEqual(yield* talk(Compaction.every(3), ["inv1", "inv2", "inv3"]), [])
    }))

  it.effect("T241 all invocations are summarized where none was yet", () =>
    Effect.gen(function*() {
      const inputs = ["inv1", "inv2", "inv3", "inv4"]
      const when = Compaction.every(2, { overlap: 1 })
      // the log is there before the middleware is
      const summarized = yield* talk((start) => start.entries.length < 9 ? undefined : when(start), [...inputs, "inv5"])
      assert.deepStrictEqual(summarized, [users(...inputs)])
    }))

  it.effect("T242 an overlap tells of an invocation again that was summarized", () =>
    Effect.gen(function*() {
      const when: Compaction.When = (start) =>
        Compaction.every(start.compactions.length === 0 ? 2 : 3, { overlap: 1 })(start)
      assert.deepStrictEqual(
        yield* talk(when, ["inv1", "inv2", "inv3", "inv4", "inv5", "inv6"]),
        [users("inv1", "inv2"), users("inv2", "inv3", "inv4", "inv5")]
      )
    }))

  it.effect("T243 over a number of tokens all is summarized but the last", () =>
    Effect.gen(function*() {
      const when = Compaction.over(50, { keep: 2 })
      const inputs = ["inv1", "inv2", "inv3", "inv4", "inv5"]
      const summarized = yield* talk(
        (start) => start.entries.length < 11 ? undefined : when(start),
        [...inputs, "inv6"],
        100
      )
      assert.deepStrictEqual(summarized, [users("inv1", "inv2", "inv3")])
    }))

  it.effect("T245 a call that waits for its answer stays, and what is around it is summarized", () =>
    Effect.gen(function*() {
      const { agent, summarized } = compacted(Compaction.every(3))
      const { answer, requests, send } = yield* conversation(agent, [
        text("ok"),
        call("start"),
        text("It runs."),
        ...["ok", "ok", "Done."].map(text)
      ])
      for (const input of ["inv1", "inv2", "inv3", "inv4"]) yield* send(input)
      assert.deepStrictEqual(summarized, [[
        "user: inv1",
        "assistant: ok",
        "user: inv2",
        "assistant: It runs.",
        "user: inv3",
        "assistant: ok"
      ]])
      assert.deepStrictEqual(told(requests, 5), [
        "user: Summary 1",
        "assistant: start({})",
        "tool: start = \"started\"",
        "user: inv4"
      ])
      yield* answer(Job.answer("i2.1.1?pending", "built"))
      assert.deepStrictEqual(told(requests, 6).slice(0, 3), [
        "user: Summary 1",
        "assistant: start({})",
        "tool: start = \"built\""
      ])
    }).pipe(Effect.provide(live)))

  it("T246 two summaries stand beside each other, and what is between them stays", () => {
    assert.deepStrictEqual(historyOf(1, 2, 3, 4, [1, 4], 5, 6, 7, 8, 9, [6, 9], 10), [
      "Summary 1-4",
      "Event 5",
      "Summary 6-9",
      "Event 10"
    ])
  })

  it("T247 a wider summary takes the place of a narrower one", () => {
    const wider = ["Summary 1-3", "Event 4", "Event 6", "Event 7", "Event 9"]
    assert.deepStrictEqual(historyOf(1, [1, 1], 2, 3, [1, 3], 4, 6, 7, 9), wider)
    // also where the narrower one comes later
    assert.deepStrictEqual(historyOf(1, 2, 3, [1, 3], [1, 1], 4, 6, 7, 9), wider)
  })

  it("T248 a summary that comes late stands where what it replaces stood", () => {
    assert.deepStrictEqual(historyOf(1, 2, 3, 4, 5, [1, 3]), ["Summary 1-3", "Event 4", "Event 5"])
  })

  it.effect("T250 a pending call is answered in an invocation of its own; one that is over gives what it gave", () =>
    Effect.gen(function*() {
      const { agent } = compacted(Compaction.every(3))
      const { answer, requests, send } = yield* conversation(agent, [call("start"), text("It runs."), text("Done.")])
      const first = yield* send("Go.")
      const kinds = (result: typeof first) =>
        result.session.events.slice(first.session.revision).map(({ kind }) => kind)
      const second = yield* answer(Job.answer("i1.1.1?pending", "built"))
      assert.deepStrictEqual(kinds(second), ["answered", "model", "ended"])
      const again = yield* answer()
      assert.deepStrictEqual(kinds(again).slice(3), ["ended"])
      assert.deepStrictEqual([again._tag === "Completed" && again.text, requests.length], ["Done.", 3])
    }).pipe(Effect.provide(live)))
})
