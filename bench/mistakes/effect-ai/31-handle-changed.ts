// A handler changes an instance of a class, which the caller provided.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class Person {
  role = "guest"
}
class User extends Context.Service<User, Person>()("app/User") {}
const Kit = Toolkit.make(Tool.make("promote", { success: Schema.Void, dependencies: [User] }))
const KitLive = Kit.toLayer({
  promote: Effect.fnUntraced(function*() {
    const user = yield* User

    // mistake
    user.role = "admin"
  })
})
const user = new Person()
const program = LanguageModel.generateText({ prompt: "Promote me.", toolkit: Kit }).pipe(
  Effect.map(() => user.role),
  Effect.provide([KitLive, scripted("promote")]),
  Effect.provideService(User, user)
)

await verdict(() => Effect.runPromise(program), "guest")
