/** What a cast lets through the types: a loud defect, never a silent wrong value. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Contract,
  Interrupt,
  Middleware,
  Session,
  SessionStore,
  State,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel, ToolTest } from "tenon/testing"

/** What the types would refuse. */
const forced = (value: unknown): never => value as never

const results = ({ session }: AgentRunner.AgentResult) =>
  session.events.flatMap((event) => event.kind === "call" ? [event.result] : [])

const died = (tool: string) => ({
  isFailure: true,
  value: { _tag: "ToolDied", message: `the tool '${tool}' failed unexpectedly` }
})

/** A model that calls a tool once. */
const calling = (tool: string) =>
  Layer.merge(
    ScriptedModel.layer([ScriptedModel.call(tool), ScriptedModel.text("done")]),
    SessionStore.layerMemory
  )

/** A program, and what it logged. */
const logging = <A, E, R>(program: Effect.Effect<A, E, R>) => {
  const logged: Array<string> = []
  const logger = Logger.make(({ message }) => logged.push(String(message)))
  return Effect.map(Effect.provide(program, Logger.layer([logger])), (value) => ({ value, logged }))
}

const run = (agent: Agent.Any) => AgentRunner.run(agent, { session: "s", input: "Go." })

describe("a question that nobody declared", () => {
  const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
  const Other = Interrupt.make("confirm", { question: Schema.Int, answer: Schema.Boolean })
  const Ask = Tool.make("ask", { success: Schema.Boolean, asks: [Confirm] })
  const live = Toolkit.layer(Toolkit.make(Ask), { ask: forced(() => Other.ask(5)) })

  it.effect("dies in a handler, also where one of its name is declared", () =>
    Effect.gen(function*() {
      const agent = Agent.make("a", { instructions: "", toolkit: Toolkit.make(Ask) })
      const { value, logged } = yield* logging(Effect.provide(run(agent), [live, calling("ask")]))
      assert.deepStrictEqual([value._tag, results(value)], ["Completed", [died("ask")]])
      assert.deepStrictEqual(logged, [
        "the tool 'ask' died: the call 'i1.1.1' of 'ask' does not declare 'confirm' under asks"
      ])
    }))

  it.effect("dies in a handler that would leave it open", () =>
    Effect.gen(function*() {
      const agent = Agent.make("a", { instructions: "", toolkit: Toolkit.make(Ask) })
      const leaving = Toolkit.layer(Toolkit.make(Ask), { ask: forced(() => Effect.as(Other.pending(5), true)) })
      const { value } = yield* logging(Effect.provide(run(agent), [leaving, calling("ask")]))
      assert.deepStrictEqual([value._tag, results(value)], ["Completed", [died("ask")]])
    }))

  it.effect("fails the run in a hook", () =>
    Effect.gen(function*() {
      const Guard = Middleware.make("guard", {
        hooks: [Middleware.beforeRun({ asks: [Confirm] }, forced(() => Other.ask(5)))]
      })
      const agent = Agent.make("a", { instructions: "", middleware: [Guard] })
      const { reason } = yield* Effect.flip(Effect.provide(run(agent), calling("none")))
      assert.deepInclude(reason, {
        _tag: "HookFailed",
        problem: "the hook 'beforeRun' of 'guard' does not declare 'confirm' under asks"
      })
    }))

  it.effect("dies under test", () =>
    Effect.gen(function*() {
      const tested = ToolTest.call(Ask, {}).pipe(
        Effect.provide([live, ToolTest.layer(Ask, {}, { answers: { confirm: true } })])
      )
      const exit = yield* Effect.exit(tested)
      assert.include(
        Exit.isFailure(exit) && String(Cause.squash(exit.cause)),
        "the tool 'ask' does not declare 'confirm' under asks"
      )
    }))
})

