// Type 'Effect<string, never, never>' is not assignable to type 'Effect<number
// cure: Return what the tool's `success` describes, and fail with what its `failure` describes.
import { Effect } from "effect"
import { Toolkit } from "tenon"
import { Quota } from "../fixture.ts"

const kit = Toolkit.make(Quota)

// error: Type 'Effect<string, never, never>' is not assignable to type 'Effect<number
Toolkit.layer(kit, { quota: () => Effect.succeed("1") })

// error: Type 'Effect<never, string, never>' is not assignable to type 'Effect<number
Toolkit.layer(kit, { quota: () => Effect.fail("empty") })

// error: Type 'Effect<string, never, never>' is not assignable to type 'Effect<number
kit.toLayer({ quota: () => Effect.succeed("1") })

// error: Type 'Effect<never, string, never>' is not assignable to type 'Effect<number
kit.toLayer({ quota: () => Effect.fail("empty") })
