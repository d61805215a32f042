// Write<"conversation.title", string>
// cure: Add the field to the tool's `writes`, or to `combines` where it is only combined. An approval writes nothing.
import { Effect } from "effect"
import { Middleware, Tool, Toolkit } from "tenon"
import { Conversation, Quota, Search } from "../fixture.ts"

const kit = Toolkit.make(Quota)

// error: Write<"conversation.title", string>
Toolkit.layer(kit, { quota: () => Effect.as(Conversation.title.set("x"), 1) })

// error: Combine<"search.count", number>
Toolkit.layer(kit, { quota: () => Effect.as(Search.count.combine(1), 1) })

// error: Write<"search.byId"
Toolkit.layer(kit, { quota: () => Effect.as(Search.byId.remove("x"), 1) })

// error: Write<"conversation.title", string>
Tool.make("t", { approval: () => Effect.as(Conversation.title.set("x"), true) })

// what an approval wrote would be lost
// error: Write<"conversation.title", string>
Tool.make("t", { writes: [Conversation.title], approval: () => Effect.as(Conversation.title.set("x"), true) })

// error: Combine<"search.count", number>
Tool.make("t", { combines: [Search.count], approval: () => Effect.as(Search.count.combine(1), true) })

// error: Write<"search.count", number>
Middleware.beforeModel({ writes: [Conversation.title] }, () => Search.count.set(1))

// error: Write<"search.count", number>
Middleware.beforeRun({}, () => Search.count.set(1))
