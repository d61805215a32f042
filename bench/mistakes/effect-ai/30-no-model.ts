// Nobody provides a model.
import { Effect } from "effect"
import { LanguageModel } from "effect/ai"
import { verdict } from "./harness.ts"

const program = Effect.map(LanguageModel.generateText({ prompt: "Hello." }), ({ text }) => text)

// mistake: no LanguageModel
await verdict(() => Effect.runPromise(program))
