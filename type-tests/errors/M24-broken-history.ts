// Argument of type '3' is not assignable to parameter of type '2'
// cure: Begin with version 1, go on one by one, and return what the next version's schema describes.
import { Schema } from "effect"
import { State } from "tenon"

const V1 = Schema.Struct({ query: Schema.String })
const V2 = Schema.Struct({ query: Schema.String, count: Schema.Int })
const fields = { count: State.field(Schema.Int, { initial: 0 }) }

// error: Argument of type '3' is not assignable to parameter of type '2'
State.history(1, V1).to(3, V2, ({ query }) => ({ query, count: 0 }))

// error: Argument of type '2' is not assignable to parameter of type '1'
State.history(2, V1)

// error: Type 'string' is not assignable to type 'number'
State.history(1, V1).to(2, V2, ({ query }) => ({ query, count: "0" }))

// error: Property 'count' does not exist on type '{ readonly query: string; }'
State.make("s", fields, { history: State.history(1, V1), up: ({ count }) => ({ count }) })

// error: { readonly count: string; }
// error: { readonly count: number; }
State.make("s", fields, { history: State.history(1, V1), up: ({ query }) => ({ count: query }) })

// error: Property 'count' is missing in type
State.make("s", fields, { history: State.history(1, V1), up: () => ({}) })
