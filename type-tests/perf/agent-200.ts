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
const T50 = Tool.make("t50", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S2.f0, S0.f1],
  writes: [S2.f7]
})
const T51 = Tool.make("t51", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S2.f1, S0.f2],
  writes: [S2.f8]
})
const T52 = Tool.make("t52", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S2.f2, S0.f3],
  writes: [S2.f9]
})
const T53 = Tool.make("t53", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S2.f3, S0.f4],
  writes: [S0.f0]
})
const T54 = Tool.make("t54", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S2.f4, S0.f5],
  writes: [S0.f1]
})
const T55 = Tool.make("t55", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S2.f5, S0.f6],
  writes: [S0.f2]
})
const T56 = Tool.make("t56", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S2.f6, S0.f7],
  writes: [S0.f3]
})
const T57 = Tool.make("t57", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S2.f7, S0.f8],
  writes: [S0.f4]
})
const T58 = Tool.make("t58", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S2.f8, S0.f9],
  writes: [S0.f5]
})
const T59 = Tool.make("t59", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S2.f9, S1.f0],
  writes: [S0.f6]
})
const T60 = Tool.make("t60", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T61 = Tool.make("t61", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T62 = Tool.make("t62", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T63 = Tool.make("t63", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T64 = Tool.make("t64", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T65 = Tool.make("t65", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T66 = Tool.make("t66", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T67 = Tool.make("t67", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T68 = Tool.make("t68", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T69 = Tool.make("t69", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const T70 = Tool.make("t70", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T71 = Tool.make("t71", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T72 = Tool.make("t72", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T73 = Tool.make("t73", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T74 = Tool.make("t74", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T75 = Tool.make("t75", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T76 = Tool.make("t76", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T77 = Tool.make("t77", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T78 = Tool.make("t78", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T79 = Tool.make("t79", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S1.f9, S0.f0],
  writes: [S2.f6]
})
const T80 = Tool.make("t80", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S2.f0, S0.f1],
  writes: [S2.f7]
})
const T81 = Tool.make("t81", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S2.f1, S0.f2],
  writes: [S2.f8]
})
const T82 = Tool.make("t82", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S2.f2, S0.f3],
  writes: [S2.f9]
})
const T83 = Tool.make("t83", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S2.f3, S0.f4],
  writes: [S0.f0]
})
const T84 = Tool.make("t84", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S2.f4, S0.f5],
  writes: [S0.f1]
})
const T85 = Tool.make("t85", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S2.f5, S0.f6],
  writes: [S0.f2]
})
const T86 = Tool.make("t86", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S2.f6, S0.f7],
  writes: [S0.f3]
})
const T87 = Tool.make("t87", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S2.f7, S0.f8],
  writes: [S0.f4]
})
const T88 = Tool.make("t88", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S2.f8, S0.f9],
  writes: [S0.f5]
})
const T89 = Tool.make("t89", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S2.f9, S1.f0],
  writes: [S0.f6]
})
const T90 = Tool.make("t90", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T91 = Tool.make("t91", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T92 = Tool.make("t92", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T93 = Tool.make("t93", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T94 = Tool.make("t94", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T95 = Tool.make("t95", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T96 = Tool.make("t96", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T97 = Tool.make("t97", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T98 = Tool.make("t98", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T99 = Tool.make("t99", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const T100 = Tool.make("t100", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T101 = Tool.make("t101", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T102 = Tool.make("t102", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T103 = Tool.make("t103", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T104 = Tool.make("t104", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T105 = Tool.make("t105", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T106 = Tool.make("t106", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T107 = Tool.make("t107", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T108 = Tool.make("t108", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T109 = Tool.make("t109", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S1.f9, S0.f0],
  writes: [S2.f6]
})
const T110 = Tool.make("t110", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S2.f0, S0.f1],
  writes: [S2.f7]
})
const T111 = Tool.make("t111", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S2.f1, S0.f2],
  writes: [S2.f8]
})
const T112 = Tool.make("t112", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S2.f2, S0.f3],
  writes: [S2.f9]
})
const T113 = Tool.make("t113", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S2.f3, S0.f4],
  writes: [S0.f0]
})
const T114 = Tool.make("t114", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S2.f4, S0.f5],
  writes: [S0.f1]
})
const T115 = Tool.make("t115", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S2.f5, S0.f6],
  writes: [S0.f2]
})
const T116 = Tool.make("t116", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S2.f6, S0.f7],
  writes: [S0.f3]
})
const T117 = Tool.make("t117", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S2.f7, S0.f8],
  writes: [S0.f4]
})
const T118 = Tool.make("t118", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S2.f8, S0.f9],
  writes: [S0.f5]
})
const T119 = Tool.make("t119", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S2.f9, S1.f0],
  writes: [S0.f6]
})
const T120 = Tool.make("t120", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T121 = Tool.make("t121", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T122 = Tool.make("t122", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T123 = Tool.make("t123", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T124 = Tool.make("t124", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T125 = Tool.make("t125", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T126 = Tool.make("t126", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T127 = Tool.make("t127", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T128 = Tool.make("t128", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T129 = Tool.make("t129", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const T130 = Tool.make("t130", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T131 = Tool.make("t131", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T132 = Tool.make("t132", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T133 = Tool.make("t133", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T134 = Tool.make("t134", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T135 = Tool.make("t135", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T136 = Tool.make("t136", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T137 = Tool.make("t137", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T138 = Tool.make("t138", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T139 = Tool.make("t139", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S1.f9, S0.f0],
  writes: [S2.f6]
})
const T140 = Tool.make("t140", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S2.f0, S0.f1],
  writes: [S2.f7]
})
const T141 = Tool.make("t141", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S2.f1, S0.f2],
  writes: [S2.f8]
})
const T142 = Tool.make("t142", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S2.f2, S0.f3],
  writes: [S2.f9]
})
const T143 = Tool.make("t143", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S2.f3, S0.f4],
  writes: [S0.f0]
})
const T144 = Tool.make("t144", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S2.f4, S0.f5],
  writes: [S0.f1]
})
const T145 = Tool.make("t145", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S2.f5, S0.f6],
  writes: [S0.f2]
})
const T146 = Tool.make("t146", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S2.f6, S0.f7],
  writes: [S0.f3]
})
const T147 = Tool.make("t147", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S2.f7, S0.f8],
  writes: [S0.f4]
})
const T148 = Tool.make("t148", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S2.f8, S0.f9],
  writes: [S0.f5]
})
const T149 = Tool.make("t149", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S2.f9, S1.f0],
  writes: [S0.f6]
})
const T150 = Tool.make("t150", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T151 = Tool.make("t151", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T152 = Tool.make("t152", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T153 = Tool.make("t153", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T154 = Tool.make("t154", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T155 = Tool.make("t155", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T156 = Tool.make("t156", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T157 = Tool.make("t157", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T158 = Tool.make("t158", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T159 = Tool.make("t159", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const T160 = Tool.make("t160", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T161 = Tool.make("t161", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T162 = Tool.make("t162", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T163 = Tool.make("t163", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T164 = Tool.make("t164", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T165 = Tool.make("t165", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T166 = Tool.make("t166", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T167 = Tool.make("t167", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T168 = Tool.make("t168", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T169 = Tool.make("t169", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S1.f9, S0.f0],
  writes: [S2.f6]
})
const T170 = Tool.make("t170", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S2.f0, S0.f1],
  writes: [S2.f7]
})
const T171 = Tool.make("t171", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S2.f1, S0.f2],
  writes: [S2.f8]
})
const T172 = Tool.make("t172", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S2.f2, S0.f3],
  writes: [S2.f9]
})
const T173 = Tool.make("t173", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S2.f3, S0.f4],
  writes: [S0.f0]
})
const T174 = Tool.make("t174", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S2.f4, S0.f5],
  writes: [S0.f1]
})
const T175 = Tool.make("t175", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S2.f5, S0.f6],
  writes: [S0.f2]
})
const T176 = Tool.make("t176", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S2.f6, S0.f7],
  writes: [S0.f3]
})
const T177 = Tool.make("t177", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S2.f7, S0.f8],
  writes: [S0.f4]
})
const T178 = Tool.make("t178", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S2.f8, S0.f9],
  writes: [S0.f5]
})
const T179 = Tool.make("t179", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S2.f9, S1.f0],
  writes: [S0.f6]
})
const T180 = Tool.make("t180", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S0.f0, S1.f1],
  writes: [S0.f7]
})
const T181 = Tool.make("t181", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S0.f1, S1.f2],
  writes: [S0.f8]
})
const T182 = Tool.make("t182", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S0.f2, S1.f3],
  writes: [S0.f9]
})
const T183 = Tool.make("t183", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S0.f3, S1.f4],
  writes: [S1.f0]
})
const T184 = Tool.make("t184", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S0.f4, S1.f5],
  writes: [S1.f1]
})
const T185 = Tool.make("t185", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S0.f5, S1.f6],
  writes: [S1.f2]
})
const T186 = Tool.make("t186", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S0.f6, S1.f7],
  writes: [S1.f3]
})
const T187 = Tool.make("t187", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S0.f7, S1.f8],
  writes: [S1.f4]
})
const T188 = Tool.make("t188", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S0.f8, S1.f9],
  writes: [S1.f5]
})
const T189 = Tool.make("t189", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k9, Env.k2],
  reads: [S0.f9, S2.f0],
  writes: [S1.f6]
})
const T190 = Tool.make("t190", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k0, Env.k3],
  reads: [S1.f0, S2.f1],
  writes: [S1.f7]
})
const T191 = Tool.make("t191", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k1, Env.k4],
  reads: [S1.f1, S2.f2],
  writes: [S1.f8]
})
const T192 = Tool.make("t192", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k2, Env.k5],
  reads: [S1.f2, S2.f3],
  writes: [S1.f9]
})
const T193 = Tool.make("t193", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k3, Env.k6],
  reads: [S1.f3, S2.f4],
  writes: [S2.f0]
})
const T194 = Tool.make("t194", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k4, Env.k7],
  reads: [S1.f4, S2.f5],
  writes: [S2.f1]
})
const T195 = Tool.make("t195", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k5, Env.k8],
  reads: [S1.f5, S2.f6],
  writes: [S2.f2]
})
const T196 = Tool.make("t196", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k6, Env.k9],
  reads: [S1.f6, S2.f7],
  writes: [S2.f3]
})
const T197 = Tool.make("t197", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k7, Env.k0],
  reads: [S1.f7, S2.f8],
  writes: [S2.f4]
})
const T198 = Tool.make("t198", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String,
  context: [Env.k8, Env.k1],
  reads: [S1.f8, S2.f9],
  writes: [S2.f5]
})
const T199 = Tool.make("t199", {
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
  T49,
  T50,
  T51,
  T52,
  T53,
  T54,
  T55,
  T56,
  T57,
  T58,
  T59,
  T60,
  T61,
  T62,
  T63,
  T64,
  T65,
  T66,
  T67,
  T68,
  T69,
  T70,
  T71,
  T72,
  T73,
  T74,
  T75,
  T76,
  T77,
  T78,
  T79,
  T80,
  T81,
  T82,
  T83,
  T84,
  T85,
  T86,
  T87,
  T88,
  T89,
  T90,
  T91,
  T92,
  T93,
  T94,
  T95,
  T96,
  T97,
  T98,
  T99,
  T100,
  T101,
  T102,
  T103,
  T104,
  T105,
  T106,
  T107,
  T108,
  T109,
  T110,
  T111,
  T112,
  T113,
  T114,
  T115,
  T116,
  T117,
  T118,
  T119,
  T120,
  T121,
  T122,
  T123,
  T124,
  T125,
  T126,
  T127,
  T128,
  T129,
  T130,
  T131,
  T132,
  T133,
  T134,
  T135,
  T136,
  T137,
  T138,
  T139,
  T140,
  T141,
  T142,
  T143,
  T144,
  T145,
  T146,
  T147,
  T148,
  T149,
  T150,
  T151,
  T152,
  T153,
  T154,
  T155,
  T156,
  T157,
  T158,
  T159,
  T160,
  T161,
  T162,
  T163,
  T164,
  T165,
  T166,
  T167,
  T168,
  T169,
  T170,
  T171,
  T172,
  T173,
  T174,
  T175,
  T176,
  T177,
  T178,
  T179,
  T180,
  T181,
  T182,
  T183,
  T184,
  T185,
  T186,
  T187,
  T188,
  T189,
  T190,
  T191,
  T192,
  T193,
  T194,
  T195,
  T196,
  T197,
  T198,
  T199
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
  }),
  t50: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S2.f7.set(x)
    return `${x}${yield* S2.f0.get}${yield* S0.f1.get}`
  }),
  t51: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S2.f8.set(x)
    return `${x}${yield* S2.f1.get}${yield* S0.f2.get}`
  }),
  t52: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S2.f9.set(x)
    return `${x}${yield* S2.f2.get}${yield* S0.f3.get}`
  }),
  t53: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S0.f0.set(x)
    return `${x}${yield* S2.f3.get}${yield* S0.f4.get}`
  }),
  t54: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S0.f1.set(x)
    return `${x}${yield* S2.f4.get}${yield* S0.f5.get}`
  }),
  t55: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S0.f2.set(x)
    return `${x}${yield* S2.f5.get}${yield* S0.f6.get}`
  }),
  t56: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S0.f3.set(x)
    return `${x}${yield* S2.f6.get}${yield* S0.f7.get}`
  }),
  t57: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S0.f4.set(x)
    return `${x}${yield* S2.f7.get}${yield* S0.f8.get}`
  }),
  t58: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S0.f5.set(x)
    return `${x}${yield* S2.f8.get}${yield* S0.f9.get}`
  }),
  t59: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S0.f6.set(x)
    return `${x}${yield* S2.f9.get}${yield* S1.f0.get}`
  }),
  t60: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t61: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t62: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t63: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t64: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t65: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t66: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t67: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t68: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t69: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  }),
  t70: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t71: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t72: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t73: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t74: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t75: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t76: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t77: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t78: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t79: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S2.f6.set(x)
    return `${x}${yield* S1.f9.get}${yield* S0.f0.get}`
  }),
  t80: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S2.f7.set(x)
    return `${x}${yield* S2.f0.get}${yield* S0.f1.get}`
  }),
  t81: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S2.f8.set(x)
    return `${x}${yield* S2.f1.get}${yield* S0.f2.get}`
  }),
  t82: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S2.f9.set(x)
    return `${x}${yield* S2.f2.get}${yield* S0.f3.get}`
  }),
  t83: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S0.f0.set(x)
    return `${x}${yield* S2.f3.get}${yield* S0.f4.get}`
  }),
  t84: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S0.f1.set(x)
    return `${x}${yield* S2.f4.get}${yield* S0.f5.get}`
  }),
  t85: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S0.f2.set(x)
    return `${x}${yield* S2.f5.get}${yield* S0.f6.get}`
  }),
  t86: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S0.f3.set(x)
    return `${x}${yield* S2.f6.get}${yield* S0.f7.get}`
  }),
  t87: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S0.f4.set(x)
    return `${x}${yield* S2.f7.get}${yield* S0.f8.get}`
  }),
  t88: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S0.f5.set(x)
    return `${x}${yield* S2.f8.get}${yield* S0.f9.get}`
  }),
  t89: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S0.f6.set(x)
    return `${x}${yield* S2.f9.get}${yield* S1.f0.get}`
  }),
  t90: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t91: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t92: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t93: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t94: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t95: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t96: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t97: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t98: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t99: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  }),
  t100: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t101: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t102: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t103: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t104: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t105: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t106: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t107: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t108: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t109: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S2.f6.set(x)
    return `${x}${yield* S1.f9.get}${yield* S0.f0.get}`
  }),
  t110: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S2.f7.set(x)
    return `${x}${yield* S2.f0.get}${yield* S0.f1.get}`
  }),
  t111: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S2.f8.set(x)
    return `${x}${yield* S2.f1.get}${yield* S0.f2.get}`
  }),
  t112: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S2.f9.set(x)
    return `${x}${yield* S2.f2.get}${yield* S0.f3.get}`
  }),
  t113: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S0.f0.set(x)
    return `${x}${yield* S2.f3.get}${yield* S0.f4.get}`
  }),
  t114: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S0.f1.set(x)
    return `${x}${yield* S2.f4.get}${yield* S0.f5.get}`
  }),
  t115: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S0.f2.set(x)
    return `${x}${yield* S2.f5.get}${yield* S0.f6.get}`
  }),
  t116: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S0.f3.set(x)
    return `${x}${yield* S2.f6.get}${yield* S0.f7.get}`
  }),
  t117: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S0.f4.set(x)
    return `${x}${yield* S2.f7.get}${yield* S0.f8.get}`
  }),
  t118: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S0.f5.set(x)
    return `${x}${yield* S2.f8.get}${yield* S0.f9.get}`
  }),
  t119: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S0.f6.set(x)
    return `${x}${yield* S2.f9.get}${yield* S1.f0.get}`
  }),
  t120: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t121: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t122: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t123: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t124: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t125: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t126: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t127: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t128: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t129: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  }),
  t130: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t131: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t132: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t133: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t134: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t135: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t136: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t137: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t138: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t139: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S2.f6.set(x)
    return `${x}${yield* S1.f9.get}${yield* S0.f0.get}`
  }),
  t140: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S2.f7.set(x)
    return `${x}${yield* S2.f0.get}${yield* S0.f1.get}`
  }),
  t141: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S2.f8.set(x)
    return `${x}${yield* S2.f1.get}${yield* S0.f2.get}`
  }),
  t142: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S2.f9.set(x)
    return `${x}${yield* S2.f2.get}${yield* S0.f3.get}`
  }),
  t143: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S0.f0.set(x)
    return `${x}${yield* S2.f3.get}${yield* S0.f4.get}`
  }),
  t144: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S0.f1.set(x)
    return `${x}${yield* S2.f4.get}${yield* S0.f5.get}`
  }),
  t145: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S0.f2.set(x)
    return `${x}${yield* S2.f5.get}${yield* S0.f6.get}`
  }),
  t146: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S0.f3.set(x)
    return `${x}${yield* S2.f6.get}${yield* S0.f7.get}`
  }),
  t147: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S0.f4.set(x)
    return `${x}${yield* S2.f7.get}${yield* S0.f8.get}`
  }),
  t148: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S0.f5.set(x)
    return `${x}${yield* S2.f8.get}${yield* S0.f9.get}`
  }),
  t149: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S0.f6.set(x)
    return `${x}${yield* S2.f9.get}${yield* S1.f0.get}`
  }),
  t150: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t151: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t152: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t153: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t154: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t155: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t156: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t157: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t158: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t159: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  }),
  t160: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t161: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t162: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t163: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t164: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t165: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t166: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t167: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t168: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t169: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S2.f6.set(x)
    return `${x}${yield* S1.f9.get}${yield* S0.f0.get}`
  }),
  t170: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S2.f7.set(x)
    return `${x}${yield* S2.f0.get}${yield* S0.f1.get}`
  }),
  t171: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S2.f8.set(x)
    return `${x}${yield* S2.f1.get}${yield* S0.f2.get}`
  }),
  t172: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S2.f9.set(x)
    return `${x}${yield* S2.f2.get}${yield* S0.f3.get}`
  }),
  t173: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S0.f0.set(x)
    return `${x}${yield* S2.f3.get}${yield* S0.f4.get}`
  }),
  t174: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S0.f1.set(x)
    return `${x}${yield* S2.f4.get}${yield* S0.f5.get}`
  }),
  t175: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S0.f2.set(x)
    return `${x}${yield* S2.f5.get}${yield* S0.f6.get}`
  }),
  t176: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S0.f3.set(x)
    return `${x}${yield* S2.f6.get}${yield* S0.f7.get}`
  }),
  t177: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S0.f4.set(x)
    return `${x}${yield* S2.f7.get}${yield* S0.f8.get}`
  }),
  t178: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S0.f5.set(x)
    return `${x}${yield* S2.f8.get}${yield* S0.f9.get}`
  }),
  t179: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S0.f6.set(x)
    return `${x}${yield* S2.f9.get}${yield* S1.f0.get}`
  }),
  t180: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  }),
  t181: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S0.f8.set(x)
    return `${x}${yield* S0.f1.get}${yield* S1.f2.get}`
  }),
  t182: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S0.f9.set(x)
    return `${x}${yield* S0.f2.get}${yield* S1.f3.get}`
  }),
  t183: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S1.f0.set(x)
    return `${x}${yield* S0.f3.get}${yield* S1.f4.get}`
  }),
  t184: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S1.f1.set(x)
    return `${x}${yield* S0.f4.get}${yield* S1.f5.get}`
  }),
  t185: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S1.f2.set(x)
    return `${x}${yield* S0.f5.get}${yield* S1.f6.get}`
  }),
  t186: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S1.f3.set(x)
    return `${x}${yield* S0.f6.get}${yield* S1.f7.get}`
  }),
  t187: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S1.f4.set(x)
    return `${x}${yield* S0.f7.get}${yield* S1.f8.get}`
  }),
  t188: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S1.f5.set(x)
    return `${x}${yield* S0.f8.get}${yield* S1.f9.get}`
  }),
  t189: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k9}${yield* Env.k2}`
    yield* S1.f6.set(x)
    return `${x}${yield* S0.f9.get}${yield* S2.f0.get}`
  }),
  t190: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S1.f7.set(x)
    return `${x}${yield* S1.f0.get}${yield* S2.f1.get}`
  }),
  t191: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k1}${yield* Env.k4}`
    yield* S1.f8.set(x)
    return `${x}${yield* S1.f1.get}${yield* S2.f2.get}`
  }),
  t192: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k2}${yield* Env.k5}`
    yield* S1.f9.set(x)
    return `${x}${yield* S1.f2.get}${yield* S2.f3.get}`
  }),
  t193: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k3}${yield* Env.k6}`
    yield* S2.f0.set(x)
    return `${x}${yield* S1.f3.get}${yield* S2.f4.get}`
  }),
  t194: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k4}${yield* Env.k7}`
    yield* S2.f1.set(x)
    return `${x}${yield* S1.f4.get}${yield* S2.f5.get}`
  }),
  t195: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k5}${yield* Env.k8}`
    yield* S2.f2.set(x)
    return `${x}${yield* S1.f5.get}${yield* S2.f6.get}`
  }),
  t196: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k6}${yield* Env.k9}`
    yield* S2.f3.set(x)
    return `${x}${yield* S1.f6.get}${yield* S2.f7.get}`
  }),
  t197: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k7}${yield* Env.k0}`
    yield* S2.f4.set(x)
    return `${x}${yield* S1.f7.get}${yield* S2.f8.get}`
  }),
  t198: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k8}${yield* Env.k1}`
    yield* S2.f5.set(x)
    return `${x}${yield* S1.f8.get}${yield* S2.f9.get}`
  }),
  t199: Effect.fnUntraced(function*({ a, b, c }) {
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
