// Two packages each bring a tool called `search`.
import { Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

const Ours = Toolkit.make(Tool.make("search", { success: Schema.String }))
const Theirs = Toolkit.make(Tool.make("search", { success: Schema.Int }))
const OursLive = Ours.toLayer({ search: () => Effect.succeed("ours") })
const TheirsLive = Theirs.toLayer({ search: () => Effect.succeed(42) })

// mistake: two of one name
const Kit = Toolkit.merge(Ours, Theirs)

const program = LanguageModel.generateText({ prompt: "Search.", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([OursLive, TheirsLive, scripted("search")])
)

await verdict(() => Effect.runPromise(program))
