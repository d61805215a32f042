import { type Arbitrary, type Context, Effect, type Layer, type Scope } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { type AgentRunner, Interrupt, SubAgent, type ToolContext } from "tenon"
import { Generate, TestAgent } from "tenon/testing"
import {
  Approve,
  Assistant,
  type Db,
  db,
  Fetch,
  kit,
  Plan,
  Quota,
  Researcher,
  Search,
  SearchDocs,
  SearchLive
} from "../fixture.ts"
import { same } from "../same.ts"

const context = { tenant: "acme", db, userId: 1 }

// what neither a layer nor mocks give is required
const bare = TestAgent.make(Assistant, { context })
same<
  Effect.Services<typeof bare>,
  Scope.Scope | AiTool.Handler<"quota"> | AiTool.Handler<"search_docs"> | AiTool.Handler<"fetch">
>(true)
same<Effect.Error<typeof bare>, ToolContext.ToolContextError>(true)
same<Effect.Success<typeof bare>, TestAgent.TestAgent<typeof Assistant>>(true)
const whole = TestAgent.make(Assistant, { context, layer: SearchLive, mocks: { quota: () => Effect.succeed(1) } })
same<Effect.Services<typeof whole>, Scope.Scope>(true)
declare const Built: Layer.Layer<AiTool.Handler<"search_docs"> | AiTool.Handler<"fetch">, "broken", Index>
declare class Index extends Context.Service<Index, {}>()("Index") {}
const needing = TestAgent.make(Assistant, { context, layer: Built })
same<Effect.Services<typeof needing>, Scope.Scope | Index | AiTool.Handler<"quota">>(true)
same<Effect.Error<typeof needing>, ToolContext.ToolContextError | "broken">(true)

// a mock is a handler: it is given the decoded arguments, and touches what the tool declares
TestAgent.make(SearchDocs, {
  context: { tenant: "acme", db },
  mocks: {
    search_docs: ({ limit, query }) => {
      same<typeof limit, number>(true)
      return Effect.as(Search.count.combine(1), query)
    }
  },
  state: { "search.count": 1 }
})

// what a call gives is the tool's own
declare const test: TestAgent.TestAgent<typeof Assistant>
const called = test.call(Quota, {})
same<Effect.Success<typeof called>["value"], number | undefined>(true)
same<Effect.Error<typeof called>, TestAgent.RunFailed>(true)
same<Effect.Services<typeof called>, never>(true)
const ran = test.run("Hello.")
same<Effect.Success<typeof ran>["result"], AgentRunner.AgentResult<string>>(true)
test.resume([Approve.answer("q", true), Interrupt.approve("q")])

// every declaration can be a subject
TestAgent.make(kit, { context, layer: SearchLive })
TestAgent.make(Fetch, { context: { userId: 1 } })
TestAgent.make(Plan, { context: { userId: 1 } })
TestAgent.make(SubAgent.make(Researcher), { context, layer: SearchLive })
TestAgent.places(SearchDocs, { returns: [Search.count, Search.lastQuery] })

// generated values are those of the contract
const contexts = Generate.context(SearchDocs, { db })
same<typeof contexts, Arbitrary.Arbitrary<{ readonly tenant: string; readonly db: Db }>>(true)
const ofAgent = Generate.context(Assistant, { db, userId: 1 })
same<
  typeof ofAgent,
  Arbitrary.Arbitrary<{ readonly tenant: string; readonly db: Db; readonly userId: number }>
>(true)
const arguments_ = Generate.parameters(SearchDocs)
same<typeof arguments_, Arbitrary.Arbitrary<{ readonly query: string; readonly limit: number }>>(true)
Generate.context(Quota)
Generate.state(Quota)
