// Read<"search.count", number>
// cure: Add the field to the tool's `reads`.
import { Effect } from "effect"
import { Middleware, Tool, Toolkit } from "tenon"
import { Conversation, Quota, Search } from "../fixture.ts"

const kit = Toolkit.make(Quota)

// error: Read<"search.count", number>
Toolkit.layer(kit, { quota: () => Search.count.get })

// error: Read<"search.count", number>
kit.toLayer({ quota: () => Search.count.get })

Toolkit.layer(kit, {
  // error: Read<"search.count", number>
  quota: Effect.fn("quota")(function*() {
    return yield* Search.count.get
  })
})

// error: Read<"search.count", number>
Tool.make("t", { reads: [Conversation.title], approval: () => Effect.map(Search.count.get, (count) => count > 1) })

// error: Read<"search.count", number>
Middleware.afterTool({ reads: [Conversation.title] }, () => Effect.asVoid(Search.count.get))
