// Two packages each have a service of one key, with different types; a tool needs each.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class Ours extends Context.Service<Ours, { readonly id: string }>()("app/Id") {}

// mistake: the same key
class Theirs extends Context.Service<Theirs, { readonly id: number }>()("app/Id") {}

const A = Tool.make("a", { success: Schema.Number, dependencies: [Ours] })
const B = Tool.make("b", { success: Schema.String, dependencies: [Theirs] })
const Kit = Toolkit.make(A, B)
const KitLive = Kit.toLayer({
  a: () => Effect.map(Ours, ({ id }) => id.length),
  b: () => Effect.map(Theirs, ({ id }) => id.toFixed(1))
})
const program = LanguageModel.generateText({ prompt: "Go.", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("a", "b")]),
  Effect.provideService(Ours, { id: "x" }),
  Effect.provideService(Theirs, { id: 1 })
)

await verdict(() => Effect.runPromise(program), [1, "1.0"])
