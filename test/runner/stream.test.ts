import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Logger, Schema, Stream } from "effect"
import { AiError, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
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
    case "Preliminary":
      return `${item.agent}: ${item.tool} ${item.call} ${JSON.stringify(item.result)}`
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

describe("AgentRunner.stream › preliminary results", () => {
  const Scan = Tool.make("scan", { success: Schema.Struct({ at: Schema.Date }) })
  const scan = Toolkit.make(Scan)
  const scanner = Agent.make("scanner", { instructions: "Scan.", toolkit: scan })
  const host = Agent.make("host", { instructions: "Work.", toolkit: scan, subAgents: [SubAgent.make(scanner)] })
  const at = (day: number) => ({ at: new Date(Date.UTC(2026, 0, day)) })
  const scanning = {
    host: [calls({ tool: "scan" }, { tool: "scanner", parameters: { task: "Go." } }), text("All done.")],
    scanner: [call("scan"), text("Done here.")]
  }
  const streamed = <A extends Agent.Any>(of: A, turns: ScriptedModel.Script) =>
    Effect.map(conversation(of, turns), (it) => ({
      ...it,
      stream: Stream.provideContext(AgentRunner.stream(of, { ...ref, input: "Go." }), it.context)
    }))
  const shownIn = (items: ReadonlyArray<AgentRunner.StreamItem>) =>
    items.filter(({ _tag }) => _tag === "Preliminary").map(line)

  it.effect("come before the call's event, of sub-agents too, encoded, and go nowhere else", () =>
    Effect.gen(function*() {
      const { requests, stream } = yield* streamed(host, scanning)
      const items = yield* Stream.runCollect(stream)
      const lines = items.map(line)
      const first = `host: scan i1.1.1 {"at":"2026-01-01T00:00:00.000Z"}`
      assert.deepStrictEqual(shownIn(items), [
        first,
        `host: scan i1.1.1 {"at":"2026-01-02T00:00:00.000Z"}`,
        `host-sub-2: scan i1.1.2/1.1 {"at":"2026-01-01T00:00:00.000Z"}`,
        `host-sub-2: scan i1.1.2/1.1 {"at":"2026-01-02T00:00:00.000Z"}`
      ])
      assert.isBelow(lines.indexOf(first), lines.indexOf("host: call"))
      assert.notInclude(JSON.stringify([eventsOf(items), requests]), "2026-01-01")
      assert.deepStrictEqual(items.flatMap((item) => item._tag === "Preliminary" ? [item.path] : []).at(-1), [
        "host",
        "scanner"
      ])
      const silent = yield* conversation(host, scanning)
      assert.deepStrictEqual(endsOf((yield* silent.run()).session), endsOf(resultOf(items).session))
    }).pipe(Effect.provide(Toolkit.layer(scan, {
      scan: (_, { preliminary }) => preliminary(at(1)).pipe(Effect.andThen(preliminary(at(2))), Effect.as(at(3)))
    }))))

  it.effect("that do not fit are dropped, and logged without what they hold", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function*() {
      const { stream } = yield* streamed(scanner, [call("scan"), text("Done.")])
      const items = yield* Stream.runCollect(stream)
      assert.deepStrictEqual([shownIn(items), logged.flat()], [
        [],
        ["the tool 'scan' gave a preliminary result that does not fit"]
      ])
      assert.strictEqual(textOf(resultOf(items)), "Done.")
    }).pipe(Effect.provide([
      Toolkit.layer(scan, {
        scan: (_, { preliminary }) => Effect.as(preliminary({ at: "secret" } as never), at(3))
      }),
      Logger.layer([Logger.make(({ message }) => void logged.push(message))])
    ]))
  })

  it.effect("that come after the call has ended are dropped", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const sent = yield* Deferred.make<void>()
      const live = Toolkit.layer(scan, {
        scan: (_, { preliminary }) =>
          Deferred.await(ended).pipe(
            Effect.andThen(preliminary(at(1))),
            Effect.andThen(Deferred.succeed(sent, undefined)),
            Effect.forkDetach,
            Effect.as(at(3))
          )
      })
      const { stream } = yield* streamed(scanner, [call("scan"), text("Done.")])
      const items = yield* Stream.runCollect(
        Stream.tap(stream, (item) =>
          item._tag === "Event" && item.event.kind === "call"
            ? Effect.andThen(Deferred.succeed(ended, undefined), Deferred.await(sent))
            : Effect.void)
      ).pipe(Effect.provide(live))
      assert.deepStrictEqual([shownIn(items), textOf(resultOf(items))], [[], "Done."])
    }))

  it.effect("wait for a slow reader, as the rest of a stream does, of a run-time toolkit too", () => {
    let given = 0
    const busy = (
      _: unknown,
      { preliminary }: { readonly preliminary: (result: { readonly at: Date }) => Effect.Effect<void> }
    ) =>
      Effect.repeat(Effect.andThen(preliminary(at(1)), Effect.sync(() => void given++)), { times: 99 }).pipe(
        Effect.as(at(3))
      )
    const Remote = AiTool.make("remote", { success: Schema.Struct({ at: Schema.Date }) })
    const remote = AiToolkit.make(Remote)
    /** How far a handler is when its first result is read, and how many are read. */
    const ahead = <A extends Agent.Any>(of: A, tool: string) =>
      Effect.gen(function*() {
        given = 0
        let first: number | undefined
        const { stream } = yield* streamed(of, [call(tool), text("Done.")])
        const items = yield* Stream.runCollect(
          Stream.tap(stream, (item) =>
            item._tag !== "Preliminary" || first !== undefined
              ? Effect.void
              : Effect.map(Effect.repeat(Effect.yieldNow, { times: 500 }), () => {
                first = given
              }))
        )
        return { first: first ?? 100, read: shownIn(items).length }
      })
    return Effect.gen(function*() {
      const served = yield* Effect.provide(remote, remote.toLayer({ remote: busy }))
      const dynamic = Agent.make("dynamic", { instructions: "", dynamic: [Toolkit.dynamic(served, { prefix: "x_" })] })
      const plain = yield* Effect.provide(ahead(scanner, "scan"), Toolkit.layer(scan, { scan: busy }))
      const byKit = yield* ahead(dynamic, "x_remote")
      assert.deepStrictEqual([plain.read, byKit.read], [100, 100])
      assert.isBelow(plain.first, 50)
      assert.isBelow(byKit.first, 50)
    })
  })

  it.effect("are no result: a run-time tool that gives nothing else has none", () => {
    const silent = {
      tools: { remote: AiTool.make("remote", { success: Schema.String }) },
      handle: () =>
        Effect.succeed(Stream.make({ result: "half", encodedResult: "half", isFailure: false, preliminary: true }))
    }
    const dynamic = Agent.make("dynamic", {
      instructions: "",
      dynamic: [Toolkit.dynamic(silent as never, { prefix: "x_" })]
    })
    return Effect.gen(function*() {
      const { run, stream } = yield* streamed(dynamic, [
        call("x_remote"),
        text("Done."),
        call("x_remote"),
        text("Done.")
      ])
      const none = bad("x_remote", "NoResult", "the tool 'x_remote' gave no result")
      const items = yield* Stream.runCollect(stream)
      assert.deepStrictEqual([shownIn(items), endsOf(resultOf(items).session)], [
        [`dynamic: x_remote i1.1.1 "half"`],
        [none]
      ])
      assert.deepStrictEqual(endsOf((yield* run()).session), [none, none])
    })
  })
})
