// SessionStore
// cure: Provide a model and a `SessionStore`: `ScriptedModel.layer` and `SessionStore.layerMemory` in tests.
import { Effect, type Layer } from "effect"
import type { LanguageModel } from "effect/ai"
import { Agent, AgentRunner } from "tenon"

declare const Model: Layer.Layer<LanguageModel.LanguageModel>
const program = AgentRunner.run(Agent.make("a", { instructions: "" }), { session: "s-1", input: "" })

// error: SessionStore
Effect.runPromise(Effect.provide(program, Model))

// error: LanguageModel
Effect.runPromise(program)
