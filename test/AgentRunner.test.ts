/**
 * What a run does with logs of other programs, and with what its types rule out. How calls, limits, questions, hooks,
 * sub-agents and streams behave stands in `test/runner/`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Option, Result, Schema, Stream } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Reducer,
  Session,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

const { call, calls, text } = ScriptedModel
const options = { app: "app", user: "u", session: "s" } as const
const go = { ...options, input: "Go" }
const done = text("Done.")

const resultsOf = ({ events }: { readonly events: Session.Session["events"] }) =>
  events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])

const tagOf = (value: unknown): unknown => (value as { readonly _tag?: string })._tag

/** What the types would refuse. */
const forced = (value: unknown): never => value as never

/** The lines that were logged meanwhile. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
    })
    return Effect.as(Effect.provide(effect, Logger.layer([logger])), lines)
  })

describe("AgentRunner.run › a program of a later version", () => {
  const V1 = Schema.Struct({ count: Schema.Int, tags: Schema.Array(Schema.String) })
  const One = State.make("doc", {
    count: State.field(Schema.Int, { initial: 1, reducer: Reducer.sum }),
    tags: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
  })
  const Two = State.make("doc", {
    total: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
    tags: State.record(Schema.String, Schema.Int),
    note: State.optional(Schema.String)
  }, {
    history: State.history(1, V1),
    up: ({ count, tags }) => ({
      total: count * 100,
      tags: Object.fromEntries(tags.map((tag, index) => [tag, index])),
      note: Option.none()
    })
  })
  const Old = Tool.make("old", { combines: [One.count, One.tags] })
  const New = Tool.make("new", { writes: [Two.total, Two.tags] })
  const first = Agent.make("agent", { instructions: "", toolkit: Toolkit.make(Old) })
  const second = Agent.make("agent", { instructions: "", toolkit: Toolkit.make(New) })
  const layers = Layer.mergeAll(
    Toolkit.layer(Toolkit.make(Old), { old: () => Effect.andThen(One.count.combine(1), One.tags.combine("a")) }),
    Toolkit.layer(Toolkit.make(New), { new: () => Effect.andThen(Two.total.combine(5), Two.tags.put("b", 7)) }),
    SessionStore.layerMemory
  )
  const run = (agent: typeof first | typeof second, tool: string) =>
    Effect.provide(
      AgentRunner.run(agent as typeof second, go),
      ScriptedModel.layer([call(tool), done])
    ) as Effect.Effect<
      AgentRunner.AgentResult,
      { readonly reason: { readonly _tag: string } },
      SessionStore.SessionStore
    >

  it.effect("goes on with the state brought up, and the stored log folds to the same", () =>
    Effect.gen(function*() {
      yield* run(first, "old")
      const { session } = yield* run(second, "new")
      const live = [session.state.get(Two.total), session.state.get(Two.tags), session.state.get(Two.note)]
      assert.deepStrictEqual(live, [205, { a: 0, b: 7 }, Option.none()])
      const stored = Result.getOrThrow(Session.decode(JSON.parse(JSON.stringify(Session.encode(session.events)))))
      const again = Result.getOrThrow(Session.fold(stored, [Two]))
      assert.deepStrictEqual([again.state.get(Two.total), again.state.get(Two.tags), again.state.get(Two.note)], live)
    }).pipe(Effect.provide(layers)))

  it.effect("leaves a log that the earlier program refuses, and does not touch", () =>
    Effect.gen(function*() {
      yield* run(first, "old")
      yield* run(second, "new")
      const store = yield* SessionStore.SessionStore
      const before = yield* store.load(options)
      const { reason } = yield* Effect.flip(run(first, "old"))
      assert.deepInclude(reason as object, { _tag: "StateError", section: "doc", version: 2 })
      assert.deepStrictEqual(yield* store.load(options), before)
    }).pipe(Effect.provide(layers)))

  it.effect("refuses to go on where it does not ask any more what waits, and the question stays", () =>
    Effect.gen(function*() {
      const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
      const Asks = Tool.make("asks", { asks: [Confirm] })
      const kit = Toolkit.make(Asks)
      const asking = Agent.make("agent", { instructions: "", toolkit: kit })
      const paused = yield* AgentRunner.run(asking, go).pipe(
        Effect.provide([
          Toolkit.layer(kit, { asks: () => Effect.asVoid(Confirm.ask("Sure?")) }),
          ScriptedModel.layer([call("asks")])
        ])
      )
      const [open] = paused.session.open
      const silent = Agent.make("agent", { instructions: "" })
      const { reason } = yield* Effect.flip(
        Effect.provide(
          AgentRunner.resume(silent, { ...options, answers: [Interrupt.fromJson(open?.id ?? "", true)] }),
          ScriptedModel.layer([])
        )
      )
      assert.strictEqual(reason._tag, "ContractMismatch")
      assert.include(reason.message, `the call '${open?.call}'`)
      assert.strictEqual((yield* Session.load(options)).open.length, 1)
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("AgentRunner.run › what types rule out", () => {
  const Shop = State.make("shop", {
    orders: State.record(Schema.String, Schema.Int),
    total: State.field(Schema.Int, { initial: 0 })
  })
  const Args = Schema.Struct({ id: Schema.String })
  const One = Tool.make("one", { parameters: Args, success: Schema.String, writes: [Shop.orders.at("id")] })
  const kit = Toolkit.make(One)
  const agent = Agent.make("agent", { instructions: "", toolkit: kit })
  const ran = (handler: (id: string) => Effect.Effect<string>) =>
    AgentRunner.run(agent, go).pipe(Effect.provide([
      Toolkit.layer(kit, { one: ({ id }) => handler(id) }),
      ScriptedModel.layer([call("one", { id: "a" }), done]),
      SessionStore.layerMemory
    ]))

  it.effect("is an error result of the call, and a line in the log that says what to do", () =>
    Effect.gen(function*() {
      const wrong: ReadonlyArray<readonly [Effect.Effect<unknown>, string]> = [
        [forced(Shop.orders.put("b", 1)), "may touch only the entry of 'shop.orders' that its parameter names"],
        [forced(Shop.orders.get), "may touch only the entry of 'shop.orders' that its parameter names"],
        [forced(Shop.total.get), "does not declare 'shop.total' under reads"]
      ]
      for (const [effect, problem] of wrong) {
        const results: Array<unknown> = []
        const lines = yield* logged(
          Effect.map(ran(() => Effect.as(effect, "")), ({ session }) => results.push(...resultsOf(session)))
        )
        assert.deepStrictEqual(results.map(tagOf), ["ToolDied"])
        assert.include(lines.join("\n"), problem)
      }
    }))

  it.effect("shows in the merged view of a call the one entry that it may touch", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const look = Effect.map(
        forced(ToolContext.merged(One)) as Effect.Effect<{ readonly state: { readonly shop: unknown } }>,
        ({ state }) => JSON.stringify(state.shop)
      )
      yield* ran((id) =>
        Effect.gen(function*() {
          seen.push(yield* look)
          yield* Shop.orders.put(id, 3)
          seen.push(yield* look)
          return ""
        }) as Effect.Effect<string>
      )
      assert.deepStrictEqual(seen, ["{\"orders\":{}}", "{\"orders\":{\"a\":3}}"])
    }))

  it.effect("dies at once of a tool without a handler, which it names", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(
        AgentRunner.run(agent, go).pipe(
          Effect.provide([ScriptedModel.layer([done]), SessionStore.layerMemory])
        ) as Effect.Effect<unknown>
      )
      assert.include(String(exit), "the tool 'one' has no handler")
    }))

  it.effect("gives an error result for a run-time tool that gives none", () =>
    Effect.gen(function*() {
      const silent = { tools: { silent: AiTool.make("silent") }, handle: () => Effect.succeed(Stream.empty) }
      const dynamic = [Toolkit.dynamic(silent, { prefix: "x_" })]
      const { session } = yield* AgentRunner.run(Agent.make("agent", { instructions: "", dynamic }), go).pipe(
        Effect.provide([ScriptedModel.layer([call("x_silent"), done]), SessionStore.layerMemory])
      )
      assert.deepStrictEqual(resultsOf(session), [{ _tag: "NoResult", message: "the tool 'x_silent' gave no result" }])
    }))

  it("refuses the name of an approval for a question of one's own", () => {
    assert.throws(
      () => Interrupt.make("approval", { question: Schema.String, answer: Schema.String }),
      "'approval' is a reserved name: a tool with an approval asks it"
    )
  })

  it.effect("dies of a write to a temp field from outside of a run", () =>
    Effect.gen(function*() {
      const Scratch = State.make("scratch", { n: State.field(Schema.Int, { initial: 0, scope: "temp" }) })
      yield* ran(() => Effect.succeed(""))
      yield* AgentRunner.run(Agent.make("agent", { instructions: "" }), go).pipe(
        Effect.provide(ScriptedModel.layer([done]))
      )
      const exit = yield* Effect.exit(Session.write(options, [Scratch.n.to(1)]))
      assert.include(String(exit), "'scratch.n' lives in a run: it cannot be written from outside")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("AgentRunner.run › a user's fields", () => {
  const Mixed = State.make("mixed", {
    own: State.field(Schema.Int, { initial: 0 }),
    shared: State.field(Schema.Int, { initial: 0, scope: "user" })
  })
  const runWithoutUser = (touches: object) => {
    const tool = Tool.make("touch", touches)
    const kit = Toolkit.make(tool)
    const agent = Agent.make("agent", { instructions: "", toolkit: kit })
    return AgentRunner.run(agent, { session: "s", input: "Go" }).pipe(Effect.provide([
      Toolkit.layer(kit, { touch: () => Effect.void }),
      ScriptedModel.layer([call("touch"), done]),
      SessionStore.layerMemory
    ]))
  }

  it.effect("need a user where one of them is touched", () =>
    Effect.gen(function*() {
      const { reason } = yield* Effect.flip(runWithoutUser({ reads: [Mixed.shared] }))
      assert.deepInclude(reason, { _tag: "UserMissing", fields: ["mixed.shared"] })
    }))

  it.effect("need none where only their neighbours are touched", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* runWithoutUser({ writes: [Mixed.own] }))._tag, "Completed")
    }))
})

describe("AgentRunner.run › sub-agents of two levels", () => {
  it.effect("give what comes back through both, and count their calls in one session", () =>
    Effect.gen(function*() {
      const Board = State.make("board", { points: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
      const Add = Tool.make("add", { combines: [Board.points] })
      const kit = Toolkit.make(Add)
      const inner = Agent.make("inner", { instructions: "", toolkit: kit })
      const middle = Agent.make("middle", {
        instructions: "",
        subAgents: [SubAgent.make(inner, { returns: [Board.points] })]
      })
      const outer = Agent.make("outer", {
        instructions: "",
        subAgents: [SubAgent.make(middle, { returns: [Board.points] })]
      })
      const task = { parameters: { task: "go" } }
      const { session, usage } = yield* AgentRunner.run(outer, go).pipe(Effect.provide([
        Toolkit.layer(kit, { add: () => Board.points.combine(1) }),
        ScriptedModel.layer({
          outer: [calls({ tool: "middle", ...task }, { tool: "middle", ...task }), done],
          middle: [call("inner", task.parameters), call("inner", task.parameters), done, done],
          inner: [calls({ tool: "add" }, { tool: "add" }), calls({ tool: "add" }, { tool: "add" }), done, done]
        }),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(session.state.get(Board.points), 4)
      assert.deepStrictEqual([usage.steps, usage.toolCalls], [10, 8])
    }))
})
