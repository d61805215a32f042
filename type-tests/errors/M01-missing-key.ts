// Property 'tenant' is missing in type
// cure: Supply the key in `ToolContext.layer`, or provide it as a service of its own.
import { Effect, Layer } from "effect"
import { AgentRunner, ToolContext } from "tenon"
import { Assistant, db, Env, Infra, QuotaLive, SearchLive } from "../fixture.ts"

// error: Property 'tenant' is missing in type
ToolContext.layer(Assistant, { db, userId: 1 })

const program = AgentRunner.run(Assistant, { session: "s-1", input: "" }).pipe(
  Effect.provide([SearchLive, QuotaLive, Infra, Layer.succeed(Env.db, db), Layer.succeed(Env.userId, 1)])
)

// error: Key<"tenant", string>
Effect.runPromise(program)
