// rename one of these sub-agents
// cure: Rename, reorder or complete the members as the message says.
import { Schema } from "effect"
import { Agent, Compose, State, SubAgent, Transfer } from "tenon"
import { Conversation, Researcher, Search } from "../fixture.ts"

const Research = SubAgent.make(Researcher)

// error: rename one of these sub-agents: 'researcher'
Compose.sequential("a", { subAgents: [Research, SubAgent.make(Agent.make("researcher", { instructions: "" }))] })

// error: an agent cannot contain itself: 'researcher'
Compose.parallel("researcher", { subAgents: [Research] })

// error: Property 'times' is missing
Compose.loop("a", { subAgents: [Research] })

// error: wrap these agents in SubAgent.make: 'researcher'
Compose.sequential("a", { subAgents: [Researcher] })

// error: give this field the output's type: 'search.count'
Agent.make("a", { instructions: "", outputTo: Search.count })

// error: give this field the output's type: 'conversation.title'
Agent.make("a", { instructions: "", output: Schema.Struct({ stars: Schema.Int }), outputTo: Conversation.title })

// error: give this schema a codec to JSON
SubAgent.make(Researcher, { parameters: Schema.Unknown })

const Other = State.make("search", { other: State.field(Schema.String, { initial: "" }) })

// error: give these sections one shape: 'search'
Agent.make("a", { instructions: "", transfers: [Transfer.make(Researcher)], outputTo: Other.other })
