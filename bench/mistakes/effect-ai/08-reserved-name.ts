// A service of the user has the key of one of the framework's, the model's.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class Mine extends Context.Service<Mine, { readonly id: string }>()(
  // mistake: the key
  "effect/ai/LanguageModel"
) {}
const Kit = Toolkit.make(Tool.make("who", { success: Schema.String, dependencies: [Mine] }))
const KitLive = Kit.toLayer({ who: () => Effect.map(Mine, ({ id }) => `user=${id}`) })
const program = LanguageModel.generateText({ prompt: "Who am I?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")]),
  Effect.provideService(Mine, { id: "u1" })
)

await verdict(() => Effect.runPromise(program), ["user=u1"])
