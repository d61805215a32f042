// Nobody wrote the handler of a tool.
import { Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

const Kit = Toolkit.make(Tool.make("add", { success: Schema.Int }))
const program = LanguageModel.generateText({ prompt: "Add.", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide(scripted("add"))
)

// mistake: no handler
await verdict(() => Effect.runPromise(program))
