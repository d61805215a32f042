// provide these context keys as they are needed
// cure: Provide a value of the type that the tool declares.
import { Effect, Schema } from "effect"
import { Agent, Instructions, Middleware, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { Env } from "../fixture.ts"

const Wide = ToolContext.make({ userId: Schema.Union([Schema.Int, Schema.String]) })
const Text = ToolContext.make({ userId: Schema.String })
const Whoami = Tool.make("whoami", { context: [Env.userId] })
const AsText = Middleware.make("text", { provides: [Middleware.provide(Text.userId, {}, Effect.succeed("1"))] })
const AsWide = Middleware.make("wide", { provides: [Middleware.provide(Wide.userId, {}, Effect.succeed("1"))] })
const AsInt = Middleware.make("int", { provides: [Middleware.provide(Env.userId, {}, Effect.succeed(1))] })
const OnWide = Middleware.make("on_wide", { instructions: Instructions.template`${Wide.userId}` })
const Child = Agent.make("child", { instructions: "", toolkit: Toolkit.make(Whoami) })

// error: provide these context keys as they are needed: 'userId'
Agent.make("a", { instructions: "", middleware: [AsText], toolkit: Toolkit.make(Whoami) })

// error: provide these context keys as they are needed: 'userId'
Agent.make("a", { instructions: "", middleware: [AsWide], subAgents: [SubAgent.make(Child)] })

// the caller's value for the outer one would win
// error: provide these context keys as they are needed: 'userId'
Agent.make("a", { instructions: "", middleware: [OnWide, AsInt], toolkit: Toolkit.make(Whoami) })

Agent.make("a", { instructions: "", middleware: [AsInt, OnWide], toolkit: Toolkit.make(Whoami) })
