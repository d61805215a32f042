// Did you mean 'tenant'?
// cure: Take the name that the compiler suggests.
import { Tool, ToolContext } from "tenon"
import { Assistant, db, Env } from "../fixture.ts"

// error: Property 'tennant' does not exist
// error: Did you mean 'tenant'?
Tool.make("t", { context: [Env.tennant] })

// error: 'tennant' does not exist in type
// error: Did you mean to write 'tenant'?
ToolContext.layer(Assistant, { db, userId: 1, tennant: "acme" })
