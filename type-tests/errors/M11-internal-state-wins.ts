// is not assignable to type 'string'
// cure: Read `view.toolContext.state` for the supplied value: in the merged view the agent's own keys win.
import { Effect } from "effect"
import { Precedence, ToolContext } from "tenon"
import { SearchDocs } from "../fixture.ts"

Effect.map(ToolContext.merged(SearchDocs), (view) => {
  const tenant: string = view.tenant

  // error: is not assignable to type 'string'
  const state: string = view.state
  return [tenant, state]
})
declare const supplied: { readonly state: string; readonly tenant: string }
const view = Precedence.override(supplied, { state: { search: { count: 1 } } })

// error: is not assignable to type 'string'
export const state: string = view.state
