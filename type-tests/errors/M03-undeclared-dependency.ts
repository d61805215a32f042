// declare these keys with Tool.make or Contract.on
// cure: Name the keys under `context` of `Tool.make`, or add them to an existing tool with `Contract.on`.
import { Tool as AiTool } from "effect/ai"
import { Agent, Contract, Middleware, Toolkit } from "tenon"
import { Env } from "../fixture.ts"

const Find = AiTool.make("find", { dependencies: [Env.tenant, Env.userId] })

// error: declare these keys with Tool.make or Contract.on
// error: "tenant"
// error: "userId"
Agent.make("a", { instructions: "", toolkit: Toolkit.make(Find) })

// error: declare these keys with Tool.make or Contract.on
Agent.make("a", { instructions: "", toolkit: Toolkit.make(AiTool.make("add", {}).addDependency(Env.tenant)) })

// error: declare these keys with Tool.make or Contract.on
Agent.make("a", { instructions: "", middleware: [Middleware.make("m", { toolkit: Toolkit.make(Find) })] })

// error: declare these keys with Tool.make or Contract.on
Agent.make("a", { instructions: "", toolkit: Toolkit.make(Contract.on(Find, { context: [Env.tenant] })) })

Agent.make("a", { instructions: "", toolkit: Toolkit.make(Contract.on(Find, { context: [Env.tenant, Env.userId] })) })
