// The tool of a sub-agent changes what the parent's caller provided.
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
const child = LanguageModel.generateText({ prompt: "Promote.", toolkit: Kit }).pipe(
  Effect.provide([KitLive, scripted("promote")]),
  Effect.asVoid,
  Effect.orDie
)
const Parent = Toolkit.make(Tool.make("ask", { success: Schema.Void, dependencies: [User] }))
const ParentLive = Parent.toLayer({ ask: () => child })
const user = { role: "guest" }
const program = LanguageModel.generateText({ prompt: "Promote me.", toolkit: Parent }).pipe(
  Effect.map(() => user.role),
  Effect.provide([ParentLive, scripted("ask")]),
  Effect.provideService(User, user)
)

await verdict(() => Effect.runPromise(program), "guest")
