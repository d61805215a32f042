// A handler reads state, which it keeps in a Ref, by a misspelt name.
import { Context, Effect, Ref, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class Counter extends Context.Service<Counter, Ref.Ref<{ readonly count: number }>>()("app/Counter") {}
const Kit = Toolkit.make(Tool.make("look", { success: Schema.String, dependencies: [Counter] }))

// mistake: conut
const KitLive = Kit.toLayer({
  look: () => Effect.map(Effect.flatMap(Counter, Ref.get), (state) => `count=${state.conut}`)
})

const program = LanguageModel.generateText({ prompt: "How many?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("look")]),
  Effect.provideServiceEffect(Counter, Ref.make({ count: 0 }))
)

await verdict(() => Effect.runPromise(program))
