// To<"person">
// cure: List the target under the agent's own `transfers`.
import { Effect } from "effect"
import { Agent, AgentRunner, SubAgent, Tool, Toolkit, Transfer } from "tenon"
import { Infra, Researcher, SearchDocs } from "../fixture.ts"

const ToPerson = Transfer.to("person")
const Refund = Tool.make("refund", { dependencies: [ToPerson] })
const Clerk = Agent.make("clerk", { instructions: "", toolkit: Toolkit.make(Refund) })
const RefundLive = Toolkit.layer(Toolkit.make(Refund), { refund: () => Effect.void })

// error: To<"person">
Effect.runPromise(Effect.provide(AgentRunner.run(Clerk, { session: "s-1", input: "" }), [RefundLive, Infra]))

// error: list these under the agent's own transfers
SubAgent.make(Clerk)

// error: leave out these transfers, there is no way back: 'person'
Transfer.make(Clerk, { back: false })

// error: wrap these agents in Transfer.make: 'clerk'
Agent.make("a", { instructions: "", transfers: [Clerk] })

// error: rename one of these agents: 'clerk'
Agent.make("a", {
  instructions: "",
  transfers: [Transfer.make(Clerk), Transfer.make(Agent.make("clerk", { instructions: "" }))]
})

// error: an agent cannot contain itself: 'clerk'
Agent.make("clerk", { instructions: "", transfers: [Transfer.make(Clerk)] })

// error: rename one of these tools: 'search_docs'
Agent.make("a", {
  instructions: "",
  toolkit: Toolkit.make(Tool.make("search_docs", {})),
  transfers: [Transfer.make(Researcher)]
})

// error: rename one of these tools: 'transfer_to_agent'
Agent.make("a", {
  instructions: "",
  toolkit: Toolkit.make(Tool.make("transfer_to_agent", {}), SearchDocs),
  transfers: [Transfer.make(Clerk)]
})
