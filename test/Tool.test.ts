import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { LanguageModel, Prompt, Tool as AiTool } from "effect/ai"
import { Contract, Interrupt, Reducer, State, Tool, ToolCall, ToolContext, Toolkit } from "tenon"
import { ScriptedModel, ToolTest } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String })
const Search = State.make("search", {
  last: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Find = Tool.make("find", {
  description: "Search the documents",
  parameters: Schema.Struct({ query: Schema.NonEmptyString }),
  success: Schema.String,
  failure: Schema.Struct({ why: Schema.String }),
  failureMode: "return",
  context: [Env.tenant],
  writes: [Search.last],
  combines: [Search.count]
})
const kit = Toolkit.make(Find)
const handlers = Toolkit.layer(kit, {
  find: Effect.fnUntraced(function*({ query }) {
    if (query === "nothing") return yield* Effect.fail({ why: "no hits" })
    yield* Search.last.set(query)
    yield* Search.count.combine(1)
    return `${query} for ${yield* Env.tenant} in ${(yield* ToolCall.ToolCall).id}`
  })
})

describe("Tool", () => {
  describe("make", () => {
    it("is a tool of effect/ai with the options that effect/ai knows", () => {
      const output = () => [Prompt.textPart({ text: "shown" })]
      const Shown = Tool.make("shown", { success: Schema.String, toModelOutput: output })
      assert.isTrue(AiTool.isUserDefined(Find))
      assert.deepStrictEqual(
        [
          Find.name,
          Find.description,
          Find.failureMode,
          Shown.toModelOutput?.(""),
          AiTool.getJsonSchema(Find)["required"]
        ],
        ["find", "Search the documents", "return", output(), ["query"]]
      )
    })

    it("is without an option that it was not given", () => {
      const Bare = Tool.make("bare", {})
      assert.deepStrictEqual(
        [Bare.description, Bare.failureMode, Bare.toModelOutput, Bare.needsApproval],
        [undefined, "error", undefined, undefined]
      )
    })

    it("asks for an approval where it is guarded, and only there", () => {
      const asks = (approval: boolean | (() => Effect.Effect<boolean>)) =>
        Contract.of(Tool.make("t", { approval })).asks.map(({ name }) => name)
      assert.deepStrictEqual(
        [asks(true), asks(() => Effect.succeed(false)), asks(false)],
        [[Interrupt.Approval.name], [Interrupt.Approval.name], []]
      )
    })

    it("keeps its contract under effect/ai's own annotations", () => {
      const safe = Find.annotate(AiTool.Readonly, true)
      assert.isTrue(Context.get(safe.annotations, AiTool.Readonly))
      assert.strictEqual(Contract.of(safe), Contract.of(Find))
    })
  })

  it.effect("works where a tool of effect/ai works, with its needs provided by hand", () =>
    Effect.gen(function*() {
      const response = yield* LanguageModel.generateText({ prompt: "Find it", toolkit: kit })
      assert.deepStrictEqual(response.toolResults.map(({ name, result }) => [name, result]), [[
        "find",
        "licence for acme in call-1"
      ]])
      const { operations } = yield* ToolTest.delta
      assert.deepStrictEqual(operations, [
        { op: "set", field: "search.last", value: "licence" },
        { op: "sum", field: "search.count", value: 1 }
      ])
    }).pipe(Effect.provide(Layer.mergeAll(
      handlers,
      Env.layer({ tenant: "acme" }),
      State.layer(Find, { "search.last": Option.none(), "search.count": 0 }),
      ToolCall.layer(),
      ScriptedModel.layer([ScriptedModel.call("find", { query: "licence" })])
    ))))

  it.effect("is called alone, on decoded arguments, with its typed result and failure", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* ToolTest.call(Find, { query: "licence" }), "licence for acme in call-7")
      assert.deepStrictEqual(yield* Effect.flip(ToolTest.call(Find, { query: "nothing" })), { why: "no hits" })
    }).pipe(Effect.provide(Layer.mergeAll(
      handlers,
      ToolTest.layer(Find, { tenant: "acme", "search.last": Option.none(), "search.count": 0 }, {
        call: { id: "call-7" }
      })
    ))))
})
