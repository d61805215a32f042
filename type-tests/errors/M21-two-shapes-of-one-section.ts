// give these sections one shape
// cure: Share one declaration of the section, or rename one of the two.
import { Schema } from "effect"
import type { Toolkit as AiToolkit } from "effect/ai"
import { Agent, Instructions, Middleware, State, SubAgent, Tool, Toolkit } from "tenon"
import { Researcher, SearchDocs } from "../fixture.ts"

const Theirs = State.make("search", { pages: State.optional(Schema.Int) })
const Page = Tool.make("page", { writes: [Theirs.pages] })

// error: give these sections one shape: 'search'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(Page, SearchDocs) })

// error: give these sections one shape: 'search'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(Page), subAgents: [SubAgent.make(Researcher)] })

// error: give these sections one shape: 'search'
Agent.make("both", {
  instructions: "",
  toolkit: Toolkit.make(SearchDocs),
  middleware: [
    Middleware.make("pages", { hooks: [Middleware.beforeRun({ writes: [Theirs.pages] }, () => Theirs.pages.set(1))] })
  ]
})

// error: give these sections one shape: 'search'
Agent.make("both", {
  instructions: "",
  toolkit: Toolkit.make(SearchDocs),
  middleware: [Middleware.make("pages", { sections: [Theirs] })]
})

// error: give these sections one shape: 'search'
Agent.make("both", { instructions: Instructions.template`${Theirs.pages}`, toolkit: Toolkit.make(SearchDocs) })

declare const mcp: AiToolkit.WithHandler<any>
const Mcp = Toolkit.dynamic(mcp, { prefix: "mcp_", writes: [Theirs.pages] })

// error: give these sections one shape: 'search'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(SearchDocs), dynamic: [Mcp] })
