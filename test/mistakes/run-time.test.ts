import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, Result, Schema } from "effect"
import {
  Agent,
  AgentRunner,
  Interrupt,
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
import { ScriptedModel, ToolTest } from "tenon/testing"

const Env = ToolContext.make({
  tenant: Schema.String,
  plan: Schema.Struct({ limits: Schema.Array(Schema.Int), since: Schema.Date })
})
const Doc = State.make("doc", {
  words: State.field(Schema.Int, { initial: 0 }),
  tags: State.field(Schema.Array(Schema.String), { initial: [] }),
  log: State.field(Schema.Array(Schema.Int), { initial: [] })
})
const since = new Date(0)

/** Does a change in place fail, whatever the types say? */
const refuses = (change: () => unknown): boolean => Result.isFailure(Result.try(change))

const model = (...turns: ReadonlyArray<ScriptedModel.Step>) => ScriptedModel.layer(turns)
const results = (session: Session.Session) =>
  session.events.flatMap((event) => event.kind === "call" ? [event.result] : [])

describe("mistakes about context", () => {
  it("M04 a reserved name is a defect when it is forced", () => {
    const make = ToolContext.make as unknown as (fields: Record<string, Schema.Top>) => unknown
    for (const name of ["state", "parentTools", "parentMiddleware", "toolContext", "toolCall"]) {
      assert.throws(() => make({ [name]: Schema.String }), `'${name}' is a reserved name: the agent supplies it`)
    }
    for (const name of ["layer", "layerUnknown"]) {
      assert.throws(() => make({ [name]: Schema.String }), `'${name}' is taken by ToolContext itself`)
    }
  })

  it.effect("M07 a supplied value is refused a change in place, at any depth", () =>
    Effect.gen(function*() {
      const plan = yield* Env.plan
      const open = plan as { limits: Array<number>; since: Date }
      assert.isTrue(refuses(() => open.limits.push(2)))
      assert.isTrue(refuses(() => Object.assign(open, { limits: [] })))
      assert.isTrue(refuses(() => open.since.setFullYear(1999)))
      assert.deepStrictEqual([plan.limits, plan.since.getTime(), since.getTime()], [[1], 0, 0])
      assert.notStrictEqual(plan.since, since)
    }).pipe(Effect.provide(Env.layer({ tenant: "acme", plan: { limits: [1], since } }))))

  it.effect("M11 the `state` of the merged view is the agent's, also when the caller supplied one", () =>
    Effect.gen(function*() {
      const Look = Tool.make("look", { context: [Env.tenant], reads: [Doc.words] })
      const view = yield* ToolContext.merged(Look).pipe(
        Effect.provide(Layer.mergeAll(
          ToolContext.layerUnknown(Look, { tenant: "acme", state: "the caller's" }),
          State.layer(Look, { "doc.words": 7 }),
          ToolCall.layer()
        ))
      )
      assert.deepStrictEqual({ ...view.state.doc }, { words: 7 })
      assert.strictEqual(view.tenant, "acme")
    }))

  it.effect("M12 an untyped record with a reserved name warns by the name, and never by the value", () =>
    Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => logged.push(String(message)))
      yield* Effect.void.pipe(
        Effect.provide(
          Env.layerUnknown({
            tenant: "acme",
            plan: { limits: [], since: "1970-01-01T00:00:00.000Z" },
            state: "hunter2",
            toolCall: 1
          }).pipe(Layer.provide(Logger.layer([logger])))
        )
      )
      assert.strictEqual(logged.length, 1)
      assert.include(logged[0], "state, toolCall")
      assert.notInclude(logged[0], "hunter2")
    }))
})

