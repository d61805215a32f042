// add these keys, the sub-agent requires them
// cure: Add the key to `narrow`, or take it out of the sub-agent's tools.
import { SubAgent } from "tenon"
import { Env, Researcher } from "../fixture.ts"

// error: add these keys, the sub-agent requires them: 'tenant'
SubAgent.make(Researcher, { narrow: [Env.db, Env.userId] })

declare const flag: boolean

// error: add these keys, the sub-agent requires them: 'db'
SubAgent.make(Researcher, { narrow: flag ? [Env.tenant, Env.userId, Env.db] : [Env.tenant, Env.userId] })
