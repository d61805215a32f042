// give these keys a value, they have no schema
// cure: Give the key's value as the second argument: each generated context holds it.
import { Generate } from "tenon/testing"
import { db, SearchDocs } from "../fixture.ts"

// error: give these keys a value, they have no schema: 'db'
Generate.context(SearchDocs)

// error: give these keys a value, they have no schema: 'db'
Generate.context(SearchDocs, { tenant: "acme" })

// error: Type 'number' is not assignable to type 'string'
Generate.context(SearchDocs, { db, tenant: 1 })

// error: Type 'string' is not assignable to type 'never'
Generate.context(SearchDocs, { db, tennant: "acme" })

// error: Type 'string' is not assignable to type 'number'
Generate.state(SearchDocs, { "search.count": "1" })
