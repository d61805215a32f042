// The option `toolChoice` is misspelt.
import { Effect } from "effect"
import { LanguageModel } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

// mistake: toolChioce
const program = LanguageModel.generateText({ prompt: "Hello.", toolChioce: "none" }).pipe(
  Effect.map(({ text }) => text),
  Effect.provide(scripted())
)

await verdict(() => Effect.runPromise(program))
