// Two calls of one step read a counter in a Ref, wait, and write it back one higher.
// Documented: `Ref.update` would add both.
import { Context, Effect, Ref, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class Counter extends Context.Service<Counter, Ref.Ref<{ readonly count: number }>>()("app/Counter") {}
const Kit = Toolkit.make(Tool.make("count", { success: Schema.Void, dependencies: [Counter] }))
const KitLive = Kit.toLayer({
  count: Effect.fnUntraced(function*() {
    const state = yield* Counter
    const { count } = yield* Ref.get(state)
    yield* Effect.sleep("5 millis")

    // mistake: another call may have written since
    yield* Ref.set(state, { count: count + 1 })
  })
})
const ref = Ref.makeUnsafe({ count: 0 })
const program = LanguageModel.generateText({ prompt: "Twice.", toolkit: Kit }).pipe(
  Effect.andThen(Ref.get(ref)),
  Effect.provide([KitLive, scripted("count", "count")]),
  Effect.provideService(Counter, ref)
)

await verdict(() => Effect.runPromise(program), { count: 2 })
