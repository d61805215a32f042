import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, ExecutionPlan, Fiber, Layer, Schedule, Schema, Stream, Tracer } from "effect"
import { AiError, LanguageModel, Model } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, AgentRunner, ModelPlan, SessionStore, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const { call, fail, text } = ScriptedModel

const overloaded = new AiError.InternalProviderError({ description: "overloaded" })
const down = fail(overloaded)
const Count = Tool.make("count", { success: Schema.Int })
const kit = Toolkit.make(Count)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const go = { session: "s", input: "Go." } as const

/** The handler, and how often it ran. */
const counting = () => {
  let times = 0
  return { times: () => times, live: Toolkit.layer(kit, { count: () => Effect.sync(() => ++times) }) }
}

describe("ModelPlan.layer", () => {
  it.effect("asks again, then the next model; tools never run twice", () => {
    const { live, times } = counting()
    const requests: Array<string> = []
    const noting = (name: string, turn: ScriptedModel.Turn) => () => {
      requests.push(name)
      return turn
    }
    const models = ModelPlan.layer(ExecutionPlan.make(
      {
        provide: ScriptedModel.layer([
          noting("a", call("count")),
          noting("a", down),
          noting("a", down)
        ]),
        attempts: 2
      },
      { provide: ScriptedModel.layer([noting("b", text("Counted."))]) }
    ))
    return Effect.gen(function*() {
      const result = yield* AgentRunner.run(agent, go)
      assert.strictEqual(result._tag === "Completed" && result.text, "Counted.")
      assert.deepStrictEqual([requests, times()], [["a", "a", "a", "b"], 1])
      assert.strictEqual(result.usage.steps, 2)
    }).pipe(Effect.provide([models, live, SessionStore.layerMemory]))
  })

  it.effect("waits as its schedule says", () => {
    const models = ModelPlan.layer(ExecutionPlan.make({
      provide: ScriptedModel.layer([down, text("There.")]),
      attempts: 2,
      schedule: Schedule.spaced("1 minute")
    }))
    return Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(AgentRunner.run(agent, go))
      yield* TestClock.adjust("59 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(result._tag === "Completed" && result.text, "There.")
    }).pipe(Effect.provide([models, counting().live, SessionStore.layerMemory]))
  })

  it.effect("fails as the last model does, and leaves a session that goes on", () => {
    const models = ModelPlan.layer(ExecutionPlan.make(
      { provide: ScriptedModel.layer([down, text("Back.")]) },
      { provide: ScriptedModel.layer([down]) }
    ))
    return Effect.gen(function*() {
      const { reason } = yield* Effect.flip(AgentRunner.run(agent, go))
      assert.strictEqual(reason._tag, "ModelFailed")
      const result = yield* AgentRunner.run(agent, go)
      assert.strictEqual(result._tag === "Completed" && result.text, "Back.")
    }).pipe(Effect.provide([models, counting().live, SessionStore.layerMemory]))
  })

  it.effect("tells a stream's reader that the parts of a failed attempt count no more", () => {
    const broken = Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: () => Effect.die("not asked"),
        streamText: () =>
          Stream.concat(
            Stream.fromIterable(
              [
                { type: "text-start", id: "t" },
                { type: "text-delta", id: "t", delta: "Half" }
              ] as const
            ),
            Stream.fail(AiError.make({ module: "test", method: "streamText", reason: overloaded }))
          )
      })
    )
    const models = ModelPlan.layer(ExecutionPlan.make(
      { provide: broken },
      { provide: ScriptedModel.layer([text("Whole.")]) }
    ))
    return Effect.gen(function*() {
      const items = yield* Stream.runCollect(AgentRunner.stream(agent, go))
      const shown = items.flatMap((item) =>
        item._tag === "Discarded" ? ["discarded"] : item._tag === "Part" ? [item.part.type] : []
      )
      assert.deepStrictEqual(shown, [
        "text-start",
        "text-delta",
        "discarded",
        "text-start",
        "text-delta",
        "text-end",
        "finish"
      ])
      const last = items.at(-1)
      assert.strictEqual(last?._tag === "Result" && last.result._tag === "Completed" && last.result.text, "Whole.")
    }).pipe(Effect.provide([models, counting().live, SessionStore.layerMemory]))
  })

  it.effect("needs what its models need", () => {
    class Key extends Context.Service<Key, string>()("test/Key") {}
    const models = ModelPlan.layer(ExecutionPlan.make({
      provide: Layer.unwrap(Effect.map(Key, (key) => ScriptedModel.layer([text(`With ${key}.`)])))
    }))
    return Effect.gen(function*() {
      const result = yield* AgentRunner.run(agent, go)
      assert.strictEqual(result._tag === "Completed" && result.text, "With a key.")
    }).pipe(Effect.provide([
      Layer.provide(models, Layer.succeed(Key, "a key")),
      counting().live,
      SessionStore.layerMemory
    ]))
  })
})

describe("ModelPlan.forAgent", () => {
  const low = Agent.make("low", { instructions: "" })
  const mid = Agent.make("mid", { instructions: "", subAgents: [SubAgent.make(low)] })
  const top = Agent.make("top", { instructions: "", subAgents: [SubAgent.make(mid)] })

  it.effect("gives an agent its own model; those below it use that one", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const noting = (model: string, turn: ScriptedModel.Turn) => ({ agent }: ScriptedModel.Request) => {
        asked.push(`${agent} asks ${model}`)
        return turn
      }
      const large = ScriptedModel.layer([
        noting("large", call("mid", { task: "t" })),
        noting("large", text("Done."))
      ])
      const small = ScriptedModel.layer({
        mid: [noting("small", call("low", { task: "t" })), noting("small", text("Mid."))],
        low: [noting("small", text("Low."))]
      })
      yield* AgentRunner.run(top, go).pipe(
        Effect.provide([large, ModelPlan.forAgent(mid, small), SessionStore.layerMemory])
      )
      assert.deepStrictEqual(asked, [
        "top asks large",
        "mid asks small",
        "low asks small",
        "mid asks small",
        "top asks large"
      ])
    }))

  it.effect("is named in spans as its layer names it", () =>
    Effect.gen(function*() {
      const named = Layer.merge(ScriptedModel.layer([text("Low.")]), Layer.succeed(Model.ModelName, "small"))
      const spans: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          spans.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      yield* AgentRunner.run(low, go).pipe(
        Effect.withTracer(tracer),
        Effect.provide([ModelPlan.forAgent(low, named), ScriptedModel.layer([]), SessionStore.layerMemory])
      )
      assert.include(spans, "chat small")
    }))
})
