// A sub-agent is a handler that generates a text; its tool needs the tenant, and the caller provides a user alone.
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { results, scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly id: string }>()("app/User") {}
class Tenant extends Context.Service<Tenant, { readonly name: string }>()("app/Tenant") {}
const Look = Toolkit.make(Tool.make("look", { success: Schema.String, dependencies: [Tenant] }))
const LookLive = Look.toLayer({ look: () => Effect.map(Tenant, ({ name }) => `tenant=${name}`) })
const child = LanguageModel.generateText({ prompt: "Look.", toolkit: Look }).pipe(
  Effect.map((response) => JSON.stringify(results(response))),
  Effect.provide([LookLive, scripted("look")]),
  Effect.orDie
)
const Kit = Toolkit.make(Tool.make("ask", { success: Schema.String, dependencies: [User] }))

// mistake: no Tenant
const KitLive = Kit.toLayer({ ask: () => child })

const program = LanguageModel.generateText({ prompt: "Which tenant?", toolkit: Kit }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("ask")]),
  Effect.provideService(User, { id: "u1" })
)

await verdict(() => Effect.runPromise(program))
