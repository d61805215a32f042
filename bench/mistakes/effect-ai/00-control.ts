// A tool reads a service that the caller provides.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly id: string }>()("app/User") {}
const Who = Tool.make("who", { success: Schema.String, dependencies: [User] })
const Kit = Toolkit.make(Who)
const KitLive = Kit.toLayer({ who: () => Effect.map(User, ({ id }) => `user=${id}`) })
const program = LanguageModel.generateText({ prompt: "Who am I?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")]),
  Effect.provideService(User, { id: "u1" })
)

await verdict(() => Effect.runPromise(program), ["user=u1"])
