// list these one by one, a wider type loses their names
import { Schema } from "effect"
import { State, ToolContext } from "tenon"

declare const name: string
declare const keys: Record<string, Schema.String>
declare const fields: Record<string, State.Spec<string>>

// error: list these one by one, a wider type loses their names
ToolContext.make(keys)

// error: list these one by one, a wider type loses their names
ToolContext.make({ [name]: Schema.String })

// error: list these one by one, a wider type loses their names
State.make("s", fields)

// error: list these one by one, a wider type loses their names
State.make("s", { [name]: State.optional(Schema.String) })
