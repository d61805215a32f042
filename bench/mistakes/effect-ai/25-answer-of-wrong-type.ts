// A call waited for an approval; it is answered by a number where a boolean belongs.
import { Effect } from "effect"
import { LanguageModel } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

// mistake: 42
const program = LanguageModel.generateText({
  prompt: [{
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: "approval-1", approved: 42 }]
  }]
}).pipe(Effect.map(({ text }) => text), Effect.provide(scripted()))

await verdict(() => Effect.runPromise(program))
