// A fiber that a call leaves behind writes a Ref once the run is over.
import { Context, Effect, Fiber, Ref, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class Counter extends Context.Service<Counter, Ref.Ref<{ readonly count: number }>>()("app/Counter") {}
const Kit = Toolkit.make(Tool.make("count", { success: Schema.Void, dependencies: [Counter] }))
const left: Array<Fiber.Fiber<void>> = []
const KitLive = Kit.toLayer({
  count: Effect.fnUntraced(function*() {
    const state = yield* Counter

    // mistake: nobody waits for it
    left.push(yield* Effect.forkDetach(Effect.delay(Ref.set(state, { count: 1 }), "20 millis")))
  })
})
const ref = Ref.makeUnsafe({ count: 0 })
const program = LanguageModel.generateText({ prompt: "Count.", toolkit: Kit }).pipe(
  Effect.andThen(Effect.suspend(() => Fiber.joinAll(left))),
  Effect.andThen(Ref.get(ref)),
  Effect.provide([KitLive, scripted("count")]),
  Effect.provideService(Counter, ref)
)

await verdict(() => Effect.runPromise(program))
