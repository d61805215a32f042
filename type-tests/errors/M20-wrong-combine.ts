// Property 'combine' does not exist on type 'Field<"conversation.title"
// cure: Combine with an operand of the reducer's type. A field without a reducer is `set`; one under `combines` is neither set nor read.
import { Effect, Schema } from "effect"
import { Middleware, Tool, Toolkit } from "tenon"
import { Conversation, Search } from "../fixture.ts"

// error: Argument of type 'string' is not assignable to parameter of type 'number'
Search.count.combine("1")

// error: Property 'combine' does not exist on type 'Field<"conversation.title"
Conversation.title.combine("x")

// what is only combined may be neither set nor read
const kit = Toolkit.make(Tool.make("count", { combines: [Search.count] }))

// error: Write<"search.count", number>
Toolkit.layer(kit, { count: () => Search.count.set(1) })

// error: Read<"search.count", number>
Toolkit.layer(kit, { count: () => Effect.asVoid(Search.count.get) })

// error: Read<"search.count", number>
Toolkit.layer(kit, { count: () => Search.count.update((count) => count + 1) })

// error: Write<"search.count", number>
Middleware.afterModel({ combines: [Search.count] }, () => Search.count.set(1))

// error: Property 'combine' is missing in type 'Field<"conversation.title"
Tool.make("t", { combines: [Conversation.title] })

// error: Property 'combine' is missing in type 'Entries<"search.byId"
Middleware.beforeRun({ combines: [Search.byId] }, () => Effect.void)

// error: "search.byId"
Tool.make("t", { parameters: Schema.Struct({ id: Schema.String }), combines: [Search.byId.at("id")] })
