// Key<"tenant", string>
// cure: Add the key to the tool's `context`.
import { Effect } from "effect"
import { Middleware, Tool, Toolkit } from "tenon"
import { Env, Quota } from "../fixture.ts"

const kit = Toolkit.make(Quota)

// error: Key<"tenant", string>
Toolkit.layer(kit, { quota: () => Effect.as(Env.tenant, 1) })

// error: Key<"tenant", string>
kit.toLayer({ quota: () => Effect.as(Env.tenant, 1) })

Toolkit.layer(kit, {
  // error: Key<"tenant", string>
  quota: Effect.fn("quota")(function*() {
    return (yield* Env.tenant).length
  })
})

// error: Key<"tenant", string>
Tool.make("t", { context: [Env.userId], approval: () => Effect.map(Env.tenant, (tenant) => tenant) })

// error: Key<"tenant", string>
Middleware.beforeModel({ context: [Env.plan] }, () => Effect.asVoid(Env.tenant))

// error: Key<"tenant", string>
Middleware.provide(Env.plan, { context: [Env.userId] }, Effect.map(Env.tenant, () => ({ limits: [] })))
