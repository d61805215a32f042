import { Tool as AiTool } from "effect/ai"
import { type Agent, Tool } from "tenon"
import { ContractTest } from "tenon/testing"
import {
  Assistant,
  Conversation,
  Env,
  Fetch,
  type kit,
  type Plan,
  type Researcher,
  Search,
  SearchDocs
} from "../fixture.ts"
import { same } from "../same.ts"

// what the types know of a tool, a toolkit, middleware, an agent
same<ContractTest.Required<typeof SearchDocs>, "tenant" | "db">(true)
same<ContractTest.Written<typeof SearchDocs>, "search.lastQuery" | "search.byId" | "search.count">(true)
same<ContractTest.Seen<typeof SearchDocs>, "conversation.title" | "search.lastQuery" | "search.byId">(true)
same<ContractTest.Asked<typeof SearchDocs>, "approve">(true)
same<ContractTest.Required<typeof kit>, "tenant" | "db" | "userId">(true)
same<ContractTest.Required<typeof Plan>, "userId">(true)
same<ContractTest.Required<typeof Researcher>, "tenant" | "db" | "userId">(true)
same<ContractTest.Required<typeof Assistant>, "tenant" | "db" | "userId">(true)
same<ContractTest.Written<typeof Assistant>, "conversation.title" | "search.count">(true)
same<ContractTest.Asked<typeof Assistant>, "approve">(true)
same<ContractTest.Required<Agent.Any | AiTool.Any>, never>(true)

ContractTest.requires(Assistant, ["userId", "tenant", "db"])
ContractTest.requires(Tool.make("nothing", {}), [])
ContractTest.writes(SearchDocs, ["search.count", "search.byId", "search.lastQuery"])
ContractTest.sees(SearchDocs, ["search.byId", "search.lastQuery", "conversation.title"])
ContractTest.asks(SearchDocs, ["approve", "approval"])
ContractTest.writesNothing(Fetch)
ContractTest.asksNothing(Fetch)
// of a wider type the run finds out
export const any = (agent: Agent.Any, names: ReadonlyArray<string>): void => {
  ContractTest.requires(agent, ["whatever"])
  ContractTest.requires(agent, names)
  ContractTest.writesNothing(agent)
}

// ----- conflicts take tools, and what two calls have -----------------------------------

const At = Tool.make("at", { parameters: SearchDocs.parametersSchema, writes: [Search.byId.at("query")] })
ContractTest.noConflict(At, Fetch, { parameters: [{ query: "a", limit: 1 }, { url: "b" }], agent: Assistant })
ContractTest.noConflict(Assistant.definition.subAgents[0]!, AiTool.make("theirs"))
// @ts-expect-error a parameter of the second call is missing
ContractTest.noConflict(At, At, { parameters: [{ query: "a", limit: 1 }, { query: "b" }] })

export const read = Tool.make("read", { context: [Env.tenant], reads: [Conversation.title] })
