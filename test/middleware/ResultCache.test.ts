import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Option, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { KeyValueStore, Persistence } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Agent, Interrupt, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { ResultCache } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, openOf, restarted } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Env = ToolContext.make({ tenant: Schema.String, handle: ToolContext.value<string>() })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String, since: Schema.optionalKey(Schema.Date) }),
  success: Schema.String,
  failure: Schema.String,
  context: [Env.tenant, Env.handle]
}).annotate(AiTool.Readonly, true)
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Find, Wonder)
const Cached = ResultCache.make({ tools: [Find], context: [Env.tenant], ignores: [Env.handle] })
const agent = Agent.make("agent", { instructions: "Find.", toolkit: kit, middleware: [Cached] })

/** Handlers that number what they find. */
const counting = () => {
  let searches = 0
  return Toolkit.layer(kit, {
    find: Effect.fnUntraced(function*({ query }) {
      searches++
      if (query === "fail") return yield* Effect.fail("no")
      return `${yield* Env.tenant}/${query} ${searches}`
    }),
    wonder: () => Confirm.ask("Sure?")
  })
}
const supplied = (tenant: string) => Env.layer({ tenant, handle: "db" })
const find = (query: string, more: object = {}) => call("find", { query, ...more })
const memory = ResultCache.layerMemory({ timeToLive: "5 minutes" })
const values = (result: { readonly session: Parameters<typeof endsOf>[0] }) =>
  endsOf(result.session).map(({ value }) => value)

