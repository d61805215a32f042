import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References, Schema } from "effect"
import { AiError } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { DebugLog } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, reasonOf, restarted } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel

const Env = ToolContext.make({ secret: Schema.String })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Greet = Tool.make("greet", {
  parameters: Schema.Struct({ name: Schema.String }),
  success: Schema.String,
  context: [Env.secret]
})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Greet, Wonder)
const live = Toolkit.layer(kit, {
  greet: ({ name }) =>
    Effect.gen(function*() {
      yield* Env.secret
      yield* TestClock.adjust("30 millis")
      return `Hello ${name}.`
    }),
  wonder: () => Confirm.ask("Sure?")
})
const around = (options?: DebugLog.Options) =>
  Agent.make("agent", { instructions: "Greet.", toolkit: kit, middleware: [DebugLog.make(options)] })
const agent = around()

/** A logger that keeps entries on a line each, and the level at which it listens. */
const logging = (lines: Array<string>, level: "Debug" | "Info" = "Debug") =>
  Layer.merge(
    Logger.layer([Logger.make(({ fiber, message }) => {
      const notes = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
      const shown = notes.filter(([name]) => !["session", "invocation"].includes(name))
      lines.push(
        [...(message as ReadonlyArray<string>), ...shown.map(([name, value]) => `${name}=${String(value)}`)].join(" ")
      )
    })]),
    Layer.succeed(References.MinimumLogLevel, level)
  )
const supplied = Env.layer({ secret: "4711" })
const greeting = [call("greet", { name: "Ada" }), text("Done.")]

describe("DebugLog", () => {
  it.effect("logs runs, model calls and tool calls with sizes and durations", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, greeting)
      yield* run()
      assert.deepStrictEqual(lines.map((line) => line.replace(/(?<=messages=\d )characters=\d+/, "characters=…")), [
        "run begins agent=agent resumed=false",
        "model call begins agent=agent step=1 messages=2 characters=… tools=2",
        "model call ended agent=agent step=1 ms=0 failed=false characters=0 calls=1 inputTokens=1 outputTokens=1",
        "tool call begins agent=agent call=i1.1.1 tool=greet characters=14",
        "tool call ended agent=agent call=i1.1.1 tool=greet ms=30 failed=false characters=12",
        "model call begins agent=agent step=2 messages=4 characters=… tools=2",
        "model call ended agent=agent step=2 ms=0 failed=false characters=5 calls=0 inputTokens=1 outputTokens=1",
        "run ended agent=agent resumed=false status=completed ms=30"
      ])
    }).pipe(Effect.provide([live, supplied, logging(lines)]))
  })

  it.effect("shows what is said, asked for and given back where it is told so, and never a supplied value", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(around({ level: "Info", values: true }), greeting)
      yield* run()
      const all = lines.join("\n")
      for (const value of ["arguments=", "result=Hello Ada.", "text=Done."]) assert.include(all, value)
      assert.notInclude(all, "4711")
    }).pipe(Effect.provide([live, supplied, logging(lines, "Info")]))
  })

  it.effect("says nothing where nobody listens", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, greeting)
      yield* run()
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide([live, supplied, logging(lines, "Info")]))
  })

  it.effect("logs a failed model call by its kind", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        ScriptedModel.fail(new AiError.InternalProviderError({ description: "4711" }))
      ])
      yield* reasonOf(run())
      assert.include(lines, "model call ended agent=agent step=1 ms=0 failed=true error=InternalProviderError")
      assert.include(lines, "run ended agent=agent resumed=false status=failed ms=0")
      assert.notInclude(lines.join("\n"), "4711")
    }).pipe(Effect.provide([live, supplied, logging(lines)]))
  })

  it.effect("logs a resumed run as one, in another process too", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agent, [call("wonder")])
      const paused = yield* run()
      const again = yield* restarted(agent, yield* session(), [text("Done.")])
      yield* again.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(lines.filter((line) => line.startsWith("run") || line.includes("wonder")), [
        "run begins agent=agent resumed=false",
        "tool call begins agent=agent call=i1.1.1 tool=wonder characters=2",
        "run ended agent=agent resumed=false status=paused ms=0",
        "run begins agent=agent resumed=true",
        "tool call begins agent=agent call=i1.1.1 tool=wonder characters=2",
        "tool call ended agent=agent call=i1.1.1 tool=wonder ms=0 failed=false characters=4",
        "run ended agent=agent resumed=true status=completed ms=0"
      ])
    }).pipe(Effect.provide([live, supplied, logging(lines)]))
  })

  it.effect("stands around a sub-agent that has it, under that agent's id", () => {
    const lines: Array<string> = []
    const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(agent)] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(parent, {
        parent: [call("agent", { task: "Greet." }), text("Done.")],
        agent: greeting
      })
      yield* run()
      assert.deepStrictEqual(lines.filter((line) => line.startsWith("run")), [
        "run begins agent=parent-sub-1 resumed=false",
        "run ended agent=parent-sub-1 resumed=false status=completed ms=30"
      ])
    }).pipe(Effect.provide([live, supplied, logging(lines)]))
  })
})
