// Type 'number' is not assignable to type 'string'
import { Schema } from "effect"
import { ToolContext } from "tenon"
import { Assistant, db } from "../fixture.ts"

// error: Type 'number' is not assignable to type 'string'
ToolContext.layer(Assistant, { db, userId: 1, tenant: 7 })

// error: Type 'number' is not assignable to type 'string'
ToolContext.make({ tenant: Schema.String }).layer({ tenant: 7 })
