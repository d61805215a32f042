// rename one of these tools
// cure: Rename one of the two: the model could not tell them apart.
import { type Context, Schema } from "effect"
import { type Tool as AiTool, type Toolkit as AiToolkit } from "effect/ai"
import { Agent, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { Fetch, kit, Quota, Researcher, SearchDocs } from "../fixture.ts"

const Other = Tool.make("search_docs", { success: Schema.Int })

// error: rename one of these tools: 'search_docs'
Agent.make("a", { instructions: "", toolkit: Toolkit.make(Other, SearchDocs) })

// error: rename one of these tools: 'search_docs'
Agent.make("a", {
  instructions: "",
  toolkit: kit,
  middleware: [Middleware.make("m", { toolkit: Toolkit.make(Other) })]
})

// error: rename one of these tools: 'search_docs'
Agent.make("a", { instructions: "", toolkit: Toolkit.make(Other), subAgents: [SubAgent.make(Researcher)] })

// error: rename one of these tools: 'researcher'
Agent.make("a", {
  instructions: "",
  toolkit: Toolkit.make(Tool.make("researcher", {})),
  subAgents: [SubAgent.make(Researcher)]
})

// error: rename one of these sub-agents: 'researcher'
Agent.make("a", {
  instructions: "",
  subAgents: [SubAgent.make(Researcher), SubAgent.make(Agent.make("researcher", { instructions: "" }))]
})

// error: rename one of these tools: 'search_docs'
Agent.make("a", { instructions: "", toolkit: Toolkit.merge(kit, Toolkit.make(Other)) })
