// A handler reads a value by a misspelt name.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly id: string }>()("app/User") {}
const Who = Tool.make("who", { success: Schema.String, dependencies: [User] })
const Kit = Toolkit.make(Who)

// mistake: ID
const KitLive = Kit.toLayer({ who: () => Effect.map(User, (user) => `user=${user.ID}`) })

const program = LanguageModel.generateText({ prompt: "Who am I?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")]),
  Effect.provideService(User, { id: "u1" })
)

await verdict(() => Effect.runPromise(program))
