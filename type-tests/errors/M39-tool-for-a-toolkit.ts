// wrap this tool in Toolkit.make
// cure: Wrap a tool with `Toolkit.make`, and an agent with `SubAgent.make` or `Transfer.make`.
import { Agent, SubAgent } from "tenon"
import { Quota, Researcher } from "../fixture.ts"

// error: wrap this tool in Toolkit.make: 'quota'
Agent.make("a", { instructions: "", toolkit: Quota })

// error: wrap these agents in SubAgent.make: 'researcher'
Agent.make("a", { instructions: "", subAgents: [Researcher] })

Agent.make("a", { instructions: "", subAgents: [SubAgent.make(Researcher)] })
