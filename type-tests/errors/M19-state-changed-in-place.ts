// Property 'push' does not exist on type 'readonly string[]'
// cure: Write with `set`, `update`, `put` or `combine`: what is read is a copy.
import { Effect } from "effect"
import { Search } from "../fixture.ts"

// error: Property 'push' does not exist on type 'readonly string[]'
Effect.map(Search.hits.get, (hits) => hits.push("x"))

// error: Property 'push' does not exist on type 'readonly string[]'
Effect.map(Search.byId.get, (byId) => byId["a"]?.tags.push("x"))

Effect.map(Search.byId.get, (byId) => {
  // error: only permits reading
  byId["a"] = { tags: [] }
})
