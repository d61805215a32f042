import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, References, Schedule, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, Reducer, State, Tool, Toolkit } from "tenon"
import { ToolRetry, ToolTimeout } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel

const Tally = State.make("tally", { tries: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
class Down extends Schema.TaggedError<Down>()("Down", { try: Schema.Int }) {}
const Pay = Tool.make("pay", { success: Schema.Int, failure: Down, combines: [Tally.tries] })
const Find = Tool.make("find", { success: Schema.Int, failure: Down, combines: [Tally.tries] })
  .annotate(AiTool.Idempotent, true)
const kit = Toolkit.make(Pay, Find)
type Policy = ReturnType<typeof ToolRetry.make> | ReturnType<typeof ToolTimeout.make>
const agentOf = (middleware: ReadonlyArray<Policy>) =>
  Agent.make("agent", { instructions: "Work.", toolkit: kit, middleware })

/** Handlers that fail until a try of a number. */
const upFrom = (number: number) => {
  let tries = 0
  const handler = () =>
    Effect.gen(function*() {
      const now = ++tries
      yield* Tally.tries.combine(1)
      return now < number ? yield* new Down({ try: now }) : now
    })
  return Toolkit.layer(kit, { pay: handler, find: handler })
}
const failed = (tool: string, number: number) => ({ tool, failed: true, value: { _tag: "Down", try: number } })

/** How the call of a tool ended, and how often State counts it. */
const ended = (tool: string, from: number, ...middleware: ReadonlyArray<Policy>) =>
  Effect.gen(function*() {
    const { run } = yield* conversation(agentOf(middleware), [call(tool), text("Done.")])
    const { session } = yield* run()
    return [...endsOf(session), session.state.get(Tally.tries)]
  }).pipe(Effect.provide(upFrom(from)))

describe("ToolRetry", () => {
  it.effect("runs a tool again that may run twice, and keeps the last try alone", () =>
    Effect.gen(function*() {
      const retry = ToolRetry.make({ schedule: Schedule.recurs(2) })
      assert.deepStrictEqual(yield* ended("find", 1, retry), [good("find", 1), 1])
      assert.deepStrictEqual(yield* ended("find", 3, retry), [good("find", 3), 1])
      assert.deepStrictEqual(yield* ended("find", 9, retry), [failed("find", 3), 0])
      assert.deepStrictEqual(yield* ended("pay", 2, retry), [failed("pay", 1), 0])
    }))

  it.effect("leaves it to its predicates which tools, and which failures", () => {
    const seen: Array<unknown> = []
    const retry = ToolRetry.make({
      schedule: Schedule.recurs(5),
      tools: ({ tool }) => tool === "pay",
      while: ({ value }, { tool }) => {
        seen.push([tool, value])
        return (value as { readonly try: number }).try < 2
      }
    })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* ended("find", 2, retry), [failed("find", 1), 0])
      assert.deepStrictEqual(yield* ended("pay", 9, retry), [failed("pay", 2), 0])
      assert.deepStrictEqual(seen, [["pay", { _tag: "Down", try: 1 }], ["pay", { _tag: "Down", try: 2 }]])
    })
  })

  it.effect("waits as its schedule says, which sees the failures", () =>
    Effect.gen(function*() {
      const schedule = Schedule.spaced("1 minute").pipe(
        Schedule.while(({ input }) => (input as { readonly isFailure?: boolean }).isFailure === true)
      )
      const fiber = yield* Effect.forkChild(ended("find", 3, ToolRetry.make({ schedule })))
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* Fiber.join(fiber), [good("find", 3), 1])
    }))

  it.effect("gives each try its time, or all tries one, by the order of the list", () => {
    const schedule = Schedule.recurs(1)
    const [retry, timeout] = [ToolRetry.make({ schedule }), ToolTimeout.make({ timeout: "1 minute" })]
    let tries = 0
    const slow = () =>
      Effect.suspend(() => ++tries % 2 === 1 ? Effect.never : Effect.as(Effect.sleep("30 seconds"), tries))
    const timed = (...middleware: ReadonlyArray<Policy>) =>
      Effect.gen(function*() {
        const { run } = yield* conversation(agentOf(middleware), [call("find"), text("Done.")])
        const fiber = yield* Effect.forkChild(run())
        yield* TestClock.adjust("2 minutes")
        return endsOf((yield* Fiber.join(fiber)).session)
      })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* timed(retry, timeout), [good("find", 2)])
      assert.deepStrictEqual(yield* timed(timeout, retry), [
        bad("find", "TimedOut", "the tool 'find' took longer than it may")
      ])
    }).pipe(Effect.provide(Toolkit.layer(kit, { pay: slow, find: slow })))
  })

  it.effect("logs what failed by its name alone", () => {
    const lines: Array<unknown> = []
    return Effect.gen(function*() {
      yield* ended("find", 2, ToolRetry.make({ schedule: Schedule.recurs(1) }))
      assert.deepStrictEqual(lines.flat(), ["the tool 'find' failed, and may be tried again"])
    }).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(message))])),
      Effect.provideService(References.MinimumLogLevel, "Debug")
    )
  })
})
