/** A correct program. The fixtures in errors/ make one mistake each in it; the type tests ask what came out of it. */
import { Effect, type Layer, Option, Schema } from "effect"
import { type LanguageModel, Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Contract,
  Instructions,
  Interrupt,
  Middleware,
  Reducer,
  type SessionStore,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ToolTest } from "tenon/testing"

// what the caller supplies
export interface Db {
  readonly find: (tenant: string, query: string) => Effect.Effect<string>
}
export const Env = ToolContext.make({
  userId: Schema.Int,
  tenant: Schema.String,
  token: Schema.RedactedFromValue(Schema.String),
  plan: Schema.Struct({ limits: Schema.Array(Schema.Int) }),
  db: ToolContext.value<Db>()
})
export declare const db: Db

// what the conversation keeps
const V1 = Schema.Struct({ query: Schema.String })
const V2 = Schema.Struct({ query: Schema.String, count: Schema.Int })
export const Conversation = State.make("conversation", {
  title: State.field(Schema.String, { initial: "Untitled" })
})
export const Search = State.make("search", {
  lastQuery: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  hits: State.field(Schema.Array(Schema.String), { initial: [] }),
  byId: State.record(Schema.String, Schema.Struct({ tags: Schema.Array(Schema.String) }))
}, {
  history: State.history(1, V1).to(2, V2, ({ query }) => ({ query, count: 0 })),
  up: ({ query, count }) => ({ lastQuery: Option.some(query), count, hits: [], byId: {} })
})

// a tool says what it touches, and can touch nothing else
export const Approve = Interrupt.make("approve", { question: Schema.String, answer: Schema.Boolean })
export const SearchDocs = Tool.make("search_docs", {
  description: "Search the project's documents",
  parameters: Schema.Struct({ query: Schema.String, limit: Schema.Int }),
  success: Schema.String,
  context: [Env.tenant, Env.db],
  reads: [Conversation.title],
  writes: [Search.lastQuery, Search.byId.at("query")],
  combines: [Search.count],
  asks: [Approve],
  approval: ({ limit }) => Effect.map(Conversation.title.get, (title) => limit > 10 && `many hits for ${title}`)
})
// a tool of somebody else
export const Fetch = Contract.on(
  AiTool.make("fetch", { parameters: Schema.Struct({ url: Schema.String }), success: Schema.String }),
  { context: [Env.userId] }
)
export const Quota = Tool.make("quota", { context: [Env.plan], success: Schema.Int })

export const kit = Toolkit.make(SearchDocs, Fetch)
export const SearchLive = Toolkit.layer(kit, {
  search_docs: Effect.fn("search_docs")(function*({ query }) {
    const tenant = yield* Env.tenant
    const database = yield* Env.db
    if (!(yield* Approve.ask("Search?"))) return "refused"
    yield* Search.lastQuery.set(query)
    yield* Search.count.combine(1)
    yield* Search.byId.put(query, { tags: [yield* Conversation.title.get] })
    return yield* database.find(tenant, query)
  }),
  fetch: ({ url }) => Effect.map(Env.userId, (id) => `${id}: ${url}`)
})
export const QuotaLive = Toolkit.layer(Toolkit.make(Quota), {
  quota: () => Effect.map(Env.plan, (plan) => plan.limits[0] ?? 0)
})

// middleware has contracts too, and may provide keys
export const Plan = Middleware.make("plan", {
  hooks: [Middleware.beforeModel({ writes: [Conversation.title] }, () => Conversation.title.set("x"))],
  provides: [
    Middleware.provide(Env.plan, { context: [Env.userId] }, Effect.map(Env.userId, (id) => ({ limits: [id] })))
  ]
})

export const Researcher = Agent.make("researcher", {
  instructions: Instructions.template`You work for ${Env.tenant} on ${Conversation.title}.`,
  toolkit: kit
})
export const Assistant = Agent.make("assistant", {
  instructions: "Help.",
  toolkit: Toolkit.make(Quota),
  middleware: [Plan],
  subAgents: [SubAgent.make(Researcher, { narrow: [Env.tenant, Env.db, Env.userId], returns: [Search.count] })]
})

export declare const Infra: Layer.Layer<LanguageModel.LanguageModel | SessionStore.SessionStore>

export const main: Promise<AgentRunner.AgentResult<string>> = AgentRunner.run(Assistant, {
  session: "s-1",
  input: "Where is the licence?",
  state: [Search.lastQuery.to("licence")]
}).pipe(
  Effect.provide([SearchLive, QuotaLive, Infra, ToolContext.layer(Assistant, { tenant: "acme", db, userId: 1 })]),
  Effect.runPromise
)
export const resumed = AgentRunner.resume(Assistant, {
  session: "s-1",
  answers: [Approve.answer("call-1/1", true), Interrupt.approve("call-1/0"), Interrupt.fromJson("call-1/2", true)]
})

// a test needs a value for each key and field, and no more
export const Stub = ToolTest.layer(SearchDocs, {
  "tenant": "acme",
  db,
  "conversation.title": "t",
  "search.lastQuery": Option.none(),
  "search.count": 0,
  "search.byId": {}
}, { answers: { approve: true } })
