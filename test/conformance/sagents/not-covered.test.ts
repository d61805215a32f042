import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Fiber, Latch, Layer, Option, Result, Schema } from "effect"
import { AiError, LanguageModel } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  SessionStore,
  State,
  StateSerializer,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line } from "../../message.ts"
import { callsOf, Env, historyOf, restarted, world } from "./fixtures.ts"

const { call, text } = ScriptedModel

// ===== state that the tools of these tests touch =============================

const Todo = Schema.Struct({ id: Schema.Int, content: Schema.String })
const Board = State.make("board", {
  todos: State.field(Schema.Array(Todo), { initial: [] }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  log: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  focus: State.optional(Schema.String),
  notes: State.record(Schema.String, Schema.String)
})

const SetFocus = Tool.make("set_focus", {
  parameters: Schema.Struct({ on: Schema.String }),
  writes: [Board.focus]
})
const GetFocus = Tool.make("get_focus", { success: Schema.String, reads: [Board.focus] })
const setFocus = ({ on }: { readonly on: string }) => Board.focus.set(on)
const getFocus = () => Effect.map(Board.focus.get, Option.getOrElse(() => "nothing"))

/** A call that a person must approve, and that writes. */
const Publish = Tool.make("publish", {
  parameters: Schema.Struct({ title: Schema.String }),
  success: Schema.String,
  approval: true,
  writes: [Board.focus]
})
const publish = ({ title }: { readonly title: string }) =>
  Effect.gen(function*() {
    const before = yield* getFocus()
    yield* Board.focus.set(title)
    return `${title} after ${before}`
  })

const Kit = Toolkit.make(SetFocus, GetFocus, Publish)
const live = Toolkit.layer(Kit, { set_focus: setFocus, get_focus: getFocus, publish })
const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: Kit })

const run = (input: string, state: ReadonlyArray<State.Assignment> = []) =>
  AgentRunner.run(Assistant, { session: "s-1", input, state })
const approveAll = (paused: AgentRunner.AgentResult) =>
  AgentRunner.resume(Assistant, { session: "s-1", answers: paused.session.open.map(({ id }) => Interrupt.approve(id)) })

const down = ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))

/** Calls of one step, without arguments. */
const together = (...tools: ReadonlyArray<string>) => ScriptedModel.calls(...tools.map((tool) => ({ tool })))

// ===== a section in two versions =============================================

const OldShop = State.make("shop", { city: State.field(Schema.String, { initial: "Bern" }) })
const Shop = State.make("shop", { place: State.field(Schema.String, { initial: "Bern" }) }, {
  history: State.history(1, Schema.Struct({ city: Schema.String })),
  up: ({ city }) => ({ place: city })
})
const OldUser = State.make("profile", { name: State.field(Schema.String, { initial: "", scope: "user" }) })
const Profile = State.make("profile", {
  name: State.field(Schema.Struct({ first: Schema.String }), { initial: { first: "" }, scope: "user" })
}, {
  history: State.history(1, Schema.Struct({ name: Schema.String })),
  up: ({ name }) => ({ name: { first: name } })
})

const Wait = Tool.make("wait", { success: Schema.String, approval: true })
const WaitKit = Toolkit.make(Wait)
const waitLive = Toolkit.layer(WaitKit, { wait: () => Effect.succeed("waited") })
const keeping = (...sections: ReadonlyArray<State.AnySection>) =>
  Agent.make("keeper", {
    instructions: "Keep.",
    toolkit: WaitKit,
    middleware: [Middleware.make("keeps", { sections })]
  })

// ===== a sub-agent with a guarded tool =======================================

const Child = Agent.make("child", { instructions: "Publish.", toolkit: Toolkit.make(Publish) })
const Parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(Child)] })
const publishLive = Toolkit.layer(Toolkit.make(Publish), { publish })
const twoChildren = {
  parent: [
    ScriptedModel.calls({ tool: "child", parameters: { task: "One." } }, {
      tool: "child",
      parameters: { task: "Two." }
    }),
    text("Both done.")
  ],
  child: [
    ({ prompt }: ScriptedModel.Request) =>
      call("publish", { title: JSON.stringify(prompt).includes("One.") ? "one" : "two" }),
    ({ prompt }: ScriptedModel.Request) =>
      call("publish", { title: JSON.stringify(prompt).includes("One.") ? "one" : "two" }),
    text("Published."),
    text("Published.")
  ]
}
const runParent = AgentRunner.run(Parent, { session: "s-1", input: "Go." })
const answerParent = (answers: ReadonlyArray<AgentRunner.Answers<typeof Parent>>) =>
  AgentRunner.resume(Parent, { session: "s-1", answers })

