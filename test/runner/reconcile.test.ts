/** Calls that a crash cut off, and who finds out what became of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { TestClock } from "effect/testing"
import {
  Agent,
  type Event,
  Interrupt,
  Middleware,
  Reconcile,
  Reducer,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, idsOf, openOf, restarted, textOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Orders = State.make("orders", {
  paid: State.field(Schema.Int, { initial: 0 }),
  log: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
})
const Env = ToolContext.make({ tenant: Schema.String })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
class Declined extends Schema.TaggedError<Declined>()("Declined", {}) {}

const Pay = Tool.make("pay", {
  parameters: Schema.Struct({ amount: Schema.Int }),
  success: Schema.Struct({ at: Schema.Date }),
  failure: Declined,
  context: [Env.tenant],
  writes: [Orders.paid, Orders.log],
  asks: [Confirm],
  timeout: "10 seconds"
})
const kit = Toolkit.make(Pay)
const agent = Agent.make("agent", { instructions: "Pay.", toolkit: kit })
const at = new Date(Date.UTC(2026, 0, 1))
const paid = { at: at.toISOString() }
const unknown = bad("pay", "OutcomeUnknown", "the run ended while 'pay' ran: whether it took effect is unknown")
const pay = call("pay", { amount: 3 })

type Finds = Effect.Effect<
  Reconcile.Finding<{ readonly at: Date }, Declined>,
  unknown,
  Exclude<AiTool.Requirements<typeof Pay>, (typeof Confirm)["~asks"]>
>

/** A handler that counts its runs, and what finds out about them. */
const world = (find: (callId: string) => Finds, asks: boolean = false) => {
  const seen: Array<string> = []
  const live = Toolkit.layer(kit, {
    pay: Reconcile.on(
      Effect.fnUntraced(function*({ amount }) {
        if (asks) yield* Confirm.ask("Sure?")
        seen.push(`ran ${amount}`)
        yield* Orders.paid.set(amount)
        return { at }
      }),
      ({ amount }, callId) =>
        Effect.suspend(() => {
          seen.push(`found ${amount} ${callId}`)
          return find(callId)
        })
    )
  })
  return { seen, layer: Layer.merge(live, Env.layer({ tenant: "acme" })) }
}

/** A log that ends where the model has asked for calls. */
const cut = (events: ReadonlyArray<Event.Event>) => ({
  events: events.slice(0, events.findIndex(({ kind }) => kind === "model") + 1)
})

/** A run that crashed while a call ran, and the one after it. */
const crashed = (find: (callId: string) => Finds, of: typeof agent = agent) =>
  Effect.gen(function*() {
    const before = world(() => Effect.succeed(Reconcile.unknown))
    const first = yield* conversation(of, [pay, text("Done.")])
    yield* Effect.provide(first.run(), before.layer)
    const after = world(find)
    const next = yield* restarted(of, cut((yield* first.session()).events), [text("Fine.")])
    const { session } = yield* Effect.provide(next.run("Again."), after.layer)
    return {
      ends: endsOf(session),
      seen: after.seen,
      paid: session.state.get(Orders.paid),
      log: session.state.get(Orders.log)
    }
  })

