// give these context keys one type
// cure: Share one declaration between the tools, or rename one of the two keys.
import { Effect, Schema } from "effect"
import type { Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Instructions, Middleware, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { Env, Infra, Researcher, SearchDocs } from "../fixture.ts"

const Theirs = ToolContext.make({ tenant: Schema.Int })
const Bill = Tool.make("bill", { context: [Theirs.tenant] })
const BillLive = Toolkit.layer(Toolkit.make(Bill), { bill: () => Effect.void })
const Biller = Agent.make("biller", { instructions: "", toolkit: Toolkit.make(Bill) })
const program = AgentRunner.run(Biller, { session: "s-1", input: "" }).pipe(
  Effect.provide([BillLive, Infra, Env.layer({} as never)])
)

// error: Key<"tenant", number>
Effect.runPromise(program)

// error: give these context keys one type: 'tenant'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(Bill, SearchDocs) })

// error: give these context keys one type: 'tenant'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(Bill), subAgents: [SubAgent.make(Researcher)] })

// error: give these context keys one type: 'tenant'
Agent.make("both", {
  instructions: "",
  toolkit: Toolkit.make(Bill),
  middleware: [Middleware.make("m", { toolkit: Toolkit.make(SearchDocs) })]
})

// error: give these context keys one type: 'tenant'
Agent.make("both", { instructions: Instructions.template`${Theirs.tenant}`, toolkit: Toolkit.make(SearchDocs) })

declare const mcp: AiToolkit.WithHandler<any>
const Mcp = Toolkit.dynamic(mcp, { prefix: "mcp_", context: [Theirs.tenant] })

// error: give these context keys one type: 'tenant'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(SearchDocs), dynamic: [Mcp] })
