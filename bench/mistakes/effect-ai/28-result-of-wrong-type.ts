// A handler gives a string where its tool declares a number.
import { Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

const Kit = Toolkit.make(Tool.make("add", { success: Schema.Int }))

// mistake: "3"
const KitLive = Kit.toLayer({ add: () => Effect.succeed("3") })

const program = LanguageModel.generateText({ prompt: "Add.", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("add")])
)

await verdict(() => Effect.runPromise(program))
