import { Effect, type Layer, Schema } from "effect"
import { LanguageModel, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Middleware, type SessionStore, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
const T0 = AiTool.make("t0", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T1 = AiTool.make("t1", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T2 = AiTool.make("t2", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T3 = AiTool.make("t3", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T4 = AiTool.make("t4", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T5 = AiTool.make("t5", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T6 = AiTool.make("t6", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T7 = AiTool.make("t7", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T8 = AiTool.make("t8", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T9 = AiTool.make("t9", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const Kit = AiToolkit.make(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)
const KitLive = Kit.toLayer({
  t0: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t1: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t2: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t3: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t4: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t5: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t6: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t7: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t8: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t9: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  })
})
declare const Infra: Layer.Layer<LanguageModel.LanguageModel>
export const result = Effect.runPromise(
  LanguageModel.generateText({ prompt: "", toolkit: Kit }).pipe(Effect.provide([KitLive, Infra]))
)
