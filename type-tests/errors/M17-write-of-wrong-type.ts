// Argument of type 'number' is not assignable to parameter of type 'string'
// cure: Write a value of the field's own type; `unset` takes one away.
import { AgentRunner } from "tenon"
import { Assistant, Conversation, Search } from "../fixture.ts"

// error: Argument of type 'number' is not assignable to parameter of type 'string'
Conversation.title.set(1)

// error: Type 'number' is not assignable to type 'string'
Conversation.title.update((title) => title.length)

// error: Argument of type 'null' is not assignable to parameter of type 'string'
Search.lastQuery.set(null)

// error: Type 'string' is not assignable to type 'readonly string[]'
Search.byId.put("a", { tags: "x" })

// error: Argument of type 'number' is not assignable to parameter of type 'string'
AgentRunner.run(Assistant, { session: "s-1", input: "", state: [Conversation.title.to(1)] })
