// A handler needs a value that its tool does not declare, so that its agent cannot know of it.
// Documented: compile, a handler can read what its tool declares.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, ToolContext, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Env = ToolContext.make({ userId: Schema.String })
const Who = Tool.make("who", { success: Schema.String })
const Kit = Toolkit.make(Who)

// mistake: Who has no context
const KitLive = Toolkit.layer(Kit, { who: () => Effect.map(Env.userId, (id) => `user=${id}`) })

const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })
const program = AgentRunner.run(Clerk, { session: "s-1", input: "Who am I?" }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, scripted("who")])
)

await verdict(() => Effect.runPromise(program))
