/** What an editor shows of the names of a program: `scripts/hovers.ts` holds each to a length. */
import { Effect, Schema } from "effect"
import {
  Agent,
  AgentRunner,
  Compose,
  type Event,
  Middleware,
  Session,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { Evaluation, type EvaluationReport, ScriptedModel, TestAgent } from "tenon/testing"

export const env = ToolContext.make({ tenant: Schema.String, userId: Schema.Int })
export const tenant = env.tenant
export const search = State.make("search", {
  lastQuery: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0 })
})
export const count = search.count
// at most 360: its schemas, and what it touches
export const find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.String,
  context: [env.tenant],
  writes: [search.count]
})
export const look = Tool.make("look", { success: Schema.Int, context: [env.userId] })
// at most 570: its tools
export const kit = Toolkit.make(find, look)
export const kitLive = Toolkit.layer(kit, {
  find: (parameters) => Effect.map(env.tenant, (name) => `${parameters.query} in ${name}`),
  look: () => Effect.flatMap(ToolCall.ToolCall, (call) => Effect.as(call.actions.escalate, 1))
})
export const audit = Middleware.make("audit", {
  hooks: [Middleware.afterTool({ writes: [search.lastQuery] }, () => search.lastQuery.set("x"))]
})
// at most 900: what it needs, and its tools
export const helper = Agent.make("helper", { instructions: "Help.", toolkit: kit })
// at most 900: what it needs, and its tools
export const below = SubAgent.make(helper, { narrow: [env.tenant, env.userId], returns: [search.count] })
// at most 900: what it needs, and its tools
export const clerk = Agent.make("clerk", { instructions: "Serve.", middleware: [audit], subAgents: [below] })
// at most 900: what it needs, and its tools
export const steps = Compose.sequential("steps", { subAgents: [below, SubAgent.make(clerk)] })
// at most 900: what it needs, and its tools
export const besides = Compose.parallel("besides", { subAgents: [below, SubAgent.make(clerk)] })
// at most 900: what it needs, and its tools
export const round = Compose.loop("round", { subAgents: [below], times: 2 })
export const context = ToolContext.layer(clerk, { tenant: "acme", userId: 1 })
export const run = AgentRunner.run(clerk, { session: "s", input: "Hello." })
export const stream = AgentRunner.stream(clerk, { session: "s", input: "Hello." })
export const store = SessionStore.layerMemory
export const service = Effect.service(SessionStore.SessionStore)
export const load = Session.load({ app: "app", session: "s" }, clerk)
export const model = ScriptedModel.layer([ScriptedModel.text("Hello.")])
// at most 930: its agent
export const test = TestAgent.make(clerk, { context: { tenant: "acme", userId: 1 }, layer: kitLive })
export const evaluation = Evaluation.run(clerk, { name: "set", cases: [] })
export declare const event: Event.Event
export declare const result: AgentRunner.AgentResult<string>
export declare const paused: AgentRunner.Paused["open"]
export declare const report: EvaluationReport.Report["runs"]
export declare const session: Session.Session
export declare const ran: TestAgent.Run
