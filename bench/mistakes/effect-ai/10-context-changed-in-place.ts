// A handler changes what the caller provided.
// Documented: compile, where its type is read-only.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly role: string }>()("app/User") {}
const Kit = Toolkit.make(Tool.make("promote", { success: Schema.Void, dependencies: [User] }))
const KitLive = Kit.toLayer({
  promote: Effect.fnUntraced(function*() {
    const user = yield* User

    // mistake
    user.role = "admin"
  })
})
const user = { role: "guest" }
const program = LanguageModel.generateText({ prompt: "Promote me.", toolkit: Kit }).pipe(
  Effect.map(() => user.role),
  Effect.provide([KitLive, scripted("promote")]),
  Effect.provideService(User, user)
)

await verdict(() => Effect.runPromise(program), "guest")
