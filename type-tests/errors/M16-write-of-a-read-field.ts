// Write<"conversation.title", string>
// cure: Move the field from `reads` to `writes`; who writes may read.
import { Effect } from "effect"
import { Middleware, Tool, Toolkit } from "tenon"
import { Conversation } from "../fixture.ts"

const kit = Toolkit.make(Tool.make("title", { reads: [Conversation.title] }))

// error: Write<"conversation.title", string>
Toolkit.layer(kit, { title: () => Conversation.title.set("x") })

// error: Write<"conversation.title", string>
Toolkit.layer(kit, { title: () => Conversation.title.update((title) => `${title}!`) })

// error: Write<"conversation.title", string>
Toolkit.layer(kit, { title: () => Conversation.title.unset })

// error: Write<"conversation.title", string>
Middleware.beforeTool({ reads: [Conversation.title] }, () => Conversation.title.set("x"))
