// Property '"~key"' is missing in type 'typeof Clock'
// cure: List services of Effect under `dependencies`, and context keys under `context`.
import { Context, Effect } from "effect"
import { Instructions, Middleware, Tool } from "tenon"
import { Env } from "../fixture.ts"

class Clock extends Context.Service<Clock, { readonly now: number }>()("Clock") {}

// error: Property '"~key"' is missing in type 'typeof Clock'
Tool.make("t", { context: [Clock] })

// error: Property '"~key"' is missing in type 'typeof Clock'
Middleware.provide(Clock, {}, Effect.succeed({ now: 1 }))

// error: Property '"~key"' is missing in type 'typeof Clock'
Instructions.template`It is ${Clock}.`

// error: KeyOf<"tenant"
// error: is not assignable to type 'AnyService'
Tool.make("t", { dependencies: [Env.tenant] })
