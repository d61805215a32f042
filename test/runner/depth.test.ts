import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { Agent, Interrupt, Reducer, State, SubAgent, Tool, ToolCall, ToolContext, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, reasonOf, restarted, statusesOf, textOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Env = ToolContext.make({ tenant: Schema.String, secret: Schema.String })
const Log = State.make("log", {
  lines: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

class Clock extends Context.Service<Clock, { readonly now: string }>()("test/Clock") {}

const Mark = Tool.make("mark", { success: Schema.String, context: [Env.tenant], combines: [Log.lines, Log.visits] })
const Ask = Tool.make("ask", { success: Schema.Boolean, asks: [Confirm] })
const Wait = Tool.make("wait", { dependencies: [Clock] })
const kit = Toolkit.make(Mark, Ask, Wait)

/** Handlers that do the same wherever they run; `wait` says that it began, and never ends. */
const handlers = (began?: Deferred.Deferred<void>, ended?: () => void) =>
  Toolkit.layer(kit, {
    mark: Effect.fnUntraced(function*() {
      const { agentPath } = yield* ToolCall.ToolCall
      const tenant = yield* Env.tenant
      yield* Log.lines.combine(`${agentPath.length} ${tenant}`)
      yield* Log.visits.combine(1)
      return agentPath.join("/")
    }),
    ask: () => Effect.flatMap(ToolCall.ToolCall, ({ agentPath }) => Confirm.ask(agentPath.join("/"))),
    wait: () =>
      (began === undefined ? Effect.void : Deferred.succeed(began, undefined)).pipe(
        Effect.andThen(Effect.never),
        Effect.ensuring(Effect.sync(() => ended?.()))
      )
  })

const returns = [Log.lines] as const
const D = Agent.make("d", { instructions: "", toolkit: kit, limits: { steps: 4 } })
const C = Agent.make("c", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(D, { returns })] })
const B = Agent.make("b", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(C, { returns })] })
const A = Agent.make("a", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(B, { returns })] })

const env = (live = handlers()) =>
  Layer.mergeAll(
    live,
    Layer.orDie(ToolContext.layer(A, { tenant: "acme" })),
    Layer.succeed(Clock, { now: "noon" })
  )

const down = (name: string) => call(name, { task: "Go." })

describe("four agents deep", () => {
  it.effect("context goes down, operations come back through each level, shared fields meet", () =>
    Effect.gen(function*() {
      const talk = yield* conversation(A, {
        a: [call("mark"), down("b"), text("a")],
        b: [call("mark"), down("c"), text("b")],
        c: [call("mark"), down("d"), text("c")],
        d: [call("mark"), text("d")]
      })
      const done = yield* talk.run().pipe(Effect.provide(env()))
      assert.strictEqual(textOf(done), "a")
      assert.deepStrictEqual(done.session.state.get(Log.lines), ["1 acme", "2 acme", "3 acme", "4 acme"])
      assert.strictEqual(done.session.state.get(Log.visits), 4)
      assert.deepStrictEqual(
        [...new Set(done.session.events.map(({ agent }) => agent))],
        ["a", "a-sub-2", "a-sub-2-sub-2", "a-sub-2-sub-2-sub-2"]
      )
      assert.strictEqual(done.usage.steps, 11)
    }))

  it.effect("questions of every level come up together, and are answered one at a time over restarts", () =>
    Effect.gen(function*() {
      const both = (name: string) => calls({ tool: "ask" }, { tool: name, parameters: { task: "Go." } })
      const talk = yield* conversation(A, { a: [both("b")], b: [both("c")], c: [both("d")], d: [call("ask")] })
      let result = yield* talk.run().pipe(Effect.provide(env()))
      assert.deepStrictEqual(openOf(result).map(({ agentPath }) => agentPath.join("/")).toSorted(), [
        "a",
        "a/b",
        "a/b/c",
        "a/b/c/d"
      ])
      // the outermost first: it sets nobody free
      const order = ["a", "a/b/c", "a/b/c/d", "a/b"]
      for (const path of order) {
        const question = openOf(result).find((open) => open.question === path)
        const later = yield* restarted(A, result.session, {
          a: [text("a")],
          b: [text("b")],
          c: [text("c")],
          d: [text("d")]
        })
        result = yield* later.resume([Confirm.answer(question?.id ?? "", true)]).pipe(Effect.provide(env()))
      }
      assert.strictEqual(textOf(result), "a")
      assert.deepStrictEqual(statusesOf(result.session), ["paused", "paused", "paused", "paused", "completed"])
    }))

  it.effect("the innermost agent's limit is its parent's error result; the run's limit ends the run from below", () =>
    Effect.gen(function*() {
      const marks = [call("mark"), call("mark"), call("mark"), call("mark"), text("never")]
      const script = { a: [down("b"), text("a")], b: [down("c"), text("b")], c: [down("d"), text("c")], d: marks }
      const own = yield* (yield* conversation(A, script)).run().pipe(Effect.provide(env()))
      assert.strictEqual(textOf(own), "a")
      const talk = yield* conversation(A, script)
      const reason = yield* reasonOf(talk.run("Go.", { limits: { steps: 5 } }).pipe(Effect.provide(env())))
      assert.deepStrictEqual(reason._tag === "LimitReached" && [reason.agent, reason.limit, reason.max], [
        "a",
        "steps",
        5
      ])
      const session = yield* talk.session()
      assert.deepStrictEqual(session.open, [])
      assert.deepStrictEqual(session.state.get(Log.lines), [])
    }))

  it.effect("cancelling the run ends the innermost handler, commits nothing of it, and the session can go on", () =>
    Effect.gen(function*() {
      const began = yield* Deferred.make<void>()
      let finalizers = 0
      const live = handlers(began, () => void finalizers++)
      const talk = yield* conversation(A, {
        a: [down("b"), text("again")],
        b: [down("c")],
        c: [down("d")],
        d: [call("mark"), call("wait")]
      })
      const fiber = yield* Effect.forkChild(talk.run().pipe(Effect.provide(env(live))))
      yield* Deferred.await(began)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(finalizers, 1)
      const session = yield* talk.session()
      assert.deepStrictEqual(statusesOf(session), ["cancelled"])
      const open = session.events.flatMap((event) => event.kind === "model" ? event.calls.map(({ id }) => id) : [])
      const closed = new Set(session.events.flatMap((event) => event.kind === "call" ? [event.call] : []))
      assert.deepStrictEqual(open.filter((id) => !closed.has(id)), [])
      assert.strictEqual(textOf(yield* talk.run().pipe(Effect.provide(env(live)))), "again")
    }))
})
