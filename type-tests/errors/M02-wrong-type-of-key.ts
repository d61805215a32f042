// Type 'number' is not assignable to type 'string'
// cure: Give a value of the key's own type; its schema says which.
import { Effect, Schema } from "effect"
import { Middleware, ToolContext } from "tenon"
import { Assistant, db, Env } from "../fixture.ts"

// error: Type 'number' is not assignable to type 'string'
ToolContext.layer(Assistant, { db, userId: 1, tenant: 7 })

// error: Type 'number' is not assignable to type 'string'
ToolContext.make({ tenant: Schema.String }).layer({ tenant: 7 })

// error: Type '{ limits: string; }' is not assignable to type '{ readonly limits: readonly number[]; }'
Middleware.provide(Env.plan, {}, Effect.succeed({ limits: "1" }))
