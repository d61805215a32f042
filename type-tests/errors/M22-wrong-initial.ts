// Type 'number' is not assignable to type 'string'
// cure: Give an initial value of the field's type; `State.optional` needs none.
import { Schema } from "effect"
import { State } from "tenon"

// error: Type 'number' is not assignable to type 'string'
State.make("s", { title: State.field(Schema.String, { initial: 0 }) })

// error: Type 'string' is not assignable to type 'number'
State.make("s", { byId: State.record(Schema.String, Schema.Int, { initial: { a: "1" } }) })

// error: Property 'initial' is missing in type
State.make("s", { title: State.field(Schema.String, {}) })
