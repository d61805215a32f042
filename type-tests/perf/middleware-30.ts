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
const M0 = Middleware.make("m0", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k0], reads: [S0.f0], writes: [S0.f7] },
      () => Effect.flatMap(Env.k0, (k) => S0.f7.set(k))
    )
  ]
})
const M1 = Middleware.make("m1", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k1], reads: [S0.f1], writes: [S0.f8] },
      () => Effect.flatMap(Env.k1, (k) => S0.f8.set(String(k)))
    )
  ]
})
const M2 = Middleware.make("m2", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k2], reads: [S0.f2], writes: [S0.f9] },
      () => Effect.flatMap(Env.k2, (k) => S0.f9.set(k))
    )
  ]
})
const M3 = Middleware.make("m3", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k3], reads: [S0.f3], writes: [S1.f0] },
      () => Effect.flatMap(Env.k3, (k) => S1.f0.set(String(k)))
    )
  ]
})
const M4 = Middleware.make("m4", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k4], reads: [S0.f4], writes: [S1.f1] },
      () => Effect.flatMap(Env.k4, (k) => S1.f1.set(k))
    )
  ]
})
const M5 = Middleware.make("m5", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k5], reads: [S0.f5], writes: [S1.f2] },
      () => Effect.flatMap(Env.k5, (k) => S1.f2.set(String(k)))
    )
  ]
})
const M6 = Middleware.make("m6", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k6], reads: [S0.f6], writes: [S1.f3] },
      () => Effect.flatMap(Env.k6, (k) => S1.f3.set(k))
    )
  ]
})
const M7 = Middleware.make("m7", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k7], reads: [S0.f7], writes: [S1.f4] },
      () => Effect.flatMap(Env.k7, (k) => S1.f4.set(String(k)))
    )
  ]
})
const M8 = Middleware.make("m8", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k8], reads: [S0.f8], writes: [S1.f5] },
      () => Effect.flatMap(Env.k8, (k) => S1.f5.set(k))
    )
  ]
})
const M9 = Middleware.make("m9", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k9], reads: [S0.f9], writes: [S1.f6] },
      () => Effect.flatMap(Env.k9, (k) => S1.f6.set(String(k)))
    )
  ],
  provides: [Middleware.provide(Env.k9, { context: [Env.k0] }, Effect.as(Env.k0, 0))]
})
const M10 = Middleware.make("m10", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k0], reads: [S1.f0], writes: [S1.f7] },
      () => Effect.flatMap(Env.k0, (k) => S1.f7.set(k))
    )
  ]
})
const M11 = Middleware.make("m11", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k1], reads: [S1.f1], writes: [S1.f8] },
      () => Effect.flatMap(Env.k1, (k) => S1.f8.set(String(k)))
    )
  ]
})
const M12 = Middleware.make("m12", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k2], reads: [S1.f2], writes: [S1.f9] },
      () => Effect.flatMap(Env.k2, (k) => S1.f9.set(k))
    )
  ]
})
const M13 = Middleware.make("m13", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k3], reads: [S1.f3], writes: [S2.f0] },
      () => Effect.flatMap(Env.k3, (k) => S2.f0.set(String(k)))
    )
  ]
})
const M14 = Middleware.make("m14", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k4], reads: [S1.f4], writes: [S2.f1] },
      () => Effect.flatMap(Env.k4, (k) => S2.f1.set(k))
    )
  ]
})
const M15 = Middleware.make("m15", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k5], reads: [S1.f5], writes: [S2.f2] },
      () => Effect.flatMap(Env.k5, (k) => S2.f2.set(String(k)))
    )
  ]
})
const M16 = Middleware.make("m16", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k6], reads: [S1.f6], writes: [S2.f3] },
      () => Effect.flatMap(Env.k6, (k) => S2.f3.set(k))
    )
  ]
})
const M17 = Middleware.make("m17", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k7], reads: [S1.f7], writes: [S2.f4] },
      () => Effect.flatMap(Env.k7, (k) => S2.f4.set(String(k)))
    )
  ]
})
const M18 = Middleware.make("m18", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k8], reads: [S1.f8], writes: [S2.f5] },
      () => Effect.flatMap(Env.k8, (k) => S2.f5.set(k))
    )
  ]
})
const M19 = Middleware.make("m19", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k9], reads: [S1.f9], writes: [S2.f6] },
      () => Effect.flatMap(Env.k9, (k) => S2.f6.set(String(k)))
    )
  ],
  provides: [Middleware.provide(Env.k9, { context: [Env.k0] }, Effect.as(Env.k0, 0))]
})
const M20 = Middleware.make("m20", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k0], reads: [S2.f0], writes: [S2.f7] },
      () => Effect.flatMap(Env.k0, (k) => S2.f7.set(k))
    )
  ]
})
const M21 = Middleware.make("m21", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k1], reads: [S2.f1], writes: [S2.f8] },
      () => Effect.flatMap(Env.k1, (k) => S2.f8.set(String(k)))
    )
  ]
})
const M22 = Middleware.make("m22", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k2], reads: [S2.f2], writes: [S2.f9] },
      () => Effect.flatMap(Env.k2, (k) => S2.f9.set(k))
    )
  ]
})
const M23 = Middleware.make("m23", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k3], reads: [S2.f3], writes: [S0.f0] },
      () => Effect.flatMap(Env.k3, (k) => S0.f0.set(String(k)))
    )
  ]
})
const M24 = Middleware.make("m24", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k4], reads: [S2.f4], writes: [S0.f1] },
      () => Effect.flatMap(Env.k4, (k) => S0.f1.set(k))
    )
  ]
})
const M25 = Middleware.make("m25", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k5], reads: [S2.f5], writes: [S0.f2] },
      () => Effect.flatMap(Env.k5, (k) => S0.f2.set(String(k)))
    )
  ]
})
const M26 = Middleware.make("m26", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k6], reads: [S2.f6], writes: [S0.f3] },
      () => Effect.flatMap(Env.k6, (k) => S0.f3.set(k))
    )
  ]
})
const M27 = Middleware.make("m27", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k7], reads: [S2.f7], writes: [S0.f4] },
      () => Effect.flatMap(Env.k7, (k) => S0.f4.set(String(k)))
    )
  ]
})
const M28 = Middleware.make("m28", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k8], reads: [S2.f8], writes: [S0.f5] },
      () => Effect.flatMap(Env.k8, (k) => S0.f5.set(k))
    )
  ]
})
const M29 = Middleware.make("m29", {
  hooks: [
    Middleware.beforeModel(
      { context: [Env.k9], reads: [S2.f9], writes: [S0.f6] },
      () => Effect.flatMap(Env.k9, (k) => S0.f6.set(String(k)))
    )
  ],
  provides: [Middleware.provide(Env.k9, { context: [Env.k0] }, Effect.as(Env.k0, 0))]
})
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
const A = Agent.make("a", {
  instructions: "",
  toolkit: Kit,
  middleware: [
    M0,
    M1,
    M2,
    M3,
    M4,
    M5,
    M6,
    M7,
    M8,
    M9,
    M10,
    M11,
    M12,
    M13,
    M14,
    M15,
    M16,
    M17,
    M18,
    M19,
    M20,
    M21,
    M22,
    M23,
    M24,
    M25,
    M26,
    M27,
    M28,
    M29
  ]
})
export const result: Promise<AgentRunner.AgentResult> = Effect.runPromise(
  AgentRunner.run(A, { session: "s", input: "" }).pipe(
    Effect.provide([
      KitLive,
      Infra,
      ToolContext.layer(A, { k0: "", k1: 0, k2: "", k3: 0, k4: "", k5: 0, k6: "", k7: 0, k8: "", k9: 0 })
    ])
  )
)
