// A call waited for an approval; it is answered by a number where a boolean belongs.
import { Effect } from "effect"
import { LanguageModel } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

const program = LanguageModel.generateText({
  prompt: [{
    role: "tool",
    // mistake: 42
    content: [{ type: "tool-approval-response", approvalId: "approval-1", approved: 42 }]
  }]
}).pipe(Effect.map(({ text }) => text), Effect.provide(scripted()))

await verdict(() => Effect.runPromise(program))
