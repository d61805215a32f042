import { Effect, type Layer, type Option, type Redacted, Schema } from "effect"
import { Agent, type Precedence, type State, Tool, type ToolCall, ToolContext, Toolkit } from "tenon"
import { type Assistant, Conversation, type Db, Env, Search } from "./fixture.ts"
import { same } from "./same.ts"

type Failure = ToolContext.ToolContextError

// ----- keys -------------------------------------------------------------------

same<typeof Env.tenant, ToolContext.KeyOf<"tenant", ToolContext.Key<"tenant", string>, string>>(true)
same<typeof Env.db, ToolContext.KeyOf<"db", ToolContext.LocalKey<"db", Db>, Db>>(true)
// values with a schema are readonly at every depth; Effect's own types and local values are left alone
same<typeof Env.plan.Service, { readonly limits: ReadonlyArray<number> }>(true)
same<typeof Env.token.Service, Redacted.Redacted>(true)
same<Effect.Services<typeof Env.tenant>, ToolContext.Key<"tenant", string>>(true)

// ----- a supply of more satisfies a demand for less -----------------------------

const UserId = Schema.Int.pipe(Schema.brand("UserId"))
const App = ToolContext.make({ user: Schema.Struct({ id: UserId, name: Schema.String }) })
const Theirs = ToolContext.make({ user: Schema.Struct({ id: Schema.Int }) })
const ada = { id: UserId.make(1), name: "Ada" }
const less = Effect.provide(Effect.map(Theirs.user, (user) => user.id), App.layer({ user: ada }))
same<typeof less, Effect.Effect<number, Failure>>(true)
const more = Effect.provide(Effect.map(App.user, (user) => user.name), Theirs.layer({ user: { id: 1 } }))
same<Effect.Services<typeof more>, ToolContext.Key<"user", typeof App.user.Service>>(true)

// a key with a schema satisfies a demand for a local one, not the other way round
const Wire = ToolContext.make({ greeting: Schema.String })
const Here = ToolContext.make({ greeting: ToolContext.value<string>() })
const local = Effect.provide(Here.greeting, Wire.layer({ greeting: "hi" }))
same<typeof local, Effect.Effect<string, Failure>>(true)
const remote = Effect.provide(Wire.greeting, Here.layer({ greeting: "hi" }))
same<Effect.Services<typeof remote>, ToolContext.Key<"greeting", string>>(true)

// keys of different names or of types that do not fit are not exchanged
declare const tenant: typeof Env.tenant.Identifier
// @ts-expect-error two names
export const renamed: ToolContext.Key<"tenants", string> = tenant
// @ts-expect-error two types
export const retyped: ToolContext.Key<"tenant", number> = tenant
export const narrowed: ToolContext.Key<"tenant", "acme"> = tenant
// @ts-expect-error a demand for less does not satisfy a demand for more
export const widened: ToolContext.Key<"tenant", string | undefined> = tenant

// ----- layers -----------------------------------------------------------------

same<ReturnType<typeof Wire.layer>, Layer.Layer<ToolContext.Key<"greeting", string>, Failure>>(true)
same<ReturnType<typeof Wire.layerUnknown>, Layer.Layer<ToolContext.Key<"greeting", string>, Failure>>(true)
same<Parameters<typeof Wire.layerUnknown>, [input: unknown]>(true)
same<
  ToolContext.Supply<Agent.Needs<typeof Assistant>>,
  { readonly tenant: string; readonly db: Db; readonly userId: number }
>(true)
// nothing is asked for where nothing is needed
const Plain = Agent.make("plain", { instructions: "" })
ToolContext.layer(Plain, {})
same<ReturnType<typeof ToolContext.layer<typeof Plain>>, Layer.Layer<never, Failure>>(true)

// in one agent the most demanding type of a key wins
const one = Tool.make("one", { context: [App.user] })
const two = Tool.make("two", { context: [Theirs.user] })
const Both = Agent.make("both", { instructions: "", toolkit: Toolkit.make(one, two) })
same<
  ToolContext.Supply<Agent.Needs<typeof Both>>,
  { readonly user: typeof App.user.Service & typeof Theirs.user.Service }
>(true)
ToolContext.layer(Both, { user: ada })
// @ts-expect-error the name is missing
ToolContext.layer(Both, { user: { id: UserId.make(1) } })

// what can be decoded from a request is what has a schema
const Remote = Tool.make("remote", { context: [Env.tenant, Env.userId] })
const decoded = ToolContext.layerUnknown(Remote, { tenant: "acme", userId: 1 })
same<typeof decoded, Layer.Layer<ToolContext.Key<"tenant", string> | ToolContext.Key<"userId", number>, Failure>>(true)

// ----- the merged view ----------------------------------------------------------

type View<Supplied, Read> = {
  readonly [K in keyof Supplied | Precedence.InternalKey]: K extends "state" ? Read
    : K extends "parentTools" | "parentMiddleware" ? ReadonlyArray<string>
    : K extends "toolContext" ? Readonly<Record<string, unknown>>
    : K extends "toolCall" ? ToolCall.ToolCall["Service"]
    : K extends keyof Supplied ? Supplied[K]
    : never
}
const Count = Tool.make("count", {
  context: [Env.tenant, Env.db],
  reads: [Conversation.title],
  writes: [Search.count, Search.lastQuery]
})
const merged = ToolContext.merged(Count)
same<
  Effect.Success<typeof merged>,
  View<{ readonly tenant: string; readonly db: Db }, {
    readonly conversation: { readonly title: string }
    readonly search: { readonly count: number; readonly lastQuery: Option.Option<string> }
  }>
>(true)
same<
  Effect.Services<typeof merged>,
  | ToolContext.Key<"tenant", string>
  | ToolContext.LocalKey<"db", Db>
  | State.Read<"conversation.title", string>
  | State.Read<"search.count", number>
  | State.Read<"search.lastQuery", Option.Option<string>>
  | ToolCall.ToolCall
>(true)
// what is only combined is not seen
const combines = ToolContext.merged(Tool.make("combines", { combines: [Search.count] }))
same<Effect.Success<typeof combines>, View<{}, {}>>(true)
// a supplied value of an internal name, which only a forced declaration can have
same<ToolContext.Merged<ToolContext.Key<"state", string> | ToolContext.Key<"toolCall", number>>, View<{}, {}>>(true)
