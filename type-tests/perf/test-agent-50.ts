import { Effect, type Layer, Schema } from "effect"
import { type LanguageModel, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Middleware, type SessionStore, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { TestAgent } from "tenon/testing"

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
const T10 = Tool.make("t10", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T11 = Tool.make("t11", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T12 = Tool.make("t12", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T13 = Tool.make("t13", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T14 = Tool.make("t14", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T15 = Tool.make("t15", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T16 = Tool.make("t16", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T17 = Tool.make("t17", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T18 = Tool.make("t18", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T19 = Tool.make("t19", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S1.f9, S0.f0],
  writes: [S2.f6]
})
const T20 = Tool.make("t20", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S2.f0, S0.f1],
  writes: [S2.f7]
})
const T21 = Tool.make("t21", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S2.f1, S0.f2],
  writes: [S2.f8]
})
const T22 = Tool.make("t22", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S2.f2, S0.f3],
  writes: [S2.f9]
})
const T23 = Tool.make("t23", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S2.f3, S0.f4],
  writes: [S0.f0]
})
const T24 = Tool.make("t24", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S2.f4, S0.f5],
  writes: [S0.f1]
})
const T25 = Tool.make("t25", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S2.f5, S0.f6],
  writes: [S0.f2]
})
const T26 = Tool.make("t26", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S2.f6, S0.f7],
  writes: [S0.f3]
})
const T27 = Tool.make("t27", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S2.f7, S0.f8],
  writes: [S0.f4]
})
const T28 = Tool.make("t28", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S2.f8, S0.f9],
  writes: [S0.f5]
})
const T29 = Tool.make("t29", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S2.f9, S1.f0],
  writes: [S0.f6]
})
const T30 = Tool.make("t30", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T31 = Tool.make("t31", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T32 = Tool.make("t32", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T33 = Tool.make("t33", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T34 = Tool.make("t34", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T35 = Tool.make("t35", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T36 = Tool.make("t36", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T37 = Tool.make("t37", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T38 = Tool.make("t38", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T39 = Tool.make("t39", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const T40 = Tool.make("t40", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T41 = Tool.make("t41", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T42 = Tool.make("t42", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T43 = Tool.make("t43", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T44 = Tool.make("t44", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T45 = Tool.make("t45", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T46 = Tool.make("t46", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T47 = Tool.make("t47", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T48 = Tool.make("t48", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T49 = Tool.make("t49", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S1.f9, S0.f0],
  writes: [S2.f6]
})
const Kit = Toolkit.make(
  T0,
  T1,
  T2,
  T3,
  T4,
  T5,
  T6,
  T7,
  T8,
  T9,
  T10,
  T11,
  T12,
  T13,
  T14,
  T15,
  T16,
  T17,
  T18,
  T19,
  T20,
  T21,
  T22,
  T23,
  T24,
  T25,
  T26,
  T27,
  T28,
  T29,
  T30,
  T31,
  T32,
  T33,
  T34,
  T35,
  T36,
  T37,
  T38,
  T39,
  T40,
  T41,
  T42,
  T43,
  T44,
  T45,
  T46,
  T47,
  T48,
  T49
)
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
  }),
  t10: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t11: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t12: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t13: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t14: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t15: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t16: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t17: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t18: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t19: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S2.f6.set(x)
    return `${x}${yield* S1.f9.get}${yield* S0.f0.get}`
  }),
  t20: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S2.f7.set(x)
    return `${x}${yield* S2.f0.get}${yield* S0.f1.get}`
  }),
  t21: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S2.f8.set(x)
    return `${x}${yield* S2.f1.get}${yield* S0.f2.get}`
  }),
  t22: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S2.f9.set(x)
    return `${x}${yield* S2.f2.get}${yield* S0.f3.get}`
  }),
  t23: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S0.f0.set(x)
    return `${x}${yield* S2.f3.get}${yield* S0.f4.get}`
  }),
  t24: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S0.f1.set(x)
    return `${x}${yield* S2.f4.get}${yield* S0.f5.get}`
  }),
  t25: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S0.f2.set(x)
    return `${x}${yield* S2.f5.get}${yield* S0.f6.get}`
  }),
  t26: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S0.f3.set(x)
    return `${x}${yield* S2.f6.get}${yield* S0.f7.get}`
  }),
  t27: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S0.f4.set(x)
    return `${x}${yield* S2.f7.get}${yield* S0.f8.get}`
  }),
  t28: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S0.f5.set(x)
    return `${x}${yield* S2.f8.get}${yield* S0.f9.get}`
  }),
  t29: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S0.f6.set(x)
    return `${x}${yield* S2.f9.get}${yield* S1.f0.get}`
  }),
  t30: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t31: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t32: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t33: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t34: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t35: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t36: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t37: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t38: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t39: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  }),
  t40: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t41: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t42: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t43: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t44: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t45: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t46: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t47: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t48: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t49: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S2.f6.set(x)
    return `${x}${yield* S1.f9.get}${yield* S0.f0.get}`
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

export const tested = Effect.gen(function*() {
  const test = yield* TestAgent.make(A, {
    context: { k0: "", k1: 0, k2: "", k3: 0, k4: "", k5: 0, k6: "", k7: 0, k8: "", k9: 0 },
    layer: KitLive,
    mocks: { t0: ({ a }) => Effect.succeed(a) }
  })
  const run = yield* test.run("")
  return [run.text, (yield* test.call(T1, { a: "", b: 0, c: true })).value]
})
