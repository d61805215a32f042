// Did you mean 'count'?
import { Tool } from "tenon"
import { Search } from "../fixture.ts"

// error: Property 'cuont' does not exist
// error: Did you mean 'count'?
Tool.make("t", { reads: [Search.cuont] })