describe("ResultCache", () => {
  it.effect("gives the result of an equal call, whatever the order of its arguments", () =>
    Effect.gen(function*() {
      const since = "2026-01-01T00:00:00.000Z"
      const { run } = yield* conversation(agent, [
        calls({ tool: "find", parameters: { query: "a", since } }),
        calls({ tool: "find", parameters: { since, query: "a" } }),
        find("a"),
        find("b"),
        text("Done.")
      ])
      assert.deepStrictEqual(values(yield* run()), ["acme/a 1", "acme/a 1", "acme/a 2", "acme/b 3"])
    }).pipe(Effect.provide([counting(), supplied("acme"), memory])))

  it.effect("keeps apart what other supplied values give", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [find("a"), text("Done."), find("a"), text("Done."), find("a")])
      yield* Effect.provide(run(), supplied("acme"))
      const other = yield* Effect.provide(run("Go.", { session: "s-2" }), supplied("umbrella"))
      assert.deepStrictEqual(values(other), ["umbrella/a 2"])
    }).pipe(Effect.provide([counting(), memory])))

  it.effect("forgets a result when its time is over, however often it was given", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, Array.from({ length: 3 }, () => [find("a"), text("Done.")]).flat())
      yield* run()
      yield* TestClock.adjust("4 minutes")
      yield* run()
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(values(yield* run()), ["acme/a 1", "acme/a 1", "acme/a 2"])
    }).pipe(Effect.provide([counting(), supplied("acme"), memory])))

  it.effect("keeps no failure", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [find("fail"), find("fail"), find("a"), text("Done.")])
      assert.deepStrictEqual(values(yield* run()), ["no", "no", "acme/a 3"])
    }).pipe(Effect.provide([counting(), supplied("acme"), memory])))

  it.effect("keeps results over a restart in a store of effect's, under keys that tell nothing", () => {
    const entries = new Map<string, string>()
    const kvs = Layer.succeed(
      KeyValueStore.KeyValueStore,
      KeyValueStore.makeStringOnly({
        get: (key) => Effect.sync(() => entries.get(key)),
        set: (key, value) => Effect.sync(() => void entries.set(key, value)),
        remove: (key) => Effect.sync(() => void entries.delete(key)),
        clear: Effect.sync(() => entries.clear()),
        size: Effect.sync(() => entries.size),
        keys: Effect.sync(() => [...entries.keys()])
      })
    )
    const stored = () =>
      ResultCache.layer({ timeToLive: "5 minutes" }).pipe(
        Layer.provide(Persistence.layerKvs),
        Layer.provide(kvs),
        Layer.fresh
      )
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agent, [find("a"), call("wonder")])
      const paused = yield* Effect.provide(run(), stored())
      const again = yield* restarted(agent, yield* session(), [find("a"), text("Done.")])
      const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
      const resumed = yield* Effect.provide(again.resume(answers), stored())
      assert.deepStrictEqual(values(resumed), ["acme/a 1", true, "acme/a 1"])
      assert.strictEqual(entries.size, 1)
      assert.notInclude([...entries.keys()].join(), "acme")
    }).pipe(Effect.provide([counting(), supplied("acme")]))
  })

  it.effect("runs the tool where the store fails, and logs it", () => {
    const logged: Array<unknown> = []
    const broken = Layer.succeed(Persistence.BackingPersistence, {
      make: () => {
        const fail = Effect.fail(new Persistence.PersistenceError({ message: "down" }))
        return Effect.succeed({
          get: () => fail,
          getMany: () => fail,
          set: () => fail,
          setMany: () => fail,
          remove: () => fail,
          clear: fail
        })
      }
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [find("a"), find("a"), text("Done.")])
      assert.deepStrictEqual(values(yield* run()), ["acme/a 1", "acme/a 2"])
      assert.include(JSON.stringify(logged), "the store of results failed: PersistenceError")
    }).pipe(
      Effect.provide([
        counting(),
        supplied("acme"),
        ResultCache.layer({ timeToLive: "5 minutes" }).pipe(
          Layer.provide(Persistence.layer),
          Layer.provide(broken)
        ),
        Logger.layer([Logger.make(({ message }) => void logged.push(message))])
      ])
    )
  })

  it.effect("is shared with a sub-agent that has it", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        toolkit: kit,
        middleware: [Cached],
        subAgents: [SubAgent.make(agent)]
      })
      const { run } = yield* conversation(parent, {
        parent: [find("a"), call("agent", { task: "Find." }), text("Done.")],
        agent: [find("a"), text("Found.")]
      })
      assert.deepStrictEqual(values(yield* run()), ["acme/a 1", "acme/a 1", "Found."])
    }).pipe(Effect.provide([counting(), supplied("acme"), memory])))

  it("refuses tools whose results depend on more", () => {
    const Notes = State.make("notes", { last: State.optional(Schema.String) })
    const refused = (tool: AiTool.Any) => {
      try {
        ResultCache.make({ tools: [tool], context: [Env.tenant] })
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    }
    const readonly = (tool: AiTool.Any) => tool.annotate(AiTool.Readonly, true) as AiTool.Any
    assert.deepStrictEqual([
      refused(Tool.make("plain", {})),
      refused(readonly(Tool.make("reads", { reads: [Notes.last] }))),
      refused(readonly(Tool.make("asks", { asks: [Confirm] }))),
      refused(Find),
      refused(readonly(Tool.make("fits", { context: [Env.tenant] })))
    ], [
      "results of 'plain' cannot be kept: it is not marked Readonly",
      "results of 'reads' cannot be kept: it touches State: notes.last",
      "results of 'asks' cannot be kept: it asks: confirm",
      "results of 'find' cannot be kept: name its context keys under context or ignores: handle",
      undefined
    ])
    assert.throws(() => ResultCache.make({ tools: [], context: [Env.handle] }), TypeError, "a local key has no schema")
  })

  it.effect("in memory forgets what was not used for longest", () =>
    Effect.gen(function*() {
      const store = yield* ResultCache.Store
      for (const key of ["a", "b", "c"]) yield* store.set(key, key)
      const kept = yield* Effect.forEach(["a", "b", "c"], store.get)
      assert.deepStrictEqual(kept.map(Option.isSome), [false, true, true])
    }).pipe(Effect.provide(ResultCache.layerMemory({ timeToLive: "5 minutes", capacity: 2 }))))
})
