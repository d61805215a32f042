import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, type Middleware, Reducer, State, SubAgent, Tool, Toolkit } from "tenon"
import { ToolTimeout } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, openOf } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Tally = State.make("tally", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Slow = Tool.make("slow", { combines: [Tally.count] })
const Own = Tool.make("own", { timeout: "10 seconds" })
const Sure = Tool.make("sure", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Slow, Own, Sure)
const agentOf = (timeout: Parameters<typeof ToolTimeout.make>[0]["timeout"]) =>
  Agent.make("agent", { instructions: "Work.", toolkit: kit, middleware: [ToolTimeout.make({ timeout })] })
const tooLong = (tool: string) => bad(tool, "TimedOut", `the tool '${tool}' took longer than it may`)

describe("ToolTimeout", () => {
  it.effect("ends tools that take too long, with nothing left, and no other", () => {
    const cleaned: Array<string> = []
    const seen: Array<Middleware.ToolTry> = []
    const live = Toolkit.layer(kit, {
      slow: () =>
        Tally.count.combine(1).pipe(
          Effect.andThen(Effect.sleep("1 hour")),
          Effect.onInterrupt(() => Effect.sync(() => cleaned.push("slow")))
        ),
      own: () => Effect.sleep("1 hour"),
      sure: () => Effect.succeed(true)
    })
    const timed = (timeout: Parameters<typeof agentOf>[0], after: Parameters<typeof TestClock.adjust>[0]) =>
      Effect.gen(function*() {
        const { run } = yield* conversation(agentOf(timeout), [
          calls({ tool: "slow" }, { tool: "own" }, { tool: "sure" }),
          text("Done.")
        ])
        const fiber = yield* Effect.forkChild(run())
        yield* TestClock.adjust(after)
        const { session } = yield* Fiber.join(fiber)
        return [endsOf(session).sort((a, b) => a.tool < b.tool ? -1 : 1), session.state.get(Tally.count)]
      })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* timed("30 seconds", "30 seconds"), [
        [tooLong("own"), tooLong("slow"), good("sure", true)].sort((a, b) => a.tool < b.tool ? -1 : 1),
        0
      ])
      assert.deepStrictEqual(cleaned.splice(0), ["slow"])
      const byTool = (request: Middleware.ToolTry) => {
        seen.push(request)
        return request.tool === "own" ? "1 second" as const : undefined
      }
      assert.deepStrictEqual(yield* timed(byTool, "1 hour"), [
        [tooLong("own"), good("slow", null), good("sure", true)],
        1
      ])
      assert.deepStrictEqual([cleaned, seen.map(({ tool }) => tool)], [[], ["slow", "own", "sure"]])
    }).pipe(Effect.provide(live))
  })

  it.effect("does not count the time in which a person answers, nor a sub-agent's", () => {
    const child = Agent.make("child", { instructions: "Work.", toolkit: kit })
    const agent = Agent.make("agent", {
      instructions: "Work.",
      toolkit: kit,
      subAgents: [SubAgent.make(child)],
      middleware: [ToolTimeout.make({ timeout: "1 second" })]
    })
    const live = Toolkit.layer(kit, {
      slow: () => Effect.sleep("1 minute"),
      own: () => Effect.void,
      sure: () => Confirm.ask("Sure?")
    })
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, {
        agent: [calls({ tool: "sure" }, { tool: "child", parameters: { task: "Go." } }), text("Done.")],
        child: [call("slow"), text("Worked.")]
      })
      const fiber = yield* Effect.forkChild(run())
      yield* TestClock.adjust("1 minute")
      const paused = openOf(yield* Fiber.join(fiber))
      yield* TestClock.adjust("1 day")
      const { session } = yield* resume(paused.map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(endsOf(session), [good("slow", null), good("child", "Worked."), good("sure", true)])
    }).pipe(Effect.provide(live))
  })
})
