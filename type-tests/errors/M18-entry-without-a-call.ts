// Entry<"search.byId", "query",
// cure: Name the whole field: only a tool has parameters that name an entry.
import { Effect } from "effect"
import type { Toolkit as AiToolkit } from "effect/ai"
import { Instructions, Middleware, SubAgent, Toolkit } from "tenon"
import { Env, Researcher, Search } from "../fixture.ts"

declare const mcp: AiToolkit.WithHandler<any>

// only a tool has parameters that name an entry
// error: Entry<"search.byId", "query",
Middleware.beforeModel({ reads: [Search.byId.at("query")] }, () => Effect.void)

// error: Entry<"search.byId", "query",
Middleware.beforeTool({ writes: [Search.byId.at("query")] }, () => Effect.void)

// error: Entry<"search.byId", "query",
Middleware.provide(Env.userId, { reads: [Search.byId.at("query")] }, Effect.succeed(1))

// error: Entry<"search.byId", "query",
Toolkit.dynamic(mcp, { prefix: "mcp_", reads: [Search.byId.at("query")] })

// error: Entry<"search.byId", "query",
Instructions.template`${Search.byId.at("query")}`

// error: Entry<"search.byId", "query",
SubAgent.make(Researcher, { returns: [Search.byId.at("query")] })
