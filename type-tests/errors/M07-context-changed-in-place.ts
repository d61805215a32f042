// Cannot assign to 'limits' because it is a read-only property
// cure: Context is read-only: what a tool changes belongs in State.
import { Effect } from "effect"
import { Env } from "../fixture.ts"

Effect.map(Env.plan, (plan) => {
  // error: Cannot assign to 'limits' because it is a read-only property
  plan.limits = []

  // error: Property 'push' does not exist on type 'readonly number[]'
  plan.limits.push(1)

  // error: Index signature in type 'readonly number[]' only permits reading
  plan.limits[0] = 1
})
