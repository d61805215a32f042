// Property 'tenant' is missing in type
// cure: Give a value for each key and field that the contract names, and for no other.
import { Effect } from "effect"
import { State, Tool, Toolkit } from "tenon"
import { ToolTest } from "tenon/testing"
import { Approve, Conversation, Env, Search } from "../fixture.ts"

const Count = Tool.make("count", {
  context: [Env.tenant],
  reads: [Conversation.title],
  combines: [Search.count],
  asks: [Approve]
})

// error: Property 'tenant' is missing in type
ToolTest.layer(Count, { "conversation.title": "", "search.count": 0 })

// error: Property '"search.count"' is missing in type
ToolTest.layer(Count, { tenant: "acme", "conversation.title": "" })

// error: '"search.hits"' does not exist in type
ToolTest.layer(Count, { tenant: "acme", "conversation.title": "", "search.count": 0, "search.hits": [] })

// error: Type 'string' is not assignable to type 'boolean
ToolTest.layer(Count, { tenant: "acme", "conversation.title": "", "search.count": 0 }, { answers: { approve: "yes" } })

// error: Property '"search.hits"' is missing in type
ToolTest.layer(Toolkit.make(Count, Tool.make("hits", { reads: [Search.hits] })), {
  "tenant": "acme",
  "conversation.title": "",
  "search.count": 0
})

// error: Property '"conversation.title"' is missing in type
State.layer(Count, { "search.count": 0 })

// error: Handler<"count">
Effect.runPromise(
  ToolTest.call(Count, {}).pipe(
    Effect.provide(ToolTest.layer(Count, { tenant: "acme", "conversation.title": "", "search.count": 0 }))
  )
)
