// Two packages each bring a tool called `search`.
// Documented: compile, the complaint names the tool.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Tool, Toolkit } from "tenon"
import { results, scripted, verdict } from "./harness.ts"

const Ours = Toolkit.make(Tool.make("search", { success: Schema.String }))
const Theirs = Toolkit.make(Tool.make("search", { success: Schema.Int }))
const Kit = Toolkit.merge(Ours, Theirs)
const OursLive = Toolkit.layer(Ours, { search: () => Effect.succeed("ours") })
const TheirsLive = Toolkit.layer(Theirs, { search: () => Effect.succeed(42) })

// mistake: two of one name
const Clerk = Agent.make("clerk", { instructions: "Search.", toolkit: Kit })

const program = AgentRunner.run(Clerk, { session: "s-1", input: "Search." }).pipe(
  Effect.map(results),
  Effect.provide([OursLive, TheirsLive, scripted("search")])
)

await verdict(() => Effect.runPromise(program))
