// conversation.title
// cure: Name only fields that the sub-agent writes or combines.
import { Agent, SubAgent } from "tenon"
import { Conversation, Researcher, Search } from "../fixture.ts"

// error: conversation.title
SubAgent.make(Researcher, { returns: [Search.count, Conversation.title] })

const Parent = Agent.make("parent", {
  instructions: "",
  subAgents: [SubAgent.make(Researcher, { returns: [Search.count] })]
})

// error: search.lastQuery
SubAgent.make(Parent, { returns: [Search.lastQuery] })
