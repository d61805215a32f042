// A handler reads a Ref, where state is kept, which its tool does not depend on.
import { Context, Effect, Ref, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class Counter extends Context.Service<Counter, Ref.Ref<{ readonly count: number }>>()("app/Counter") {}
const Kit = Toolkit.make(Tool.make("look", { success: Schema.String }))

// mistake: no Counter
const KitLive = Kit.toLayer({
  look: () => Effect.map(Effect.flatMap(Counter, Ref.get), ({ count }) => `count=${count}`)
})

const program = LanguageModel.generateText({ prompt: "How many?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("look")])
)

await verdict(() => Effect.runPromise(program))