describe("what the peer's tests leave out", () => {
  it.effect("N1 a tool that reads all its state and writes it back changes neither the history nor the state", () =>
    Effect.gen(function*() {
      const Rewrite = Tool.make("rewrite", { success: Schema.Json, writes: [Board.todos, Board.notes] })
      const kit = Toolkit.make(Rewrite)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const { session } = yield* AgentRunner.run(agent, {
        session: "s-1",
        input: "Go.",
        state: [Board.todos.to([{ id: 1, content: "a" }]), Board.notes.to({ key: "value" })]
      }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          rewrite: Effect.fnUntraced(function*() {
            const { state } = yield* ToolContext.merged(Rewrite)
            yield* Board.todos.set(state.board.todos)
            yield* Board.notes.set(state.board.notes)
            return { ...state.board.notes }
          })
        }),
        world([call("rewrite"), text("Done.")])
      ]))
      assert.deepStrictEqual(historyOf(session), [
        "user: Go.",
        "assistant: rewrite()",
        `tool: {"key":"value"}`,
        "assistant: Done."
      ])
      assert.deepStrictEqual(
        [session.state.get(Board.todos), session.state.get(Board.notes)],
        [[{ id: 1, content: "a" }], { key: "value" }]
      )
    }))

  it.effect("N2 a delta on one field keeps the others, after a restart too", () =>
    Effect.gen(function*() {
      const todos = [{ id: 1, content: "a" }]
      const { session } = yield* run("Go.", [Board.todos.to(todos)]).pipe(
        Effect.provide([live, world([call("set_focus", { on: "tests" }), text("Done.")])])
      )
      const loaded = yield* Effect.provide(Session.load(session.ref, [Board]), restarted(session, []))
      for (const { state } of [session, loaded]) {
        assert.deepStrictEqual([state.get(Board.todos), state.get(Board.focus)], [todos, Option.some("tests")])
      }
    }))

  it.effect("N3 two calls that count at the same time lose nothing", () =>
    Effect.gen(function*() {
      const Count = Tool.make("count", { combines: [Board.count] })
      const kit = Toolkit.make(Count)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const both = yield* Latch.make()
      let inside = 0
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          // neither ends before the other has started
          count: Effect.fnUntraced(function*() {
            yield* Board.count.combine(1)
            if (++inside === 2) yield* both.open
            yield* both.await
          })
        }),
        world([together("count", "count"), text("Done.")])
      ]))
      assert.strictEqual(session.state.get(Board.count), 2)
    }))

  it.effect("N4 two calls that append keep the order in which the model asked for them", () =>
    Effect.gen(function*() {
      const Append = Tool.make("append", {
        parameters: Schema.Struct({ line: Schema.String }),
        combines: [Board.log]
      })
      const kit = Toolkit.make(Append)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const { session } = yield* AgentRunner.run(agent, {
        session: "s-1",
        input: "Go.",
        state: [Board.log.to(["zero"])]
      }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          // the first is slower than the second
          append: ({ line }) =>
            (line === "one" ? Effect.repeat(Effect.yieldNow, { times: 20 }) : Effect.void).pipe(
              Effect.andThen(Board.log.combine(line))
            )
        }),
        world([
          ScriptedModel.calls(
            { tool: "append", parameters: { line: "one" } },
            { tool: "append", parameters: { line: "two" } }
          ),
          text("Done.")
        ])
      ]))
      assert.deepStrictEqual(session.state.get(Board.log), ["zero", "one", "two"])
    }))

  it.effect("N5 the model gets results in the order of its calls, whichever ended first", () =>
    Effect.gen(function*() {
      const Slow = Tool.make("slow", { success: Schema.String })
      const Fast = Tool.make("fast", { success: Schema.String })
      const kit = Toolkit.make(Slow, Fast)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const fastIsOver = yield* Latch.make()
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          slow: () => Effect.as(fastIsOver.await, "slow"),
          fast: () => Effect.as(fastIsOver.open, "fast")
        }),
        world([together("slow", "ghost", "fast"), text("Done.")])
      ]))
      const results = session.history.flatMap(({ content }) =>
        typeof content === "string" ? [] : content.flatMap((part) => part.type === "tool-result" ? [part.name] : [])
      )
      assert.deepStrictEqual(results, ["slow", "ghost", "fast"])
      assert.deepStrictEqual(callsOf(session).map(({ tool }) => tool), ["ghost", "fast", "slow"])
    }))

  it.effect("N6 a delta is applied once: a later run does not bring back what it replaced", () =>
    Effect.gen(function*() {
      const newer = Middleware.make("newer", {
        hooks: [
          Middleware.beforeRun(
            { writes: [Board.focus] },
            ({ invocation }) => invocation === "i2" ? Board.focus.set("newer") : Effect.void
          )
        ]
      })
      const agent = Agent.make("assistant", { instructions: "", toolkit: Kit, middleware: [newer] })
      const first = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([live, world([call("set_focus", { on: "older" }), text("Done.")])])
      )
      assert.deepStrictEqual(first.session.state.get(Board.focus), Option.some("older"))
      const second = yield* AgentRunner.run(agent, { session: "s-1", input: "Again." }).pipe(
        Effect.provide([live, restarted(first.session, [call("get_focus"), text("Done.")])])
      )
      assert.deepStrictEqual(callsOf(second.session).at(-1), { tool: "get_focus", failed: false, value: "newer" })
      assert.deepStrictEqual(second.session.state.get(Board.focus), Option.some("newer"))
    }))

  it.effect("N7 a tool takes a value away, and an entry too", () =>
    Effect.gen(function*() {
      const Forget = Tool.make("forget", { writes: [Board.focus, Board.notes] })
      const kit = Toolkit.make(Forget)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const { session } = yield* AgentRunner.run(agent, {
        session: "s-1",
        input: "Go.",
        state: [Board.focus.to("tests"), Board.notes.to({ a: "1", b: "2" })]
      }).pipe(Effect.provide([
        Toolkit.layer(kit, { forget: () => Effect.andThen(Board.focus.unset, Board.notes.remove("a")) }),
        world([call("forget"), text("Done.")])
      ]))
      assert.deepStrictEqual(
        [session.state.get(Board.focus), session.state.get(Board.notes)],
        [Option.none(), { b: "2" }]
      )
      const loaded = yield* Effect.provide(Session.load(session.ref, [Board]), restarted(session, []))
      assert.deepStrictEqual(loaded.state.get(Board.focus), Option.none())
    }))

  it.effect("N8 what a call beside a paused one wrote is kept, and is there for the call after its answer", () =>
    Effect.gen(function*() {
      const paused = yield* run("Go.")
      assert.strictEqual(paused._tag, "Paused")
      assert.deepStrictEqual(paused.session.state.get(Board.focus), Option.some("tests"))
      const result = yield* approveAll(paused)
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "set_focus", failed: false, value: null },
        { tool: "publish", failed: false, value: "news after tests" }
      ])
    }).pipe(Effect.provide([
      live,
      world([
        ScriptedModel.calls(
          { tool: "set_focus", parameters: { on: "tests" } },
          { tool: "publish", parameters: { title: "news" } }
        ),
        text("Done.")
      ])
    ])))

  it.effect("N9 what an approved call wrote is there for the next call of the resumed run", () =>
    Effect.gen(function*() {
      const result = yield* approveAll(yield* run("Go."))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "publish", failed: false, value: "news after nothing" },
        { tool: "get_focus", failed: false, value: "news" }
      ])
    }).pipe(Effect.provide([live, world([call("publish", { title: "news" }), call("get_focus"), text("Done.")])])))

  it.effect("N10 what a call wrote is kept when the model fails after it, and the session goes on", () =>
    Effect.gen(function*() {
      const failed = yield* Effect.flip(run("Go."))
      assert.strictEqual(failed.reason._tag, "ModelFailed")
      const stored = yield* Session.load({ app: "assistant", session: "s-1" }, [Board])
      assert.deepStrictEqual(stored.state.get(Board.focus), Option.some("tests"))
      const next = yield* run("Again.")
      assert.deepStrictEqual(callsOf(next.session).at(-1), { tool: "get_focus", failed: false, value: "tests" })
    }).pipe(Effect.provide([
      live,
      world([call("set_focus", { on: "tests" }), down, call("get_focus"), text("Done.")])
    ])))

  it.effect("N12 a model that is tried again does not run the tools of the step before again", () =>
    Effect.gen(function*() {
      const ran: Array<string> = []
      const counted = Toolkit.layer(Kit, {
        set_focus: ({ on }) => Effect.andThen(Effect.sync(() => ran.push(on)), setFocus({ on })),
        get_focus: getFocus,
        publish
      })
      const retried = Layer.effect(
        LanguageModel.LanguageModel,
        Effect.map(LanguageModel.LanguageModel, (model): LanguageModel.LanguageModel => ({
          ...model,
          generateText: ((options: Parameters<typeof model.generateText>[0]) =>
            Effect.retry(model.generateText(options), { times: 1 })) as typeof model.generateText
        }))
      )
      const result = yield* run("Go.").pipe(Effect.provide([
        counted,
        Layer.provideMerge(retried, world([call("set_focus", { on: "tests" }), down, text("Done.")]))
      ]))
      assert.strictEqual(result._tag === "Completed" && result.text, "Done.")
      assert.deepStrictEqual(ran, ["tests"])
      assert.lengthOf(callsOf(result.session), 1)
    }))

  it.effect("N14 a hook before a model call asks a person, and the call is made with the answer", () => {
    const Allow = Interrupt.make("allow", { question: Schema.String, answer: Schema.Boolean })
    const asking = Middleware.make("asking", {
      hooks: [
        Middleware.beforeModel(
          { asks: [Allow] },
          ({ step }) =>
            Effect.map(Allow.ask(`Step ${step}?`), (allowed) => allowed ? undefined : Middleware.answer("Then not."))
        )
      ]
    })
    const Careful = Agent.make("careful", { instructions: "", middleware: [asking] })
    const where = { session: "s-1" } as const
    return Effect.gen(function*() {
      const paused = yield* AgentRunner.run(Careful, { ...where, input: "Go." })
      assert.deepStrictEqual(paused._tag === "Paused" && Allow.among(paused.open).map(({ question }) => question), [
        "Step 1?"
      ])
      const answers = [Allow.answer(paused._tag === "Paused" ? paused.open[0]?.id ?? "" : "", true)]
      const first = yield* AgentRunner.resume(Careful, { ...where, answers })
      assert.strictEqual(first._tag === "Completed" && first.text, "Done.")
    }).pipe(Effect.provide(world([text("Done.")])))
  })

  it.effect("N11 a message that comes during a run is taken between two steps", () =>
    Effect.gen(function*() {
      const where = { app: "assistant", session: "s-1" } as const
      const SetFocusLive = Toolkit.layer(Toolkit.make(SetFocus), {
        set_focus: () => Effect.void
      })
      const requests: Array<ScriptedModel.Request> = []
      const Focused = Agent.make("assistant", { instructions: "", toolkit: Toolkit.make(SetFocus) })
      const posting = AgentRunner.post(Focused, { ...where, key: "m-1", input: "And quickly." })
      yield* Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const first = (request: ScriptedModel.Request) => {
          requests.push(request)
          return Effect.as(
            Effect.orDie(Effect.provideService(posting, SessionStore.SessionStore, store)),
            call("set_focus", { on: "tests" })
          )
        }
        const second = (request: ScriptedModel.Request) => {
          requests.push(request)
          return text("Done.")
        }
        yield* AgentRunner.run(Focused, { ...where, input: "Go." }).pipe(
          Effect.provide([SetFocusLive, ScriptedModel.layer([first, second])])
        )
      }).pipe(Effect.provide(SessionStore.layerMemory))
      assert.deepStrictEqual(requests.at(-1)?.prompt.content.map(({ role }) => role), [
        "user",
        "assistant",
        "tool",
        "user"
      ])
    }))

  it.effect("N34 a message that waits is taken by whichever run starts next", () =>
    Effect.gen(function*() {
      const Plain = Agent.make("plain", { instructions: "" })
      const where = { session: "s-1" } as const
      yield* AgentRunner.post(Plain, { ...where, key: "m-1", input: "First." })
      const { session } = yield* AgentRunner.run(Plain, { ...where, input: "Second." })
      assert.deepStrictEqual(session.history.map(line), ["user: First.", "user: Second.", "assistant: Done."])
    }).pipe(Effect.provide(world([text("Done.")]))))

  it.effect("N13 a limit of steps is the number of model calls: the calls of the last one still run", () =>
    Effect.gen(function*() {
      const script = [call("set_focus", { on: "tests" }), text("Done.")]
      const within = (steps: number) =>
        AgentRunner.run(Assistant, { session: "s-1", input: "Go.", limits: { steps } }).pipe(
          Effect.matchEffect({
            onSuccess: (result) => Effect.succeed({ ended: result._tag, steps: result.usage.steps }),
            onFailure: ({ reason, message }) =>
              Effect.map(Session.load({ app: "assistant", session: "s-1" }, [Board]), ({ state }) => ({
                ended: reason._tag,
                message,
                focus: state.get(Board.focus)
              }))
          }),
          Effect.provide([live, world(script)])
        )
      assert.deepStrictEqual([yield* within(1), yield* within(2), yield* within(3)], [
        {
          ended: "LimitReached",
          message: "'assistant' reached its limit of 1 for steps",
          focus: Option.some("tests")
        },
        { ended: "Completed", steps: 2 },
        { ended: "Completed", steps: 2 }
      ])
    }))

  it.effect("N15 booleans, dates, decimals, maps and nested records come back exactly, from state and from arguments", () =>
    Effect.gen(function*() {
      const Order = Schema.Struct({
        paid: Schema.Boolean,
        at: Schema.Date,
        amount: Schema.BigDecimal,
        lines: Schema.ReadonlyMap(Schema.String, Schema.Struct({ quantity: Schema.Int }))
      })
      const Orders = State.make("orders", { last: State.optional(Order) })
      const Place = Tool.make("place", { parameters: Order, success: Order, writes: [Orders.last] })
      const kit = Toolkit.make(Place)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const order: typeof Order.Type = {
        paid: true,
        at: new Date("2026-11-30T13:26:48.416Z"),
        amount: BigDecimal.fromStringUnsafe("0.10"),
        lines: new Map([["a", { quantity: 2 }]])
      }
      const encoded = yield* Schema.encodeEffect(Schema.toCodecJson(Order))(order)
      const received: Array<typeof Order.Type> = []
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          place: (given) => {
            received.push(given)
            return Effect.as(Orders.last.set(given), given)
          }
        }),
        world([call("place", encoded), text("Done.")])
      ]))
      const orders = StateSerializer.make([Orders])
      const restored = yield* orders.deserialize(JSON.parse(JSON.stringify(yield* orders.serialize(session.state))))
      const loaded = yield* Effect.provide(Session.load(session.ref, [Orders]), restarted(session, []))
      for (const state of [session.state, restored, loaded.state]) {
        const last = Option.getOrThrow(state.get(Orders.last))
        assert.strictEqual(last.paid, true)
        assert.strictEqual(last.at.toISOString(), "2026-11-30T13:26:48.416Z")
        assert.isTrue(BigDecimal.equals(last.amount, order.amount))
        assert.deepStrictEqual([...last.lines], [["a", { quantity: 2 }]])
      }
      assert.deepStrictEqual(received.map(({ at, lines }) => [at.toISOString(), [...lines]]), [
        ["2026-11-30T13:26:48.416Z", [["a", { quantity: 2 }]]]
      ])
    }))

  it.effect("N16 a key is a text that fits its schema: a number does not compile, a wrong text fails with its path", () =>
    Effect.gen(function*() {
      const Stock = State.make("stock", {
        items: State.record(Schema.String.check(Schema.isPattern(/^[a-z]+$/)), Schema.Int)
      })
      const Store = Tool.make("store", { parameters: Schema.Struct({ key: Schema.String }), writes: [Stock.items] })
      const kit = Toolkit.make(Store)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      // @ts-expect-error a key is a text
      assert.isFunction(() => Stock.items.put(1, 1))
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(kit, { store: ({ key }) => Stock.items.put(key, 1) }),
        world([call("store", { key: "pears" }), call("store", { key: "no 1" }), text("Done.")])
      ]))
      assert.deepStrictEqual(callsOf(session), [
        { tool: "store", failed: false, value: null },
        {
          tool: "store",
          failed: true,
          value: {
            _tag: "InvalidStateWrite",
            message: "the value written to 'stock.items.no 1' does not fit: the key does not fit its schema"
          }
        }
      ])
      assert.deepStrictEqual(session.state.get(Stock.items), { pears: 1 })
    }))

  it.effect("N17 what an earlier version wrote is migrated on every way in: document, load, run, resume, user rows", () =>
    Effect.gen(function*() {
      const old = keeping(OldShop)
      const document = {
        format: "tenon/state",
        version: 1,
        time: 0,
        sections: { shop: { version: 1, data: { city: "Rome" } } }
      }
      const places: Array<string> = [(yield* StateSerializer.make([Shop]).deserialize(document)).get(Shop.place)]
      const first = yield* AgentRunner.run(old, { session: "s-1", input: "Go.", state: [OldShop.city.to("Rome")] })
        .pipe(
          Effect.provide([waitLive, world([call("wait")])])
        )
      const ref = first.session.ref
      places.push(
        (yield* Effect.provide(Session.load(ref, [Shop]), restarted(first.session, []))).state.get(Shop.place)
      )
      const resumed = yield* AgentRunner.resume(keeping(Shop), {
        session: "s-1",
        answers: first.session.open.map(({ id }) => Interrupt.approve(id))
      }).pipe(Effect.provide([waitLive, restarted(first.session, [text("Done.")])]))
      places.push(resumed.session.state.get(Shop.place))
      const ended = yield* AgentRunner.resume(old, {
        session: "s-1",
        answers: first.session.open.map(({ id }) => Interrupt.approve(id))
      }).pipe(Effect.provide([waitLive, restarted(first.session, [text("Done.")])]))
      const next = yield* AgentRunner.run(keeping(Shop), { session: "s-1", input: "Again." }).pipe(
        Effect.provide([waitLive, restarted(ended.session, [text("Hi.")])])
      )
      places.push(next.session.state.get(Shop.place))
      assert.deepStrictEqual(places, ["Rome", "Rome", "Rome", "Rome"])

      const users = yield* Effect.gen(function*() {
        const options = { app: "shop", user: "u-1", input: "Go." }
        yield* AgentRunner.run(keeping(OldUser), { ...options, session: "a", state: [OldUser.name.to("Ann")] })
        return yield* AgentRunner.run(keeping(Profile), { ...options, session: "b" })
      }).pipe(Effect.provide([waitLive, world([text("Hi."), text("Hi.")])]))
      assert.deepStrictEqual(users.session.state.get(Profile.name), { first: "Ann" })
    }))

  it.effect("N18 a section of a later version is refused by name and version, and stays as it is stored", () =>
    Effect.gen(function*() {
      const document = { format: "tenon/state", version: 1, time: 0, sections: { shop: { version: 99, data: {} } } }
      const refused = yield* Effect.flip(StateSerializer.make([Shop]).deserialize(document))
      assert.deepStrictEqual([refused._tag, refused.section, refused.version], ["StateError", "shop", 99])

      const { session } = yield* AgentRunner.run(keeping(Shop), { session: "s-1", input: "Go." }).pipe(
        Effect.provide([waitLive, world([text("Hi.")])])
      )
      const later = session.events.map((event) =>
        event.kind === "created" ? { ...event, sections: { shop: { version: 99, fields: { place: "Mars" } } } } : event
      )
      yield* Effect.gen(function*() {
        const error = yield* Effect.flip(AgentRunner.run(keeping(Shop), { session: "s-1", input: "Again." }))
        assert.deepStrictEqual([error._tag, error.message], [
          "AgentError",
          "the state at 'shop' (version 99): it was stored by a newer program, this one knows version 2"
        ])
        const store = yield* SessionStore.SessionStore
        assert.deepStrictEqual(Option.getOrThrow(yield* store.load(session.ref)), later)
      }).pipe(Effect.provide([waitLive, restarted({ ...session, events: later }, [])]))
    }))

  it.effect("N19 a value, a role or a content that does not fit is refused with its place", () =>
    Effect.gen(function*() {
      const document = (todos: unknown) => ({
        format: "tenon/state",
        version: 1,
        time: 0,
        sections: { board: { version: 1, data: { todos } } }
      })
      const error = yield* Effect.flip(
        StateSerializer.make([Board]).deserialize(document([{ id: 1, content: "a" }, { id: 2, content: 7 }]))
      )
      assert.deepStrictEqual([error._tag, error.section, error.version, error.path], [
        "StateError",
        "board",
        1,
        ["todos", "1", "content"]
      ])

      const { session } = yield* run("Go.").pipe(Effect.provide([live, world([text("Hi.")])]))
      const written = JSON.stringify(Session.encode(session.events))
      for (const [right, wrong] of [[`"role":"user"`, `"role":"boss"`], [`"content":"Go."`, `"content":7`]] as const) {
        assert.include(written, right)
        const problem = Result.getOrThrow(Result.flip(Session.decode(JSON.parse(written.replace(right, wrong)))))
        assert.deepStrictEqual([problem._tag, problem.section, problem.path.slice(0, 2)], [
          "StateError",
          "session",
          ["events", "1"]
        ])
      }
    }))

  it.effect("N20 ids that must be unique are, as the schema says: on a write and on a restore", () =>
    Effect.gen(function*() {
      const unique = Schema.makeFilter((todos: ReadonlyArray<typeof Todo.Type>) =>
        new Set(todos.map(({ id }) => id)).size === todos.length || "two todos have one id"
      )
      const Unique = State.make("unique", {
        todos: State.field(Schema.Array(Todo).check(unique), { initial: [] })
      })
      const Add = Tool.make("add", { writes: [Unique.todos] })
      const kit = Toolkit.make(Add)
      const agent = Agent.make("assistant", { instructions: "", toolkit: kit })
      const two = [{ id: 2, content: "a" }, { id: 2, content: "b" }]
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(kit, { add: () => Unique.todos.set(two) }),
        world([call("add"), text("Done.")])
      ]))
      assert.deepStrictEqual(callsOf(session), [{
        tool: "add",
        failed: true,
        value: {
          _tag: "InvalidStateWrite",
          message: "the value written to 'unique.todos' does not fit: two todos have one id"
        }
      }])
      const document = {
        format: "tenon/state",
        version: 1,
        time: 0,
        sections: { unique: { version: 1, data: { todos: two } } }
      }
      const error = yield* Effect.flip(StateSerializer.make([Unique]).deserialize(document))
      assert.deepStrictEqual([error.section, error.path, error.problem], ["unique", ["todos"], "two todos have one id"])
    }))

  it.effect("N21 a call that waits for approval waits across a restart, and runs with the answer", () =>
    Effect.gen(function*() {
      const paused = yield* run("Go.").pipe(Effect.provide([live, world([call("publish", { title: "news" })])]))
      const restart = restarted(paused.session, [text("Published.")])
      const result = yield* Effect.gen(function*() {
        const loaded = yield* Session.load(paused.session.ref, [Board])
        assert.deepStrictEqual(loaded.open, paused.session.open)
        return yield* approveAll({ ...paused, session: loaded })
      }).pipe(Effect.provide([live, restart]))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "publish", failed: false, value: "news after nothing" }
      ])
    }))

  it.effect("N22 two sub-agents that wait are answered together, or one at a time", () =>
    Effect.gen(function*() {
      const ended = [
        "child: Published.",
        "child: Published.",
        "publish: one after nothing",
        "publish: two after nothing"
      ]
      const sorted = (session: Session.Session) =>
        callsOf(session).map(({ tool, value }) => `${tool}: ${String(value)}`).sort()
      const atOnce = yield* Effect.gen(function*() {
        const paused = yield* runParent
        assert.deepStrictEqual(paused.session.open.map(({ id }) => id).sort(), ["i1.1.1/1.1?0", "i1.1.2/1.1?0"])
        return yield* answerParent(paused.session.open.map(({ id }) => Interrupt.approve(id)))
      }).pipe(Effect.provide([publishLive, world(twoChildren)]))
      assert.deepStrictEqual(sorted(atOnce.session), ended)

      const oneByOne = yield* Effect.gen(function*() {
        yield* runParent
        const still = yield* answerParent([Interrupt.approve("i1.1.2/1.1?0")])
        assert.deepStrictEqual(still.session.open.map(({ id }) => id), ["i1.1.1/1.1?0"])
        assert.deepStrictEqual(callsOf(still.session).map(({ tool, value }) => [tool, value]), [
          ["publish", "two after nothing"],
          ["child", "Published."]
        ])
        return yield* answerParent([Interrupt.approve("i1.1.1/1.1?0")])
      }).pipe(Effect.provide([publishLive, world(twoChildren)]))
      assert.deepStrictEqual(sorted(oneByOne.session), ended)
      assert.strictEqual(oneByOne._tag === "Completed" && oneByOne.text, "Both done.")
    }))

  it.effect("N23 a sub-agent ends with the result of a call that a person approved", () =>
    Effect.gen(function*() {
      const Submit = Tool.make("submit", { success: Schema.String, approval: true })
      const kit = Toolkit.make(Submit)
      const child = Agent.make("child", { instructions: "Submit.", toolkit: kit })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const result = yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(parent, { session: "s-1", input: "Go." })
        return yield* AgentRunner.resume(parent, {
          session: "s-1",
          answers: paused.session.open.map(({ id }) => Interrupt.approve(id))
        })
      }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          submit: () =>
            Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.skipSummarization, "the report"))
        }),
        world({ parent: [call("child", { task: "Go." }), text("Done.")], child: [call("submit")] })
      ]))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "submit", failed: false, value: "the report" },
        { tool: "child", failed: false, value: "the report" }
      ])
    }))

  it.effect("N24 a call that a person approved in a sub-agent can end its parent's run", () =>
    Effect.gen(function*() {
      const Halt = Tool.make("halt", { success: Schema.String, approval: true })
      const kit = Toolkit.make(Halt)
      const child = Agent.make("child", { instructions: "Work.", toolkit: kit })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const result = yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(parent, { session: "s-1", input: "Go." })
        return yield* AgentRunner.resume(parent, {
          session: "s-1",
          answers: paused.session.open.map(({ id }) => Interrupt.approve(id))
        })
      }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          halt: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.escalate, "halted"))
        }),
        world({ parent: [call("child", { task: "Go." })], child: [call("halt")] })
      ]))
      assert.strictEqual(result._tag === "Completed" && result.text, "halted")
    }))

  it.effect("N25 a sub-agent's own limit is honoured: its call is an error result, and the parent goes on", () =>
    Effect.gen(function*() {
      const child = Agent.make("child", {
        instructions: "Focus.",
        toolkit: Toolkit.make(SetFocus),
        limits: { steps: 1 }
      })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const result = yield* AgentRunner.run(parent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(Toolkit.make(SetFocus), { set_focus: setFocus }),
        world({
          parent: [call("child", { task: "Go." }), text("It gave up.")],
          child: [call("set_focus", { on: "tests" }), text("never said")]
        })
      ]))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "set_focus", failed: false, value: null },
        {
          tool: "child",
          failed: true,
          value: { _tag: "LimitReached", message: "'parent-sub-1' reached its limit of 1 for steps" }
        }
      ])
      assert.strictEqual(result._tag === "Completed" && result.text, "It gave up.")
      assert.strictEqual(result.usage.steps, 3)
    }))

  it.effect("N26 the hooks of a sub-agent's middleware run, around its model calls and its tool calls", () =>
    Effect.gen(function*() {
      const hooks: Array<string> = []
      const watching = Middleware.make("watching", {
        hooks: [
          Middleware.beforeModel({}, ({ agent, step }) => Effect.sync(() => void hooks.push(`model ${agent} ${step}`))),
          Middleware.beforeTool({}, ({ tool }) => Effect.sync(() => void hooks.push(`before ${tool}`))),
          Middleware.afterTool(
            { combines: [Board.count] },
            ({ tool }) => Effect.andThen(Board.count.combine(1), Effect.sync(() => void hooks.push(`after ${tool}`)))
          )
        ]
      })
      const child = Agent.make("child", {
        instructions: "Focus.",
        toolkit: Toolkit.make(SetFocus),
        middleware: [watching]
      })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(child, { returns: [Board.count] })]
      })
      const { session } = yield* AgentRunner.run(parent, { session: "s-1", input: "Go." }).pipe(Effect.provide([
        Toolkit.layer(Toolkit.make(SetFocus), { set_focus: setFocus }),
        world({
          parent: [call("child", { task: "Go." }), text("Done.")],
          child: [call("set_focus", { on: "tests" }), text("Done.")]
        })
      ]))
      assert.deepStrictEqual(hooks, [
        "model parent-sub-1 1",
        "before set_focus",
        "after set_focus",
        "model parent-sub-1 2"
      ])
      assert.strictEqual(session.state.get(Board.count), 1)
    }))

  it.effect("N27 of what a sub-agent writes, the parent gets the fields that it names, and no other", () =>
    Effect.gen(function*() {
      const Work = Tool.make("work", { success: Schema.String, writes: [Board.focus], combines: [Board.count] })
      const kit = Toolkit.make(Work)
      const child = Agent.make("child", { instructions: "Work.", toolkit: kit })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        toolkit: Toolkit.make(GetFocus),
        subAgents: [SubAgent.make(child, { returns: [Board.count] })]
      })
      const { session } = yield* AgentRunner.run(parent, {
        session: "s-1",
        input: "Go.",
        state: [Board.focus.to("of the parent"), Board.count.to(40)]
      }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          work: Effect.fnUntraced(function*() {
            const before = yield* getFocus()
            yield* Board.focus.set("of the child")
            yield* Board.count.combine(2)
            return before
          })
        }),
        Toolkit.layer(Toolkit.make(GetFocus), { get_focus: getFocus }),
        world({
          parent: [call("child", { task: "Go." }), call("get_focus"), text("Done.")],
          child: [call("work"), call("work"), text("Worked.")]
        })
      ]))
      assert.deepStrictEqual(callsOf(session), [
        { tool: "work", failed: false, value: "of the parent" },
        { tool: "work", failed: false, value: "of the child" },
        { tool: "child", failed: false, value: "Worked." },
        { tool: "get_focus", failed: false, value: "of the parent" }
      ])
      assert.strictEqual(session.state.get(Board.count), 44)
    }))

  it.effect("N28 a wrong answer is refused at once and changes nothing, and the right one still counts", () =>
    Effect.gen(function*() {
      const paused = yield* run("Go.")
      const [open] = paused.session.open
      const id = open?.id ?? ""
      const answer = (...answers: ReadonlyArray<AgentRunner.Answers<typeof Assistant>>) =>
        AgentRunner.resume(Assistant, { session: "s-1", answers })
      const refusals = [
        yield* Effect.flip(answer(Interrupt.approve("i1.1.9?0"))),
        yield* Effect.flip(answer(Interrupt.fromJson(id, { decision: "maybe" }))),
        yield* Effect.flip(answer(Interrupt.fromJson(id, { decision: "edit" }))),
        yield* Effect.flip(answer(Interrupt.approve(id), Interrupt.approve(id)))
      ]
      assert.deepStrictEqual(refusals.map(({ reason }) => reason._tag === "AnswerRefused" && reason.id), [
        "i1.1.9?0",
        id,
        id,
        id
      ])
      const stored = yield* Session.load(paused.session.ref, [Board])
      assert.deepStrictEqual(stored.events, paused.session.events)
      assert.deepStrictEqual(stored.open, paused.session.open)
      const result = yield* answer(Interrupt.edit(id, { title: "better news" }))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "publish", failed: false, value: "better news after nothing" }
      ])
    }).pipe(Effect.provide([live, world([call("publish", { title: "news" }), text("Done.")])])))

  it.effect("N30 the hooks of a tool call run when a person has approved it, and not before", () =>
    Effect.gen(function*() {
      const hooks: Array<string> = []
      const agent = Agent.make("assistant", {
        instructions: "",
        toolkit: Toolkit.make(Publish),
        middleware: [Middleware.make("watching", {
          hooks: [
            Middleware.beforeTool({}, ({ tool }) => Effect.sync(() => void hooks.push(`before ${tool}`))),
            Middleware.afterTool(
              {},
              ({ result }) => Effect.sync(() => void hooks.push(`after ${String(result.value)}`))
            )
          ]
        })]
      })
      yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(agent, { session: "s-1", input: "Go." })
        assert.deepStrictEqual(hooks, [])
        yield* AgentRunner.resume(agent, {
          session: "s-1",
          answers: paused.session.open.map(({ id }) => Interrupt.approve(id))
        })
      }).pipe(Effect.provide([publishLive, world([call("publish", { title: "news" }), text("Done.")])]))
      assert.deepStrictEqual(hooks, ["before publish", "after news after nothing"])
    }))

  it.effect("N31 an unknown option of a constructor does not compile", () =>
    Effect.sync(() => {
      const made = [
        // @ts-expect-error unknown option
        Agent.make("a", { instructions: "", maxRuns: 3 }),
        // @ts-expect-error unknown option
        Tool.make("b", { sucess: Schema.String }),
        // @ts-expect-error unknown option
        SubAgent.make(Child, { return: [] }),
        // @ts-expect-error unknown option
        Middleware.make("c", { hook: [] })
      ]
      const fields = [
        // @ts-expect-error unknown option
        State.field(Schema.Int, { initial: 0, scoped: "user" }),
        // @ts-expect-error unknown option
        State.make("d", {}, { childs: "fresh" })
      ]
      assert.deepStrictEqual(made.map(({ name }) => name), ["a", "b", "child", "c"])
      assert.lengthOf(fields, 2)
    }))

  it.effect("N32 two tools, two middleware or two sections of one name are refused where they meet", () =>
    Effect.sync(() => {
      const twin = Tool.make("get_focus", { success: Schema.Int })
      assert.throws(() => Toolkit.make(GetFocus, GetFocus), TypeError, "'get_focus' names two tools: rename one")
      assert.throws(
        // @ts-expect-error two tools of one name
        () => Agent.make("a", { instructions: "", toolkit: Toolkit.make(GetFocus, twin) }),
        TypeError,
        "'get_focus' names two tools: rename one"
      )
      assert.throws(
        () => Agent.make("a", { instructions: "", middleware: [Middleware.make("m", {}), Middleware.make("m", {})] }),
        TypeError,
        "'m' names two middleware: rename one"
      )
      assert.throws(
        () => keeping(Shop, OldShop),
        TypeError,
        "'shop' names two sections: rename one"
      )
    }))

  it.effect("N33 a resumed run pauses again where a person is asked again", () =>
    Effect.gen(function*() {
      const first = yield* run("Go.")
      const second = yield* approveAll(first)
      assert.deepStrictEqual([first, second].map(({ session }) => session.open.map(({ id, tool }) => [id, tool])), [
        [["i1.1.1?0", "publish"]],
        [["i1.2.1?0", "publish"]]
      ])
      const third = yield* approveAll(second)
      assert.deepStrictEqual(third.session.events.flatMap((event) => event.kind === "ended" ? [event.status] : []), [
        "paused",
        "paused",
        "completed"
      ])
      assert.deepStrictEqual(callsOf(third.session).map(({ value }) => value), [
        "news after nothing",
        "more after news"
      ])
    }).pipe(Effect.provide([
      live,
      world([call("publish", { title: "news" }), call("publish", { title: "more" }), text("Done.")])
    ])))

  it.effect("N35 nobody else writes a session while a run of it is in flight", () =>
    Effect.gen(function*() {
      const started = yield* Latch.make()
      const goOn = yield* Latch.make()
      const slow = Toolkit.layer(Kit, {
        set_focus: ({ on }) => started.open.pipe(Effect.andThen(goOn.await), Effect.andThen(setFocus({ on }))),
        get_focus: getFocus,
        publish
      })
      const first = yield* Effect.forkChild(Effect.provide(run("Go."), slow), { startImmediately: true })
      yield* started.await
      const refused = yield* Effect.flip(Effect.provide(run("Me too."), live))
      assert.deepStrictEqual([refused.reason._tag, refused.isRetryable], ["SessionBusy", true])
      yield* goOn.open
      const result = yield* Fiber.join(first)
      assert.deepStrictEqual(result.session.state.get(Board.focus), Option.some("tests"))
      assert.deepStrictEqual(historyOf(result.session), [
        "user: Go.",
        "assistant: set_focus()",
        "tool: null",
        "assistant: Done."
      ])
    }).pipe(Effect.provide(world([call("set_focus", { on: "tests" }), text("Done.")]))))

  it.effect("N36 a sub-agent of a sub-agent works: context and state at every level, down to a limit of depth", () =>
    Effect.gen(function*() {
      const Show = Tool.make("show", {
        success: Schema.String,
        context: [Env.tenant],
        reads: [Board.focus],
        combines: [Board.count]
      })
      const kit = Toolkit.make(Show)
      const showLive = Toolkit.layer(kit, {
        show: Effect.fnUntraced(function*() {
          const { agent, agentPath } = yield* ToolCall.ToolCall
          yield* Board.count.combine(1)
          return `${agent} (${agentPath.join(" › ")}): ${yield* Env.tenant}, ${yield* getFocus()}`
        })
      })
      const grandchild = Agent.make("grandchild", { instructions: "", toolkit: kit })
      const child = Agent.make("child", {
        instructions: "",
        toolkit: kit,
        subAgents: [SubAgent.make(grandchild, { returns: [Board.count] })]
      })
      const root = Agent.make("root", {
        instructions: "",
        toolkit: kit,
        subAgents: [SubAgent.make(child, { returns: [Board.count] })]
      })
      const script = {
        root: [call("show"), call("child", { task: "Down." }), text("Done.")],
        child: [call("show"), call("grandchild", { task: "Further." }), text("Done below.")],
        grandchild: [call("show"), text("Done at the bottom.")]
      }
      const within = (maxDepth: number) =>
        AgentRunner.run(root, { session: "s-1", input: "Go.", maxDepth, state: [Board.focus.to("tests")] }).pipe(
          Effect.provide([showLive, ToolContext.layer(root, { tenant: "acme" }), world(script)])
        )
      const deep = yield* within(2)
      assert.deepStrictEqual(callsOf(deep.session).map(({ tool, value }) => [tool, value]), [
        ["show", "root (root): acme, tests"],
        ["show", "root-sub-2 (root › child): acme, tests"],
        ["show", "root-sub-2-sub-2 (root › child › grandchild): acme, tests"],
        ["grandchild", "Done at the bottom."],
        ["child", "Done below."]
      ])
      assert.strictEqual(deep.session.state.get(Board.count), 3)
      const shallow = yield* within(1)
      assert.deepStrictEqual(callsOf(shallow.session).slice(2), [
        {
          tool: "grandchild",
          failed: true,
          value: { _tag: "DepthReached", message: "sub-agents may be nested 1 deep" }
        },
        { tool: "child", failed: false, value: "Done below." }
      ])
      assert.strictEqual(shallow.session.state.get(Board.count), 2)
    }))
})
