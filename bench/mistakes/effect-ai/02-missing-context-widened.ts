// The toolkit is in a variable of the widest type, and the caller leaves out the service.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly id: string }>()("app/User") {}
const Who = Tool.make("who", { success: Schema.String, dependencies: [User] })
const Kit = Toolkit.make(Who)
const KitLive = Kit.toLayer({ who: () => Effect.map(User, ({ id }) => `user=${id}`) })
const kit: Toolkit.Toolkit<any> = Kit

const program = LanguageModel.generateText({ prompt: "Who am I?", toolkit: kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")])
)

// mistake: no User
await verdict(() => Effect.runPromise(program))
