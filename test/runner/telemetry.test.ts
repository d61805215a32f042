import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Schema, Tracer } from "effect"
import { AiError, Model } from "effect/ai"
import { Agent, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, reasonOf } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Look = Tool.make("look", { success: Schema.String })
const kit = Toolkit.make(Look)
const live = Toolkit.layer(kit, { look: () => Effect.succeed("seen") })
const child = Agent.make("child", { instructions: "", toolkit: kit })
const noted = Middleware.make("noted", {
  hooks: [Middleware.beforeRun({}, () => Effect.annotateCurrentSpan("noted", true))]
})
const parent = Agent.make("parent", { instructions: "", middleware: [noted], subAgents: [SubAgent.make(child)] })
const script = {
  parent: [
    { ...call("child", { task: "a" }), inputTokens: 10, outputTokens: 1 },
    { ...text("Done."), inputTokens: 20, outputTokens: 2 }
  ],
  child: [
    { ...call("look"), inputTokens: 3, outputTokens: 4 },
    { ...text("Mine."), inputTokens: 5, outputTokens: 6 }
  ]
}

/** Runs under a tracer that keeps every span. */
const traced = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return Effect.map(Effect.exit(Effect.withTracer(effect, tracer)), (exit) => ({ exit, spans }))
}

const named = (spans: ReadonlyArray<Tracer.NativeSpan>, name: string) => spans.filter((span) => span.name === name)
const attributesOf = (span: Tracer.NativeSpan | undefined) => Object.fromEntries(span?.attributes ?? [])
const parentOf = (span: Tracer.NativeSpan | undefined) =>
  span?.parent._tag === "Some" && span.parent.value._tag === "Span" ? span.parent.value.name : undefined

describe("telemetry", () => {
  it.effect("tells who works for whom, and what each has used, sub-agents included", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(parent, script)
      const { spans } = yield* traced(run())
      const [root] = named(spans, "invoke_agent parent")
      const [sub] = named(spans, "invoke_agent child")
      assert.deepStrictEqual(attributesOf(root), {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "parent",
        "gen_ai.agent.id": "parent",
        "gen_ai.conversation.id": "s-1",
        "tenon.invocation.id": "i1",
        noted: true,
        "gen_ai.usage.input_tokens": 38,
        "gen_ai.usage.output_tokens": 13
      })
      assert.deepStrictEqual(attributesOf(sub), {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "child",
        "gen_ai.agent.id": "parent-sub-1",
        "gen_ai.conversation.id": "s-1",
        "tenon.invocation.id": "i1",
        "tenon.agent.parent_id": "parent",
        "gen_ai.usage.input_tokens": 8,
        "gen_ai.usage.output_tokens": 10
      })
      assert.deepStrictEqual(
        [parentOf(sub), ...named(spans, "execute_tool look").map(parentOf), ...named(spans, "chat").map(parentOf)],
        [
          "execute_tool child",
          "invoke_agent child",
          "invoke_agent parent",
          "invoke_agent child",
          "invoke_agent child",
          "invoke_agent parent"
        ]
      )
    }).pipe(Effect.provide(live)))

  it.effect("names the model where its layer does, and tells a model call's tokens, end and failure", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(child, [
        { ...text("Mine."), inputTokens: 5, outputTokens: 6 },
        ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))
      ])
      const { spans } = yield* traced(Effect.andThen(run(), reasonOf(run())))
      assert.deepStrictEqual(named(spans, "chat some-model").map(attributesOf), [
        {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "some-model",
          "gen_ai.provider.name": "some-provider",
          "gen_ai.agent.id": "child",
          "gen_ai.response.finish_reasons": ["stop"],
          "gen_ai.usage.input_tokens": 5,
          "gen_ai.usage.output_tokens": 6
        },
        {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "some-model",
          "gen_ai.provider.name": "some-provider",
          "gen_ai.agent.id": "child",
          "error.type": "InternalProviderError"
        }
      ])
    }).pipe(Effect.provide([
      live,
      Layer.succeed(Model.ModelName, "some-model"),
      Layer.succeed(Model.ProviderName, "some-provider")
    ])))

  it.effect("counts tokens and seconds of model calls as metrics", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(parent, script)
      yield* run()
      const metrics = yield* Metric.snapshot
      const sums = metrics.flatMap((metric) =>
        metric.type === "Histogram" && metric.id === "gen_ai.client.token.usage"
          ? [[metric.attributes?.["gen_ai.token.type"], metric.state.sum]]
          : []
      )
      assert.deepStrictEqual(Object.fromEntries(sums), { input: 38, output: 13 })
      const calls = metrics.find(({ id }) => id === "gen_ai.client.operation.duration")
      assert.strictEqual(calls?.type === "Histogram" && calls.state.count, 4)
    }).pipe(Effect.provide([live, Layer.succeed(Metric.MetricRegistry, new Map())])))
})
