// Key<"tenant", string>
import { Effect } from "effect"
import { Toolkit } from "tenon"
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
