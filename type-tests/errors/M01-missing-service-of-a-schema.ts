// Type 'Users' is not assignable to type 'never'
// cure: Provide the service that the schema needs to decode or encode, as any other.
import { Context, Effect, Schema, SchemaGetter } from "effect"
import { Agent, AgentRunner, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { ToolTest } from "tenon/testing"
import { Infra } from "../fixture.ts"

class Users extends Context.Service<Users, { readonly find: (id: string) => Effect.Effect<string> }>()("Users") {}
const User = Schema.String.pipe(Schema.decodeTo(Schema.String, {
  decode: SchemaGetter.transformEffect((id: string) => Effect.flatMap(Users, ({ find }) => find(id))),
  encode: SchemaGetter.transformEffect((name: string) => Effect.as(Users, name))
}))
const live = Effect.provide([
  Infra,
  Toolkit.layer(Toolkit.make(Tool.make("greet", { parameters: Schema.Struct({ user: User }) })), {
    greet: () => Effect.void
  })
])

const Greet = Tool.make("greet", { parameters: Schema.Struct({ user: User }) })
const Greeter = Agent.make("greeter", { instructions: "", toolkit: Toolkit.make(Greet) })
const greeted = AgentRunner.run(Greeter, { session: "s", input: "" }).pipe(live)

// error: Type 'Users' is not assignable to type 'never'
Effect.runPromise(greeted)

Effect.runPromise(Effect.provideService(greeted, Users, { find: Effect.succeed }))

const Parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(Greeter)] })

// error: Type 'Users' is not assignable to type 'never'
Effect.runPromise(AgentRunner.run(Parent, { session: "s", input: "" }).pipe(live))

const Found = Tool.make("greet", { success: User })
const Finds = Middleware.make("finds", { toolkit: Toolkit.make(Found) })
const Finder = Agent.make("finder", { instructions: "", middleware: [Finds] })

// error: Type 'Users' is not assignable to type 'never'
Effect.runPromise(AgentRunner.run(Finder, { session: "s", input: "" }).pipe(live))

// a handler may use what its schemas need
Toolkit.layer(Toolkit.make(Found), { greet: () => Effect.flatMap(Users, ({ find }) => find("1")) })
const tested = ToolTest.call(Found, {}).pipe(live, Effect.provide(ToolTest.layer(Found, {})))

// error: Type 'Users' is not assignable to type 'never'
Effect.runPromise(tested)
