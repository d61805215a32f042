// A handler writes a string for a number into a Ref, where it keeps state.
import { Context, Effect, Ref, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class Counter extends Context.Service<Counter, Ref.Ref<{ readonly count: number }>>()("app/Counter") {}
const Kit = Toolkit.make(Tool.make("count", { success: Schema.Void, dependencies: [Counter] }))

// mistake: "one"
const KitLive = Kit.toLayer({
  count: () => Effect.flatMap(Counter, Ref.update((state) => ({ ...state, count: "one" })))
})

const ref = Ref.makeUnsafe({ count: 0 })
const program = LanguageModel.generateText({ prompt: "Count.", toolkit: Kit }).pipe(
  Effect.andThen(Ref.get(ref)),
  Effect.provide([KitLive, scripted("count")]),
  Effect.provideService(Counter, ref)
)

await verdict(() => Effect.runPromise(program))
