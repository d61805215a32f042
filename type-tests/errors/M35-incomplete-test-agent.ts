// Property 'tenant' is missing in type
// cure: Give a value for each context key that the contract names, and for no other.
import { Effect } from "effect"
import { TestAgent } from "tenon/testing"
import { Assistant, db, Quota, Search, SearchDocs } from "../fixture.ts"

// error: Property 'tenant' is missing in type
TestAgent.make(Assistant, { context: { db, userId: 1 } })

// error: Property 'context' is missing in type
TestAgent.make(SearchDocs, {})

// error: 'tenent' does not exist in type
TestAgent.make(SearchDocs, { context: { tenant: "acme", db, tenent: "" } })

// error: '"search.hits"' does not exist in type
TestAgent.make(SearchDocs, { context: { tenant: "acme", db }, state: { "search.hits": [] } })

// error: 'search' does not exist in type
TestAgent.make(SearchDocs, { context: { tenant: "acme", db }, mocks: { search: () => Effect.succeed("") } })

// error: Type 'number' is not assignable to type 'string'
TestAgent.make(SearchDocs, { context: { tenant: "acme", db }, mocks: { search_docs: () => Effect.succeed(1) } })

// error: Write<"search.hits"
TestAgent.make(SearchDocs, {
  context: { tenant: "acme", db },
  mocks: { search_docs: () => Effect.as(Search.hits.set([]), "") }
})

// error: '"search.hits"' is not assignable to type
TestAgent.places(SearchDocs, { returns: [Search.hits] })

// error: Handler<"search_docs">
Effect.runPromise(Effect.scoped(TestAgent.make(SearchDocs, { context: { tenant: "acme", db } })))

declare const test: TestAgent.TestAgent<TestAgent.AgentOf<typeof SearchDocs>>

// error: is not assignable to parameter of type
test.call(Quota, {})

// error: Property 'limit' is missing in type
test.call(SearchDocs, { query: "" })
