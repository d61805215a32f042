// A handler reads a service by `Effect.serviceOption`, which leaves no trace in its type; nobody provides it.
import { Context, Effect, Option, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly id: string }>()("app/User") {}
const Who = Tool.make("who", { success: Schema.String })
const Kit = Toolkit.make(Who)
const KitLive = Kit.toLayer({
  // mistake: User is in no contract
  who: () => Effect.map(Effect.serviceOption(User), (user) => `user=${Option.getOrUndefined(user)?.id}`)
})
const program = LanguageModel.generateText({ prompt: "Who am I?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")])
)

await verdict(() => Effect.runPromise(program))
