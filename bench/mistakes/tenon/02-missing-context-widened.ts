// The agent is one of a list, and the caller leaves out the value that its tool needs.
// Documented: compile, the type of the elements is the union of what they need.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Env = ToolContext.make({ userId: Schema.String })
const Who = Tool.make("who", { success: Schema.String, context: [Env.userId] })
const Kit = Toolkit.make(Who)
const KitLive = Toolkit.layer(Kit, { who: () => Effect.map(Env.userId, (id) => `user=${id}`) })
const agents: ReadonlyArray<Agent.Any> = [Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })]

const program = Effect.forEach(agents, (agent) => AgentRunner.run(agent, { session: "s-1", input: "Who am I?" })).pipe(
  Effect.map((all) => all.flatMap(results)),
  Effect.provide([KitLive, scripted("who")])
)

// mistake: no layer of Env
await verdict(() => Effect.runPromise(program))
