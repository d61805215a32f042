import { Effect, type Layer, Schema } from "effect"
import { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, type State, Tool, type ToolContext, Toolkit } from "tenon"
import { Approve, Conversation, Env, Fetch, kit, Quota, Search, SearchDocs } from "./fixture.ts"
import { same } from "./same.ts"

declare const flag: boolean

// ----- a toolkit is effect/ai's --------------------------------------------------

same<typeof kit, AiToolkit.Toolkit<{ readonly search_docs: typeof SearchDocs; readonly fetch: typeof Fetch }>>(true)
const theirs = AiToolkit.make(SearchDocs, Fetch)
same<typeof theirs, typeof kit>(true)

// spread, list, condition, merge and annotation keep names and needs
const whole = Agent.make("a", { instructions: "", toolkit: Toolkit.make(SearchDocs, Quota) })
const list = [SearchDocs, Quota]
const spread = Agent.make("a", { instructions: "", toolkit: Toolkit.make(...list) })
const one = Agent.make("a", { instructions: "", toolkit: flag ? Toolkit.make(SearchDocs) : Toolkit.make(Quota) })
const both = Agent.make("a", {
  instructions: "",
  toolkit: AiToolkit.merge(Toolkit.make(SearchDocs), Toolkit.make(Quota))
})
const ours = Agent.make("a", {
  instructions: "",
  toolkit: Toolkit.merge(Toolkit.make(SearchDocs), Toolkit.make(Quota))
})
const annotated = Agent.make("a", {
  instructions: "",
  toolkit: Toolkit.make(SearchDocs.annotate(AiTool.Readonly, true), flag ? Quota : SearchDocs)
})
type Expected = AiTool.Requirements<typeof SearchDocs> | AiTool.Requirements<typeof Quota>
same<Agent.Needs<typeof whole>, Expected>(true)
same<Agent.Needs<typeof spread>, Expected>(true)
same<Agent.Needs<typeof one>, Expected>(true)
same<Agent.Needs<typeof both>, Expected>(true)
same<Agent.Needs<typeof ours>, Expected>(true)
same<Agent.Needs<typeof annotated>, Expected>(true)
same<Agent.Tools<typeof spread>, typeof SearchDocs | typeof Quota>(true)

// ----- handlers ------------------------------------------------------------------

const live = Toolkit.layer(kit, {
  search_docs: ({ limit, query }, context) => {
    same<typeof limit, number>(true)
    same<typeof query, string>(true)
    same<typeof context, AiToolkit.HandlerContext<typeof SearchDocs>>(true)
    return Effect.succeed("")
  },
  fetch: () => Effect.succeed("")
})
same<typeof live, Layer.Layer<AiTool.Handler<"search_docs"> | AiTool.Handler<"fetch">>>(true)

// a handler may do less than its tool declares, and its Layer asks for none of it
const Full = Tool.make("full", {
  parameters: Schema.Struct({ id: Schema.String }),
  success: Schema.Int,
  failure: Schema.String,
  context: [Env.tenant],
  reads: [Conversation.title],
  writes: [Search.lastQuery, Search.byId.at("id")],
  combines: [Search.count],
  asks: [Approve]
})
const handlers = {
  full: Effect.fn("full")(function*({ id }: { readonly id: string }) {
    yield* Search.lastQuery.set(yield* Env.tenant)
    yield* Search.lastQuery.unset
    yield* Search.byId.put(id, { tags: [] })
    yield* Search.byId.entry(id)
    yield* Search.count.combine(1)
    if (yield* Approve.ask("?")) return yield* Effect.fail("no")
    return (yield* Conversation.title.get).length
  })
}
same<ReturnType<typeof Toolkit.layer<{ readonly full: typeof Full }>>, Layer.Layer<AiTool.Handler<"full">>>(true)
Toolkit.layer(Toolkit.make(Full), handlers)
const theirLayer = Toolkit.make(Full).toLayer(handlers)
same<typeof theirLayer, Layer.Layer<AiTool.Handler<"full">>>(true)

// effect/ai's own ways to give handlers refuse what a tool does not declare
const small = Toolkit.make(Quota)
// @ts-expect-error reads a key
small.toLayer({ quota: () => Effect.map(Env.userId, (id) => id) })
// @ts-expect-error reads a field
small.toLayer({ quota: () => Search.count.get })
// @ts-expect-error writes a field
small.toLayer({ quota: () => Effect.as(Search.count.set(1), 1) })
// @ts-expect-error combines into a field
small.toLayer({ quota: () => Effect.as(Search.count.combine(1), 1) })
// @ts-expect-error asks
small.toLayer({ quota: () => Effect.as(Approve.ask("?"), 1) })
// @ts-expect-error in an Effect that makes the handlers
small.toLayer(Effect.succeed({ quota: () => Search.count.get }))
// @ts-expect-error in handlers as a Context
small.toHandlers({ quota: () => Search.count.get })
// @ts-expect-error in handlers as a record
small.of({ quota: () => Search.count.get })
// the call is every tool's, and what is declared may be used
small.toLayer({ quota: () => Effect.map(Env.plan, ({ limits }) => limits.length) })

// whoever calls a tool without the loop has to provide what it declares
const called = Effect.flatMap(Toolkit.make(Full), (toolkit) => toolkit.handle("full", { id: "a" }))
same<
  Exclude<Effect.Services<typeof called>, AiTool.Handler<"full">>,
  AiTool.Requirements<typeof Full>
>(true)

// ----- toolkits known only at run time ----------------------------------------------

declare const mcp: AiToolkit.WithHandler<any>
const Mcp = Toolkit.dynamic(mcp, { prefix: "mcp_", context: [Env.tenant], reads: [Conversation.title] })
same<
  typeof Mcp,
  Toolkit.Dynamic<
    | ToolContext.Key<"tenant", string>
    | State.Read<"conversation.title", string>
    | State.Owner<"conversation", { readonly title: string }>
  >
>(true)
const Bare = Toolkit.dynamic(mcp, { prefix: "mcp_" })
same<typeof Bare, Toolkit.Dynamic<never>>(true)
const withMcp = Agent.make("a", { instructions: "", dynamic: [Mcp, Bare] })
same<Agent.Needs<typeof withMcp>, (typeof Mcp)["~needs"]>(true)
const either = Agent.make("a", { instructions: "", dynamic: flag ? [Mcp] : [Bare] })
same<Agent.Needs<typeof either>, (typeof Mcp)["~needs"]>(true)