describe("mistakes about state", () => {
  it.effect("M19 a value read from State is refused a change in place, which is never visible", () =>
    Effect.gen(function*() {
      const Look = Tool.make("look", { writes: [Doc.tags] })
      const tags = yield* Effect.gen(function*() {
        const before = yield* Doc.tags.get
        assert.isTrue(refuses(() => (before as Array<string>).push("b")))
        const own = ["c"]
        yield* Doc.tags.set(own)
        own.push("d")
        return yield* Doc.tags.get
      }).pipe(Effect.provide(State.layer(Look, { "doc.tags": ["a"] })))
      assert.deepStrictEqual(tags, ["c"])
    }))

  it("M21 two sections of one name in one agent are a defect", () => {
    const Other = State.make("doc", { words: State.field(Schema.Int, { initial: 0 }) })
    const One = Tool.make("one", { writes: [Doc.words] })
    const Two = Tool.make("two", { writes: [Other.words] })
    const make = Agent.make as (name: string, options: object) => unknown
    assert.throws(
      () => make("both", { instructions: "", toolkit: Toolkit.make(One, Two) }),
      "'doc' names two sections: rename one"
    )
  })

  it("M22 an initial value that breaks a refinement is a defect with its place", () => {
    assert.throws(
      () => State.make("s", { at: State.field(Schema.Struct({ n: Schema.Int }), { initial: { n: 1.5 } }) }),
      "the initial value of 's.at.n' does not fit its schema"
    )
  })

  const serializer = StateSerializer.make([Doc])
  const envelope = (version: number, data: object) => ({
    format: "tenon/state",
    version: 1,
    time: 0,
    sections: { doc: { version, data } }
  })

  it.effect("M25 a persisted value of the wrong shape is a typed error with its place, and stays as it is", () =>
    Effect.gen(function*() {
      const stored = envelope(1, { words: 1, tags: ["a", 2] })
      const before = JSON.stringify(stored)
      const error = yield* Effect.flip(serializer.deserialize(stored))
      assert.deepStrictEqual([error._tag, error.section, error.version, error.path], ["StateError", "doc", 1, [
        "tags",
        "1"
      ]])
      assert.strictEqual(JSON.stringify(stored), before)
    }))

  it.effect("M26 a persisted section of a newer program is a typed error, and stays as it is", () =>
    Effect.gen(function*() {
      const stored = envelope(7, { words: 1 })
      const before = JSON.stringify(stored)
      const error = yield* Effect.flip(serializer.deserialize(stored))
      assert.deepStrictEqual([error._tag, error.section, error.version], ["StateError", "doc", 7])
      assert.include(error.message, "newer program")
      assert.strictEqual(JSON.stringify(stored), before)
    }))

  it.effect("M37 a write after the call has ended dies in the fiber that leaked", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const leaked = yield* Deferred.make<Fiber.Fiber<void>>()
      const Leak = Tool.make("leak", { writes: [Doc.words] })
      const Leaky = Agent.make("leaky", { instructions: "", toolkit: Toolkit.make(Leak) })
      const { session } = yield* AgentRunner.run(Leaky, { session: "s", input: "hi" }).pipe(Effect.provide([
        Toolkit.layer(Toolkit.make(Leak), {
          leak: () =>
            Effect.andThen(Deferred.await(ended), Doc.words.set(42)).pipe(
              Effect.forkDetach,
              Effect.flatMap((fiber) => Deferred.succeed(leaked, fiber)),
              Effect.asVoid
            )
        }),
        model(ScriptedModel.call("leak"), ScriptedModel.text("done")),
        SessionStore.layerMemory
      ]))
      yield* Deferred.succeed(ended, undefined)

      const exit = yield* Effect.flatMap(Deferred.await(leaked), Fiber.await)

      assert.isTrue(Exit.isFailure(exit))
      assert.include(String(exit), "has ended: 'doc.words' can no longer be touched")
      assert.strictEqual(session.state.get(Doc.words), 0)
    }))

  it.effect("M38 two calls of one step write one field one after the other, in the order asked", () =>
    Effect.gen(function*() {
      const Add = Tool.make("add", { parameters: Schema.Struct({ n: Schema.Int }), writes: [Doc.log] })
      const Adder = Agent.make("adder", { instructions: "", toolkit: Toolkit.make(Add) })
      const { session } = yield* AgentRunner.run(Adder, { session: "s", input: "hi" }).pipe(Effect.provide([
        Toolkit.layer(Toolkit.make(Add), {
          add: ({ n }) =>
            Effect.gen(function*() {
              const before = yield* Doc.log.get
              // the first call yields the longest
              for (let i = 0; i < 10 - n; i++) yield* Effect.yieldNow
              yield* Doc.log.set([...before, n])
            })
        }),
        model(
          ScriptedModel.calls(...[1, 2, 3].map((n) => ({ tool: "add", parameters: { n } }))),
          ScriptedModel.text("done")
        ),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual(session.state.get(Doc.log), [1, 2, 3])
    }))

  it.effect("M40 a value that breaks its refinement fails the call with a typed reason, and nothing is committed", () =>
    Effect.gen(function*() {
      const Half = Tool.make("half", { writes: [Doc.words, Doc.tags] })
      const Halver = Agent.make("halver", { instructions: "", toolkit: Toolkit.make(Half) })
      const { session } = yield* AgentRunner.run(Halver, { session: "s", input: "hi" }).pipe(Effect.provide([
        Toolkit.layer(Toolkit.make(Half), { half: () => Effect.andThen(Doc.tags.set(["kept?"]), Doc.words.set(1.5)) }),
        model(ScriptedModel.call("half"), ScriptedModel.text("done")),
        SessionStore.layerMemory
      ]))
      const [result] = results(session)
      assert.isTrue(result?.isFailure)
      assert.include(JSON.stringify(result?.value), "InvalidStateWrite")
      assert.include(JSON.stringify(result?.value), "doc.words")
      assert.deepStrictEqual([session.state.get(Doc.words), session.state.get(Doc.tags)], [0, []])
    }))
})

describe("mistakes about composition", () => {
  it.effect("M32 sub-agents nested deeper than a run allows are a typed result", () =>
    Effect.gen(function*() {
      const C = Agent.make("c", { instructions: "" })
      const B = Agent.make("b", { instructions: "", subAgents: [SubAgent.make(C)] })
      const A = Agent.make("a", { instructions: "", subAgents: [SubAgent.make(B)] })
      const { session } = yield* AgentRunner.run(A, { session: "s", input: "hi", maxDepth: 1 }).pipe(Effect.provide([
        ScriptedModel.layer({
          a: [ScriptedModel.call("b", { task: "x" }), ScriptedModel.text("done")],
          b: [ScriptedModel.call("c", { task: "y" }), ScriptedModel.text("done")]
        }),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual(results(session)[0], {
        isFailure: true,
        value: { _tag: "DepthReached", message: "sub-agents may be nested 1 deep" }
      })
    }))

  it("M32 an agent inside itself is a defect when it is forced", () => {
    const Inner = Agent.make("same", { instructions: "" })
    const make = Agent.make as (name: string, options: object) => unknown
    assert.throws(
      () => make("same", { instructions: "", subAgents: [SubAgent.make(Inner)] }),
      "an agent cannot contain itself: same"
    )
  })

  it.effect("M33 an answer of the wrong type over a wire is refused, and the question stays open", () =>
    Effect.gen(function*() {
      const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
      const Send = Tool.make("send", { success: Schema.Boolean, asks: [Confirm] })
      const Clerk = Agent.make("clerk", { instructions: "", toolkit: Toolkit.make(Send) })
      const live = Toolkit.layer(Toolkit.make(Send), { send: () => Confirm.ask("Really?") })
      const paused = yield* AgentRunner.run(Clerk, { session: "s", input: "hi" }).pipe(
        Effect.provide([live, model(ScriptedModel.call("send"))])
      )
      const [asked] = paused.session.open
      const id = asked?.id ?? ""

      const error = yield* Effect.flip(
        AgentRunner.resume(Clerk, { session: "s", answers: [Interrupt.fromJson(id, "yes")] }).pipe(
          Effect.provide([live, model()])
        )
      )

      assert.strictEqual(error.reason._tag, "AnswerRefused")
      const after = yield* Session.load({ app: "clerk", session: "s" }, Clerk)
      assert.deepStrictEqual(after.open, paused.session.open)
      assert.strictEqual(after.revision, paused.session.revision)
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it.effect("M35 a test layer gives a handler what it declares, and nothing else", () =>
    Effect.gen(function*() {
      const Look = Tool.make("look", { success: Schema.Int, reads: [Doc.words] })
      const live = Toolkit.layer(Toolkit.make(Look), { look: () => Doc.words.get })
      const words = yield* ToolTest.call(Look, {}).pipe(
        Effect.provide([live, ToolTest.layer(Look, { "doc.words": 3 })])
      )
      assert.strictEqual(words, 3)
    }))

  it.effect("M35 a test layer of a toolkit gives all of its tools one State", () =>
    Effect.gen(function*() {
      const Count = Tool.make("count", { context: [Env.tenant], writes: [Doc.words] })
      const Look = Tool.make("look", { success: Schema.Int, reads: [Doc.words] })
      const both = Toolkit.make(Count, Look)
      const live = Toolkit.layer(both, { count: () => Doc.words.update((n) => n + 1), look: () => Doc.words.get })
      const words = yield* Effect.andThen(ToolTest.call(Count, {}), ToolTest.call(Look, {})).pipe(
        Effect.provide([live, ToolTest.layer(both, { "tenant": "acme", "doc.words": 3 })])
      )
      assert.strictEqual(words, 4)
    }))
})
