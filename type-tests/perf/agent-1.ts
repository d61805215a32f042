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
const Kit = Toolkit.make(T0)
const KitLive = Toolkit.layer(Kit, {
  t0: Effect.fnUntraced(function*({ a, b, c }) {
    const x = `${a}${b}${c}${yield* Env.k0}${yield* Env.k3}`
    yield* S0.f7.set(x)
    return `${x}${yield* S0.f0.get}${yield* S1.f1.get}`
  })
})
const A = Agent.make("a", { instructions: "", toolkit: Kit })
export const result: Promise<AgentRunner.AgentResult> = Effect.runPromise(
  AgentRunner.run(A, { session: "s", input: "" }).pipe(
    Effect.provide([
      KitLive,
      Infra,
      ToolContext.layer(A, { k0: "", k3: 0 })
    ])
  )
)
