import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { LanguageModel, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, SessionStore, Tool, ToolContext, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const { calls, text } = ScriptedModel
const options = { session: "s", input: "Go" }

const resultsOf = ({ session }: AgentRunner.AgentResult) =>
  session.events.flatMap((event) => event.kind === "call" ? [event.result] : [])

const slowly = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("Toolkit", () => {
  describe("make", () => {
    it("is a toolkit of effect/ai, and refuses two tools of one name", () => {
      const One = Tool.make("one", {})
      assert.deepStrictEqual(Object.keys(Toolkit.make(One, Tool.make("two", {})).tools), ["one", "two"])
      assert.throws(() => Toolkit.make(One, Tool.make("one", {})), "'one' names two tools: rename one")
    })
  })

  describe("merge", () => {
    it("takes the tools of all, and refuses two different ones of one name", () => {
      const One = Toolkit.make(Tool.make("one", {}))
      const Two = Toolkit.make(Tool.make("two", {}))
      assert.deepStrictEqual(Object.keys(Toolkit.merge(One, Two, One).tools), ["one", "two"])
      assert.throws(() => Toolkit.merge(One, Toolkit.make(Tool.make("one", {}))), "'one' names two tools: rename one")
    })
  })

  describe("dynamic", () => {
    class Missing extends Schema.TaggedError<Missing>()("Missing", { id: Schema.Int }) {}
    const Kit = AiToolkit.make(
      AiTool.make("find", {
        parameters: Schema.Struct({ page: Schema.FiniteFromString }),
        success: Schema.Struct({ page: Schema.FiniteFromString })
      }),
      AiTool.make("date", { success: Schema.Date }),
      AiTool.make("erase", { failure: Missing, failureMode: "return" }),
      AiTool.make("strict", { failure: Missing }),
      AiTool.make("crash")
    )
    const handlers = Kit.toLayer({
      find: ({ page }) => Effect.succeed({ page: page + 1 }),
      date: () => Effect.succeed(new Date(5)),
      erase: () => Effect.fail(new Missing({ id: 3 })),
      strict: () => Effect.fail(new Missing({ id: 4 })),
      crash: () => Effect.die(new Error("boom"))
    })
    const agentWith = (kit: Parameters<typeof Toolkit.dynamic>[0]) =>
      Agent.make("agent", { instructions: "", dynamic: [Toolkit.dynamic(kit, { prefix: "mcp_" })] })

    const ran = (...asked: ReadonlyArray<ScriptedModel.Call>) =>
      Effect.gen(function*() {
        const kit = yield* Kit
        return yield* AgentRunner.run(agentWith(kit), options).pipe(
          Effect.provide([ScriptedModel.layer([calls(...asked), text("Done.")]), SessionStore.layerMemory])
        )
      }).pipe(Effect.provide(handlers))

    it.effect("runs a tool under its prefix, and decodes and encodes once", () =>
      Effect.gen(function*() {
        const result = yield* ran({ tool: "mcp_find", parameters: { page: "1" } })
        assert.deepStrictEqual(resultsOf(result), [{ isFailure: false, value: { page: "2" } }])
      }))

    it.effect("stores a result as JSON, whatever effect/ai encodes it to", () =>
      Effect.gen(function*() {
        const result = yield* ran({ tool: "mcp_date" })
        assert.deepStrictEqual(resultsOf(result), [{ isFailure: false, value: "1970-01-01T00:00:00.005Z" }])
      }))

    it.effect("gives failures, bad arguments and defects as the results of their calls", () =>
      Effect.gen(function*() {
        const result = yield* ran(
          { tool: "mcp_erase" },
          { tool: "mcp_strict" },
          { tool: "mcp_find", parameters: { page: "one" } },
          { tool: "mcp_crash" },
          { tool: "find" }
        )
        assert.strictEqual(result._tag === "Completed" && result.text, "Done.")
        const tags = Object.fromEntries(result.session.events.flatMap((event) =>
          event.kind === "call"
            ? [[event.tool, [event.result.isFailure, (event.result.value as { readonly _tag?: string })._tag]]]
            : []
        ))
        assert.deepStrictEqual(tags["mcp_erase"], [true, "Missing"])
        assert.deepStrictEqual(tags["mcp_crash"], [true, "ToolDied"])
        assert.deepStrictEqual(tags["find"], [true, "ToolNotFound"])
        for (const tool of ["mcp_strict", "mcp_find"]) assert.isTrue(tags[tool]?.[0])
      }))

    it.effect("shows the model the prefixed names", () =>
      Effect.gen(function*() {
        const { model, requests } = yield* ScriptedModel.make([text("Hello.")])
        const kit = yield* Kit
        yield* AgentRunner.run(agentWith(kit), options).pipe(
          Effect.provide(Layer.mergeAll(Layer.succeed(LanguageModel.LanguageModel, model), SessionStore.layerMemory))
        )
        assert.deepStrictEqual(requests[0]?.tools, ["mcp_find", "mcp_date", "mcp_erase", "mcp_strict", "mcp_crash"])
      }).pipe(Effect.provide(handlers)))

    it.effect("is a typed error before the first model call where a name is taken", () =>
      Effect.gen(function*() {
        const { model, requests } = yield* ScriptedModel.make([text("Hello.")])
        const kit = yield* Kit
        const Own = Toolkit.make(Tool.make("mcp_find", {}))
        const agent = Agent.make("agent", {
          instructions: "",
          toolkit: Own,
          dynamic: [Toolkit.dynamic(kit, { prefix: "mcp_" })]
        })
        const error = yield* Effect.flip(
          AgentRunner.run(agent, options).pipe(
            Effect.provide(Layer.mergeAll(
              Layer.succeed(LanguageModel.LanguageModel, model),
              SessionStore.layerMemory,
              Toolkit.layer(Own, { mcp_find: () => Effect.void })
            ))
          )
        )
        assert.deepStrictEqual(
          error.reason._tag === "ToolNamesClash" && error.reason.tools,
          ["mcp_find"]
        )
        assert.deepStrictEqual(requests, [])
      }).pipe(Effect.provide(handlers)))

    it.effect("runs its calls one at a time, unless a tool is marked Readonly", () =>
      Effect.gen(function*() {
        const overlaps: Record<string, number> = {}
        const running: Record<string, number> = {}
        const enter = (name: string) =>
          Effect.suspend(() => {
            running[name] = (running[name] ?? 0) + 1
            overlaps[name] = Math.max(overlaps[name] ?? 0, running[name])
            return Effect.andThen(
              slowly,
              Effect.sync(() => {
                running[name] = (running[name] ?? 0) - 1
              })
            )
          })
        const Both = AiToolkit.make(AiTool.make("write"), AiTool.make("read").annotate(AiTool.Readonly, true))
        const kit = yield* Effect.provide(
          Both,
          Both.toLayer({ write: () => enter("write"), read: () => enter("read") })
        )
        yield* AgentRunner.run(agentWith(kit), options).pipe(Effect.provide([
          ScriptedModel.layer([
            calls({ tool: "mcp_write" }, { tool: "mcp_write" }),
            calls({ tool: "mcp_read" }, { tool: "mcp_read" }),
            text("Done.")
          ]),
          SessionStore.layerMemory
        ]))
        assert.deepStrictEqual(overlaps, { write: 1, read: 2 })
      }))

    it("states its contract by hand", () => {
      const Env = ToolContext.make({ tenant: Schema.String })
      const kit = { tools: {}, handle: () => Effect.die("unused") } as AiToolkit.WithHandler<{}>
      const agent = Agent.make("agent", {
        instructions: "",
        dynamic: [Toolkit.dynamic(kit, { prefix: "mcp_", context: [Env.tenant] })]
      })
      assert.deepStrictEqual(agent.contract.requires.map(({ name }) => name), ["tenant"])
    })
  })
})
