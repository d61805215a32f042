// add these keys, the sub-agent requires them
import { SubAgent } from "tenon"
import { Env, Researcher } from "../fixture.ts"

// error: add these keys, the sub-agent requires them
// error: "tenant"
SubAgent.make(Researcher, { narrow: [Env.db, Env.userId] })
