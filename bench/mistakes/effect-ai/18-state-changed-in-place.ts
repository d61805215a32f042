// A handler pushes into the array that it read from a Ref, where it keeps state.
// Documented: compile, where its type is read-only.
import { Context, Effect, Ref, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class List extends Context.Service<List, Ref.Ref<ReadonlyArray<string>>>()("app/List") {}
const Kit = Toolkit.make(Tool.make("add", { success: Schema.Void, dependencies: [List] }))
const KitLive = Kit.toLayer({
  add: Effect.fnUntraced(function*() {
    const items = yield* Effect.flatMap(List, Ref.get)

    // mistake
    items.push("bread")
  })
})
const ref = Ref.makeUnsafe<ReadonlyArray<string>>([])
const program = LanguageModel.generateText({ prompt: "Bread.", toolkit: Kit }).pipe(
  Effect.andThen(Ref.get(ref)),
  Effect.provide([KitLive, scripted("add")]),
  Effect.provideService(List, ref)
)

await verdict(() => Effect.runPromise(program), ["bread"])