describe("two sections of one name", () => {
  const Mine = State.make("doc", { words: State.field(Schema.Int, { initial: 0 }) })
  const Theirs = State.make("doc", { words: State.field(Schema.String, { initial: "" }) })
  const Count = Tool.make("count", { writes: [Mine.words] })
  const agent = Agent.make("a", { instructions: "", toolkit: Toolkit.make(Count) })
  const live = Toolkit.layer(Toolkit.make(Count), { count: () => Effect.void })
  const twice = "'doc' names two sections: rename one"

  it.effect("are a defect of a run whose message brings the other, before anything is stored", () =>
    Effect.gen(function*() {
      const given = AgentRunner.run(agent, { session: "s", input: "Go.", state: [Theirs.words.to("oops")] })
      const exit = yield* Effect.exit(Effect.provide(given, [live, ScriptedModel.layer([])]))
      assert.include(Exit.isFailure(exit) && String(Cause.squash(exit.cause)), twice)
      const missing = yield* Effect.flip(Session.load({ app: "a", session: "s" }, agent))
      assert.strictEqual(missing._tag, "SessionMissing")
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it.effect("are a defect of one write from outside", () =>
    Effect.gen(function*() {
      yield* Effect.provide(run(agent), [live, ScriptedModel.layer([ScriptedModel.text("done")])])
      const written = Session.write({ app: "a", session: "s" }, [Mine.words.to(1), Theirs.words.to("oops")])
      const exit = yield* Effect.exit(written)
      assert.include(Exit.isFailure(exit) && String(Cause.squash(exit.cause)), twice)
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("handlers that were given for another tool of the same name", () => {
  const Pay = Tool.make("pay", {
    parameters: Schema.Struct({ from: Schema.String, to: Schema.String }),
    success: Schema.String
  })
  const Theirs = Tool.make("pay", { parameters: Schema.Struct({ to: Schema.String }), success: Schema.String })
  const Raw = AiTool.make("fetch", { success: Schema.String })
  const Fetch = Contract.on(Raw, { context: [ToolContext.make({ tenant: Schema.String }).tenant] })
  const started = (tool: AiTool.Any, live: Layer.Layer<any>) =>
    Effect.exit(Effect.provide(
      run(Agent.make("a", { instructions: "", toolkit: Toolkit.make(tool) as never })),
      [live, ScriptedModel.layer([ScriptedModel.text("done")]), SessionStore.layerMemory]
    ) as Effect.Effect<AgentRunner.AgentResult>)
  const refused = (exit: Exit.Exit<unknown, unknown>) => Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : ""
  const sentence = (name: string) => `the handlers of '${name}' were given for other tools of the same names`

  it.effect("are a defect at the start of a run", () =>
    Effect.gen(function*() {
      const paid = { pay: () => Effect.succeed("") }
      assert.include(refused(yield* started(Pay, Toolkit.layer(Toolkit.make(Theirs), paid))), sentence("pay"))
      assert.include(refused(yield* started(Pay, Toolkit.make(Theirs).toLayer(paid))), sentence("pay"))
      const fetched = Toolkit.layer(Toolkit.make(Fetch), { fetch: () => Effect.succeed("") })
      assert.include(refused(yield* started(Raw, fetched)), sentence("fetch"))
    }))

  it.effect("are none where the tool is a copy, or declares more", () =>
    Effect.gen(function*() {
      const paid = { pay: () => Effect.succeed("") }
      const again = Tool.make("pay", {
        parameters: Schema.Struct({ from: Schema.String, to: Schema.String }),
        success: Schema.String,
        approval: true
      })
      for (const tool of [Pay.annotate(AiTool.Readonly, true), again]) {
        assert.strictEqual(refused(yield* started(Pay, Toolkit.layer(Toolkit.make(tool), paid))), "")
        assert.strictEqual(refused(yield* started(tool, Toolkit.layer(Toolkit.make(Pay), paid))), "")
      }
      const agent = Contract.on(Pay, { exclusive: true })
      assert.strictEqual(refused(yield* started(agent, Toolkit.layer(Toolkit.make(Pay), paid))), "")
    }))
})

it.effect("a write in an approval is refused, and asks a person", () =>
  Effect.gen(function*() {
    const Doc = State.make("doc", { words: State.field(Schema.Int, { initial: 0 }) })
    const Cut = Tool.make("cut", {
      writes: [Doc.words],
      approval: forced(() => Effect.as(Doc.words.set(5), false))
    })
    const agent = Agent.make("a", { instructions: "", toolkit: Toolkit.make(Cut) })
    const live = Toolkit.layer(Toolkit.make(Cut), { cut: () => Effect.void })
    const { value, logged } = yield* logging(Effect.provide(run(agent), [live, calling("cut")]))
    assert.deepStrictEqual([value._tag, value.session.open.map(({ name }) => name)], ["Paused", ["approval"]])
    assert.deepStrictEqual(logged, [
      "the approval of 'cut' failed: the approval of 'cut' does not declare 'doc.words' under writes"
    ])
  }))
