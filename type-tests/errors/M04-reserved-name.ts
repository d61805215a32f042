// 'state' is a reserved name: the agent supplies it
// cure: Choose another name: the agent supplies this one itself, and its own wins.
import { Schema } from "effect"
import { ToolContext } from "tenon"

// error: 'state' is a reserved name: the agent supplies it
ToolContext.make({ tenant: Schema.String, state: Schema.String })

// error: 'parentTools' is a reserved name: the agent supplies it
ToolContext.make({ parentTools: Schema.String })

// error: 'parentMiddleware' is a reserved name: the agent supplies it
ToolContext.make({ parentMiddleware: Schema.String })

// error: 'toolContext' is a reserved name: the agent supplies it
ToolContext.make({ toolContext: ToolContext.value<string>() })

// error: 'toolCall' is a reserved name: the agent supplies it
ToolContext.make({ toolCall: Schema.String })

// error: 'layer' is taken by ToolContext itself
ToolContext.make({ layer: Schema.String })

// error: 'layerUnknown' is taken by ToolContext itself
ToolContext.make({ layerUnknown: ToolContext.value<string>() })
