// list these one by one, a wider type loses their names
// cure: List the tools one by one. Tools that are known only at run time go into `Toolkit.dynamic`.
import type { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, type Contract, type Middleware, type SubAgent, Tool, Toolkit } from "tenon"
import { kit, Quota } from "../fixture.ts"

declare const tools: Array<AiTool.Any>

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", toolkit: Toolkit.make(...tools) })

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", toolkit: Toolkit.make(Quota, ...tools) })

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", toolkit: kit as AiToolkit.Any })

declare const keys: Array<Contract.AnyKey>

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", toolkit: Toolkit.make(Tool.make("t", { context: keys })) })

declare const middleware: Array<Middleware.Any>

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", middleware })

declare const subAgents: Array<SubAgent.Any>

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", subAgents })

declare const dynamic: Array<Toolkit.AnyDynamic>

// error: list these one by one, a wider type loses their names
Agent.make("a", { instructions: "", dynamic })
