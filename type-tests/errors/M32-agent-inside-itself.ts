// an agent cannot contain itself
// cure: Name another agent: a contract that contains itself has no end.
import { Agent, SubAgent } from "tenon"
import { Researcher } from "../fixture.ts"

// error: 'Loop' implicitly has type 'any'
const Loop = Agent.make("loop", { instructions: "", subAgents: [SubAgent.make(Loop)] })

const Parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(Researcher)] })

// error: an agent cannot contain itself: 'researcher'
Agent.make("researcher", { instructions: "", subAgents: [SubAgent.make(Parent)] })
