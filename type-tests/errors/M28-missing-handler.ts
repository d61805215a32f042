// Property 'fetch' is missing in type
// cure: Write the handler, under the tool's own name.
import { Effect } from "effect"
import { Agent, AgentRunner, Tool, Toolkit } from "tenon"
import { Fetch, Infra, Quota } from "../fixture.ts"

const kit = Toolkit.make(Quota, Fetch)

// error: Property 'fetch' is missing in type
Toolkit.layer(kit, { quota: () => Effect.succeed(1) })

// error: 'fetsch' does not exist in type
// error: Did you mean to write 'fetch'?
Toolkit.layer(kit, {
  quota: () => Effect.succeed(1),
  fetch: () => Effect.succeed(""),
  fetsch: () => Effect.succeed("")
})

const Pinger = Agent.make("pinger", { instructions: "", toolkit: Toolkit.make(Tool.make("ping", {})) })
const program = AgentRunner.run(Pinger, { session: "s-1", input: "" }).pipe(Effect.provide(Infra))

// error: Handler<"ping">
Effect.runPromise(program)
