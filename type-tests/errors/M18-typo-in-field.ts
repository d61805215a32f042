// Did you mean 'count'?
// cure: Take the name that the compiler suggests.
import { Tool } from "tenon"
import { Search } from "../fixture.ts"

// error: Property 'cuont' does not exist
// error: Did you mean 'count'?
Tool.make("t", { reads: [Search.cuont] })
