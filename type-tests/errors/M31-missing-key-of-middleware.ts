// Property 'plan' is missing in type
// cure: Supply the key, or put the middleware that provides it further out.
import { Effect } from "effect"
import { Agent, AgentRunner, Middleware, ToolContext } from "tenon"
import { Env, Infra, Plan } from "../fixture.ts"

const Gate = Middleware.make("gate", {
  hooks: [Middleware.beforeRun({ context: [Env.plan] }, () => Effect.asVoid(Env.plan))]
})

// the first is the outermost: what it provides, the later ones may use
ToolContext.layer(Agent.make("inside", { instructions: "", middleware: [Plan, Gate] }), { userId: 1 })
const outside = Agent.make("outside", { instructions: "", middleware: [Gate, Plan] })

// error: Property 'plan' is missing in type
ToolContext.layer(outside, { userId: 1 })

const program = AgentRunner.run(outside, { session: "s-1", input: "" }).pipe(
  Effect.provide(Infra),
  Effect.provideService(Env.userId, 1)
)

// error: Key<"plan", { readonly limits: readonly number[]; }>
Effect.runPromise(program)
