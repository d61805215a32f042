import { Effect, type Layer, Schema } from "effect"
import { type LanguageModel, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Middleware, type SessionStore, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"

const Env = ToolContext.make({
  k0: Schema.String,
  k1: Schema.Int,
  k2: Schema.String,
  k3: Schema.Int,
  k4: Schema.String,
  k5: Schema.Int,
  k6: Schema.String,
  k7: Schema.Int,
  k8: Schema.String,
  k9: Schema.Int
})
const S0 = State.make("s0", {
  f0: State.field(Schema.String, { initial: "" }),
  f1: State.field(Schema.String, { initial: "" }),
  f2: State.field(Schema.String, { initial: "" }),
  f3: State.field(Schema.String, { initial: "" }),
  f4: State.field(Schema.String, { initial: "" }),
  f5: State.field(Schema.String, { initial: "" }),
  f6: State.field(Schema.String, { initial: "" }),
  f7: State.field(Schema.String, { initial: "" }),
  f8: State.field(Schema.String, { initial: "" }),
  f9: State.field(Schema.String, { initial: "" })
})
const S1 = State.make("s1", {
  f0: State.field(Schema.String, { initial: "" }),
  f1: State.field(Schema.String, { initial: "" }),
  f2: State.field(Schema.String, { initial: "" }),
  f3: State.field(Schema.String, { initial: "" }),
  f4: State.field(Schema.String, { initial: "" }),
  f5: State.field(Schema.String, { initial: "" }),
  f6: State.field(Schema.String, { initial: "" }),
  f7: State.field(Schema.String, { initial: "" }),
  f8: State.field(Schema.String, { initial: "" }),
  f9: State.field(Schema.String, { initial: "" })
})
const S2 = State.make("s2", {
  f0: State.field(Schema.String, { initial: "" }),
  f1: State.field(Schema.String, { initial: "" }),
  f2: State.field(Schema.String, { initial: "" }),
  f3: State.field(Schema.String, { initial: "" }),
  f4: State.field(Schema.String, { initial: "" }),
  f5: State.field(Schema.String, { initial: "" }),
  f6: State.field(Schema.String, { initial: "" }),
  f7: State.field(Schema.String, { initial: "" }),
  f8: State.field(Schema.String, { initial: "" }),
  f9: State.field(Schema.String, { initial: "" })
})
declare const Infra: Layer.Layer<LanguageModel.LanguageModel | SessionStore.SessionStore>
const T0 = Tool.make("t0", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T1 = Tool.make("t1", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T2 = Tool.make("t2", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T3 = Tool.make("t3", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T4 = Tool.make("t4", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T5 = Tool.make("t5", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T6 = Tool.make("t6", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T7 = Tool.make("t7", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T8 = Tool.make("t8", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T9 = Tool.make("t9", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const Kit = Toolkit.make(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)
const KitLive = Toolkit.layer(Kit, {
  t0: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t1: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t2: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t3: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t4: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t5: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t6: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t7: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t8: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t9: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  })
})
const A = Agent.make("a", { instructions: "", toolkit: Kit })
export const result: Promise<AgentRunner.AgentResult> = Effect.runPromise(
  AgentRunner.run(A, { session: "s", input: "" }).pipe(
    Effect.provide([
      KitLive,
      Infra,
      ToolContext.layer(A, { k0: "", k1: 0, k2: "", k3: 0, k4: "", k5: 0, k6: "", k7: 0, k8: "", k9: 0 })
    ])
  )
)
