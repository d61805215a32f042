// give these keys a schema, they cross a process boundary
// cure: Give the key a schema, or supply it by `ToolContext.layer` within the process.
import { Schema } from "effect"
import { ToolContext } from "tenon"
import { Assistant, type Db, SearchDocs } from "../fixture.ts"

declare const body: unknown
const Group = ToolContext.make({ tenant: Schema.String, db: ToolContext.value<Db>() })

// error: give these keys a schema, they cross a process boundary: 'db'
Group.layerUnknown(body)

// error: give these keys a schema, they cross a process boundary: 'db'
ToolContext.layerUnknown(Assistant, body)

// error: give these keys a schema, they cross a process boundary: 'db'
ToolContext.layerUnknown(SearchDocs, body)
