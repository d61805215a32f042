import { Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { Agent, Contract, type State, type ToolCall, type ToolContext, Toolkit } from "tenon"
import { Conversation, Env, Fetch, Search, SearchDocs } from "./fixture.ts"
import { same } from "./same.ts"

type Needs<T> = AiTool.Requirements<T>
type Call = ToolCall.ToolCall
type UserId = ToolContext.Key<"userId", number>
type Tenant = ToolContext.Key<"tenant", string>
type Title = State.Read<"conversation.title", string> | State.Owner<"conversation", { readonly title: string }>

// ----- on a tool of the user's -------------------------------------------------------

const theirs = AiTool.make("theirs", {
  parameters: Schema.Struct({ url: Schema.String }),
  success: Schema.Int,
  failureMode: "return"
})
const plain = Contract.on(theirs, { context: [Env.userId], reads: [Conversation.title] })
same<
  typeof plain,
  typeof theirs extends AiTool.Tool<infer Name, infer Config, any> ? AiTool.Tool<Name, Config, UserId | Title | Call>
    : never
>(true)
// a second contract adds to the first, ours too
const more = Contract.on(plain, { context: [Env.tenant] })
same<Needs<typeof more>, UserId | Title | Tenant | Call>(true)
const ours = Contract.on(SearchDocs, { context: [Env.userId] })
same<Needs<typeof ours>, Needs<typeof SearchDocs> | UserId>(true)
same<Needs<typeof Fetch>, UserId | Call>(true)
const entry = Contract.on(theirs, { writes: [Search.byId.at("url")] })
same<Needs<typeof entry>, Exclude<(typeof Search.byId)["~writes"], State.Combine<string, any>> | Call>(true)

// ----- on a dynamic tool ---------------------------------------------------------------

const byJsonSchema = AiTool.dynamic("by_json_schema", { parameters: { type: "object" } })
const dynamicJson = Contract.on(byJsonSchema, { context: [Env.userId] })
same<
  typeof dynamicJson,
  typeof byJsonSchema extends AiTool.Dynamic<infer Name, infer Config, any> ?
    AiTool.Dynamic<Name, Config, UserId | Call>
    : never
>(true)
const bySchema = AiTool.dynamic("by_schema", { parameters: Schema.Struct({ url: Schema.String }), success: Schema.Int })
const dynamic = Contract.on(bySchema, { reads: [Conversation.title] })
same<
  typeof dynamic,
  typeof bySchema extends AiTool.Dynamic<infer Name, infer Config, any> ? AiTool.Dynamic<Name, Config, Title | Call>
    : never
>(true)
same<AiTool.Parameters<typeof dynamic>, { readonly url: string }>(true)

// ----- on a tool that a provider defines -----------------------------------------------

const WebSearch = AiTool.providerDefined({
  id: "acme.web_search",
  customName: "WebSearch",
  providerName: "web_search",
  args: Schema.Struct({ max: Schema.Int }),
  success: Schema.String
})
const theirSearch = WebSearch({ max: 3 })
const search = Contract.on(theirSearch, { context: [Env.userId] })
same<Needs<typeof search>, UserId | Call>(true)
export const isProviderDefined: AiTool.AnyProviderDefined = search
same<(typeof search)["id"], "acme.web_search">(true)
same<(typeof search)["providerName"], string>(true)
same<AiTool.HandlersFor<{ readonly WebSearch: typeof search }>, never>(true)
same<AiTool.Success<typeof search>, string>(true)
const Computer = AiTool.providerDefined({
  id: "acme.computer",
  customName: "Computer",
  providerName: "computer",
  requiresHandler: true,
  parameters: Schema.Struct({ action: Schema.String }),
  success: Schema.String
})
const theirComputer = Computer({})
const computer = Contract.on(theirComputer, { context: [Env.tenant], reads: [Conversation.title] })
same<Needs<typeof computer>, Tenant | Title | Call>(true)
same<AiTool.RequiresHandler<typeof computer>, AiTool.RequiresHandler<typeof theirComputer>>(true)
same<AiTool.Parameters<typeof computer>, { readonly action: string }>(true)

// ----- in a helper -----------------------------------------------------------------------

const audited = <T extends AiTool.Any>(tool: T) => Contract.on(tool, { combines: [Search.count] })
const auditedFetch = audited(Fetch)
same<Needs<typeof auditedFetch>, UserId | (typeof Search.count)["~combines"] | Call>(true)
same<AiTool.Name<typeof auditedFetch>, "fetch">(true)
const auditedDynamic = audited(byJsonSchema)
same<Needs<typeof auditedDynamic>, (typeof Search.count)["~combines"] | Call>(true)

// ----- context keys that effect/ai's own dependencies name ---------------------------------

// a tool with a contract adds the key to it; of one without, nothing is known at run time
const added = SearchDocs.addDependency(Env.userId)
same<Needs<typeof added>, Needs<typeof SearchDocs> | UserId>(true)
Agent.make("a", { instructions: "", toolkit: Toolkit.make(added) })
const byThem = AiTool.make("by_them", { dependencies: [Env.userId, Env.tenant] })
same<Contract.Undeclared<typeof byThem>, UserId | Tenant>(true)
same<Contract.Undeclared<typeof added | typeof theirs>, never>(true)
const half = Contract.on(byThem, { context: [Env.userId] })
same<Contract.Undeclared<typeof half>, UserId | Tenant>(true)
const declared = Contract.on(byThem, { context: [Env.userId, Env.tenant] })
same<Needs<typeof declared>, UserId | Tenant | Call>(true)
Agent.make("a", { instructions: "", toolkit: Toolkit.make(declared) })