describe("Reconcile", () => {
  it.effect("gives a call that took effect its result, and what goes with it in State", () =>
    Effect.gen(function*() {
      const found = yield* crashed((callId) =>
        Effect.gen(function*() {
          yield* Orders.paid.set(3)
          yield* Orders.log.combine(`${yield* Env.tenant} ${callId}`)
          return Reconcile.succeeded({ at })
        })
      )
      assert.deepStrictEqual(found, {
        ends: [good("pay", paid)],
        seen: ["found 3 i1.1.1"],
        paid: 3,
        log: ["acme i1.1.1"]
      })
    }))

  it.effect("gives one that ended with an error that error, and commits nothing", () =>
    Effect.gen(function*() {
      const found = yield* crashed(() => Effect.as(Orders.paid.set(3), Reconcile.failed(new Declined())))
      assert.deepStrictEqual(found, {
        ends: [{ tool: "pay", failed: true, value: { _tag: "Declined" } }],
        seen: ["found 3 i1.1.1"],
        paid: 0,
        log: []
      })
    }))

  it.effect("lets one run that did not, without what was written to find that out", () =>
    Effect.gen(function*() {
      const found = yield* crashed(() => Effect.as(Orders.log.combine("looked"), Reconcile.notRun))
      assert.deepStrictEqual(found, {
        ends: [good("pay", paid)],
        seen: ["found 3 i1.1.1", "ran 3"],
        paid: 3,
        log: []
      })
    }))

  it.effect("says that nobody knows where it does not know, fails, dies, asks, or gives what does not fit", () => {
    const logged: Array<unknown> = []
    const finds: ReadonlyArray<() => Finds> = [
      () => Effect.succeed(Reconcile.unknown),
      () => Effect.fail({ _tag: "Down", secret: "s" }),
      () => Effect.die(new Error("secret")),
      () => Effect.as(Confirm.ask("Sure?"), Reconcile.notRun) as Effect.Effect<never>,
      () => Effect.succeed(Reconcile.succeeded({ at: "secret" as never }))
    ]
    return Effect.gen(function*() {
      for (const find of finds) {
        const found = yield* crashed(find)
        assert.deepStrictEqual([found.ends, found.seen], [[unknown], ["found 3 i1.1.1"]])
      }
      assert.strictEqual(logged.length, 4)
      assert.include(String(logged[0]), "the call 'i1.1.1' of 'pay' could not be reconciled: Down")
      assert.notInclude(JSON.stringify(logged), "secret")
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.effect("has the tool's time", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(crashed(() => Effect.never))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).ends, [unknown])
    }))

  it.effect("is not asked of a call that runs for the first time, or may run twice", () =>
    Effect.gen(function*() {
      const { layer, seen } = world(() => Effect.succeed(Reconcile.unknown))
      const first = yield* conversation(agent, [pay, text("Done.")])
      yield* Effect.provide(first.run(), layer)
      assert.deepStrictEqual(seen, ["ran 3"])

      const again = Agent.make("agent", {
        instructions: "Pay.",
        toolkit: Toolkit.make(Pay.annotate(AiTool.Idempotent, true))
      })
      const next = yield* restarted(again, cut((yield* first.session()).events), [text("Fine.")])
      const { session } = yield* Effect.provide(next.run("Again."), layer)
      assert.deepStrictEqual([endsOf(session), seen], [[good("pay", paid)], ["ran 3", "ran 3"]])
    }))

  it.effect("is asked before a handler runs again that asked a person", () =>
    Effect.gen(function*() {
      const { layer, seen } = world(() => Effect.succeed(Reconcile.notRun), true)
      const { resume, run } = yield* conversation(agent, [pay, text("Done.")])
      const paused = openOf(yield* Effect.provide(run(), layer))
      const { session } = yield* Effect.provide(resume(paused.map(({ id }) => Confirm.answer(id, true))), layer)
      assert.deepStrictEqual([endsOf(session), seen], [[good("pay", paid)], ["found 3 i1.1.1", "ran 3"]])
    }))

  it.effect("keeps a handler from running twice where a hook after it asks", () =>
    Effect.gen(function*() {
      const { layer, seen } = world(() => Effect.succeed(Reconcile.succeeded({ at })))
      const host = Agent.make("agent", {
        instructions: "Pay.",
        toolkit: kit,
        middleware: [
          Middleware.make("check", {
            hooks: [
              Middleware.afterTool({ asks: [Confirm] }, () =>
                Effect.map(Confirm.ask("Show it?"), (shown) => shown ? undefined : Middleware.result("hidden")))
            ]
          })
        ]
      })
      const { resume, run } = yield* conversation(host, [pay, text("Done.")])
      const paused = openOf(yield* Effect.provide(run(), layer))
      const { session } = yield* Effect.provide(
        resume(paused.map(({ id }) =>
          Confirm.answer(id, true)
        )),
        layer
      )
      assert.deepStrictEqual([endsOf(session), seen], [[good("pay", paid)], ["ran 3", "found 3 i1.1.1"]])
    }))

  it.effect("goes by the arguments that a person approved, and asks for an approval that nobody gave", () => {
    const Guarded = Tool.make("pay", {
      parameters: Schema.Struct({ amount: Schema.Int }),
      success: Schema.Int,
      approval: true
    })
    const guarded = Toolkit.make(Guarded)
    const host = Agent.make("agent", { instructions: "Pay.", toolkit: guarded })
    const seen: Array<string> = []
    let finding: Reconcile.Finding<number> = Reconcile.notRun
    const live = Toolkit.layer(guarded, {
      pay: Reconcile.on(
        ({ amount }) => Effect.sync(() => seen.push(`ran ${amount}`)),
        ({ amount }) => Effect.sync(() => (seen.push(`found ${amount}`), finding))
      )
    })
    return Effect.gen(function*() {
      const first = yield* conversation(host, [pay, text("Done.")])
      const paused = yield* first.run()
      yield* first.resume([Interrupt.edit("i1.1.1?0", { amount: 5 })])
      assert.deepStrictEqual(seen.splice(0), ["ran 5"])

      // cut while the approved call ran
      const { events } = yield* first.session()
      const ran = { events: events.slice(0, events.findIndex(({ kind }) => kind === "call")) }
      finding = Reconcile.succeeded(7)
      const after = yield* restarted(host, ran, [text("Fine.")])
      assert.deepStrictEqual(endsOf((yield* after.run("Again.")).session), [good("pay", 7)])
      assert.deepStrictEqual(seen.splice(0), ["found 5"])

      // cut before anybody was asked
      finding = Reconcile.notRun
      const unasked = yield* restarted(host, cut(paused.session.events), [text("Fine."), text("Fine.")])
      assert.deepStrictEqual(idsOf(openOf(yield* unasked.resume([]))), ["i1.1.1?0"])
      assert.deepStrictEqual(seen.splice(0), ["found 3"])
      const rejected = yield* unasked.resume([Interrupt.reject("i1.1.1?0", "no")])
      assert.deepStrictEqual([endsOf(rejected.session), seen], [[bad("pay", "Rejected", "no")], []])
    }).pipe(Effect.provide(live))
  })

  it.effect("shows its result to hooks after the call alone", () => {
    const seen: Array<unknown> = []
    const note = (what: unknown) => Effect.sync(() => void seen.push(what))
    const hooked = Agent.make("agent", {
      instructions: "Pay.",
      toolkit: kit,
      middleware: [
        Middleware.make("notes", {
          hooks: [
            Middleware.beforeTool({}, () => note("before")),
            Middleware.aroundTool({}, (_, next) => Effect.andThen(note("around"), next)),
            Middleware.afterTool({}, ({ result }) => Effect.as(note(result.value), Middleware.result("hidden")))
          ]
        })
      ]
    })
    return Effect.gen(function*() {
      const found = yield* crashed(() => Effect.as(Orders.paid.set(3), Reconcile.succeeded({ at })), hooked)
      assert.deepStrictEqual([found.ends, found.paid], [[good("pay", "hidden")], 3])
      assert.deepStrictEqual(seen, ["before", "around", paid, paid])
    })
  })

  it.effect("waits for earlier calls of its step, and holds up later ones", () => {
    const Add = Tool.make("add", { success: Schema.Int, writes: [Orders.paid] }).annotate(AiTool.Idempotent, true)
    const Once = Tool.make("once", { success: Schema.Int, writes: [Orders.paid] })
    const both = Toolkit.make(Add, Once)
    const host = Agent.make("agent", { instructions: "Pay.", toolkit: both })
    const add = Effect.tap(
      Effect.map(Orders.paid.get, (n) => n + 1),
      (n) => Effect.andThen(Effect.yieldNow, Orders.paid.set(n))
    )
    const live = Toolkit.layer(both, {
      add: () => add,
      once: Reconcile.on(() => Effect.die("ran"), () => Effect.map(add, Reconcile.succeeded))
    })
    const asked = calls({ tool: "add" }, { tool: "once" }, { tool: "add" })
    return Effect.gen(function*() {
      const first = yield* conversation(host, [asked, text("Done.")])
      yield* first.run()
      // the first of them had ended, so that the second may have run
      const { events } = yield* first.session()
      const ended = events.findIndex((event) => event.kind === "call" && event.tool === "add")
      const next = yield* restarted(host, { events: events.slice(0, ended + 1) }, [text("Fine.")])
      const { session } = yield* next.run("Again.")
      assert.deepStrictEqual(endsOf(session), [good("add", 1), good("once", 2), good("add", 3)])
    }).pipe(Effect.provide(live))
  })

  it.effect("finds out about a sub-agent's call, under its own id", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(agent)] })
      const script = { parent: [call("agent", { task: "Pay." }), text("Done.")], agent: [pay, text("Paid.")] }
      const before = world(() => Effect.succeed(Reconcile.unknown))
      const first = yield* conversation(parent, script)
      yield* Effect.provide(first.run(), before.layer)
      const { events } = yield* first.session()
      const after = world(() => Effect.succeed(Reconcile.succeeded({ at })))
      const left = { events: events.slice(0, events.findIndex(({ kind }) => kind === "call")) }
      const next = yield* restarted(parent, left, { parent: [text("All done.")], agent: [text("Paid before.")] })
      const resumed = yield* Effect.provide(next.resume([]), after.layer)
      assert.deepStrictEqual([endsOf(resumed.session), textOf(resumed), after.seen], [
        [good("pay", paid), good("agent", "Paid before.")],
        "All done.",
        ["found 3 i1.1.1/1.1"]
      ])
    }))
})
