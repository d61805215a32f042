// name these too, the declaration has them
// cure: Name just what the declaration has, in the test or in the declaration.
import { ContractTest } from "tenon/testing"
import { Assistant, Fetch, SearchDocs } from "../fixture.ts"

// error: name these too, the declaration has them: 'db'
ContractTest.requires(Assistant, ["tenant", "userId"])

// error: take these out, the declaration does not have them: 'tenant'
ContractTest.requires(Fetch, ["userId", "tenant"])

// error: this may write nothing, and writes these fields"
ContractTest.writesNothing(SearchDocs)

// error: this may ask nothing, and asks these: 'approve'
ContractTest.asksNothing(SearchDocs)
