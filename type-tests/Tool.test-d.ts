import { Context, Effect, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { type Interrupt, type State, Tool, type ToolCall, type ToolContext } from "tenon"
import { Approve, Conversation, type Db, Env, Quota, Search, SearchDocs } from "./fixture.ts"
import { same } from "./same.ts"

type Needs<T> = AiTool.Requirements<T>
type Tenant = ToolContext.Key<"tenant", string>
type Call = ToolCall.ToolCall

// ----- a tool's needs are its effect/ai requirements -------------------------------

const Small = Tool.make("small", {
  context: [Env.tenant, Env.db],
  reads: [Conversation.title],
  combines: [Search.count],
  asks: [Approve]
})
same<
  Needs<typeof Small>,
  | Tenant
  | ToolContext.LocalKey<"db", Db>
  | State.Read<"conversation.title", string>
  | State.Owner<"conversation", { readonly title: string }>
  | (typeof Search.count)["~combines"]
  | Interrupt.Asks<"approve", string, boolean>
  | Call
>(true)
const Nothing = Tool.make("nothing", {})
same<Needs<typeof Nothing>, Call>(true)
same<AiTool.Name<typeof Small>, "small">(true)
same<AiTool.Parameters<typeof SearchDocs>, { readonly query: string; readonly limit: number }>(true)
same<AiTool.Success<typeof SearchDocs>, string>(true)
same<AiTool.Success<typeof Nothing>, void>(true)
same<AiTool.Failure<typeof SearchDocs>, never>(true)

// a written field may be read and combined too
const Write = Tool.make("write", { writes: [Search.count] })
same<
  Needs<typeof Write>,
  State.Read<"search.count", number> | State.Write<"search.count", number> | (typeof Search.count)["~combines"] | Call
>(true)

// other services stand beside the contract
class Index extends Context.Service<Index, { readonly size: number }>()("Index") {}
const Depends = Tool.make("depends", { context: [Env.tenant], dependencies: [Index] })
same<Needs<typeof Depends>, Tenant | Index | Call>(true)

// an entry is named by a parameter that is a text, wherever its schema gets it from
const Id = Schema.String.pipe(Schema.brand("Id"))
const Entry = Tool.make("entry", {
  parameters: Schema.Struct({ id: Id, other: Schema.Int }),
  reads: [Search.byId.at("id")],
  writes: [Conversation.title]
})
same<Needs<typeof Entry>, (typeof Search.byId)["~reads"] | (typeof Conversation.title)["~writes"] | Call>(true)

// an approval has the tool's context and state, and the call
Tool.make("guarded", {
  parameters: Schema.Struct({ amount: Schema.Int }),
  context: [Env.userId],
  reads: [Conversation.title],
  approval: ({ amount }) => {
    same<typeof amount, number>(true)
    return Effect.gen(function*() {
      const title = yield* Conversation.title.get
      return (yield* Env.userId) > amount && title
    })
  }
})
Tool.make("guarded", { approval: true })
Tool.make("guarded", { toModelOutput: (result) => (same<typeof result, void>(true), []) })

// ----- nothing loses or widens the needs --------------------------------------------

const annotated = SearchDocs.annotate(AiTool.Readonly, true)
same<typeof annotated, typeof SearchDocs>(true)
const merged = SearchDocs.annotateMerge(Context.make(AiTool.Readonly, true))
same<typeof merged, typeof SearchDocs>(true)
const success = Quota.setSuccess(Schema.String)
same<Needs<typeof success>, Needs<typeof Quota>>(true)
same<AiTool.Success<typeof success>, string>(true)
const failure = Quota.setFailure(Schema.String)
same<Needs<typeof failure>, Needs<typeof Quota>>(true)
const parameters = Quota.setParameters(Schema.Struct({ of: Schema.String }))
same<Needs<typeof parameters>, Needs<typeof Quota>>(true)
const approved = Quota.setNeedsApproval(true)
same<typeof approved, typeof Quota>(true)
const depends = Quota.addDependency(Index)
same<Needs<typeof depends>, Needs<typeof Quota> | Index>(true)

// lists of keys and fields, spread and not
const keys = [Env.tenant, Env.userId]
const Listed = Tool.make("listed", { context: keys })
same<Needs<typeof Listed>, Tenant | ToolContext.Key<"userId", number> | Call>(true)
const Spread = Tool.make("spread", { context: [...keys, Env.db] })
same<Needs<typeof Spread>, Tenant | ToolContext.Key<"userId", number> | ToolContext.LocalKey<"db", Db> | Call>(true)
const fields = [Conversation.title, Search.count] as const
const Fields = Tool.make("fields", { reads: fields })
same<Needs<typeof Fields>, (typeof Conversation.title)["~reads"] | (typeof Search.count)["~reads"] | Call>(true)
declare const flag: boolean
const Either = Tool.make("either", { context: flag ? [Env.tenant] : [Env.userId] })
same<Needs<typeof Either>, Tenant | ToolContext.Key<"userId", number> | Call>(true)

// helpers that make tools
const forTenant = <const Name extends string>(name: Name) =>
  Tool.make(name, { context: [Env.tenant], success: Schema.Int })
const One = forTenant("one")
same<AiTool.Name<typeof One>, "one">(true)
same<Needs<typeof One>, Tenant | Call>(true)
const returning = <S extends Schema.Constraint>(schema: S) =>
  Tool.make("returning", { success: schema, reads: [Conversation.title] })
const Returning = returning(Schema.Struct({ a: Schema.Int }))
same<AiTool.Success<typeof Returning>, { readonly a: number }>(true)
same<Needs<typeof Returning>, (typeof Conversation.title)["~reads"] | Call>(true)
const knows = <Name extends string, Identifier extends ToolContext.AnyKey, Type>(
  key: ToolContext.KeyOf<Name, Identifier, Type>
) => Tool.make("knows", { context: [key] })
const Knows = knows(Env.db)
same<Needs<typeof Knows>, ToolContext.LocalKey<"db", Db> | Call>(true)
