// Type '"list these one by one, a wider type loses their names"' is not assignable to type 'never'
// cure: Leave the annotation out, or take `Agent.Any` where only a name is needed.
import { Effect } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { Agent, AgentRunner, Tool, Toolkit } from "tenon"
import { Infra } from "../fixture.ts"

const Plain = Agent.make("plain", { instructions: "", toolkit: Toolkit.make(Tool.make("quota", {})) })
const start = <A extends Agent.Any>(agent: A) =>
  AgentRunner.run(agent, { session: "s-1", input: "" }).pipe(Effect.provide(Infra))

// error: Handler<"quota">
Effect.runPromise(start(Plain))

const wide: Agent.Agent<"plain", Agent.Needs<typeof Plain>, { readonly name: string }> = Plain

// error: Type '"list these one by one, a wider type loses their names"' is not assignable to type 'never'
Effect.runPromise(start(wide))

const startAny = <Needs>(agent: Agent.Agent<string, Needs, { readonly name: string }>) =>
  AgentRunner.run(agent, { session: "s-1", input: "" }).pipe(Effect.provide(Infra))

// error: Type '"list these one by one, a wider type loses their names"' is not assignable to type 'never'
Effect.runPromise(startAny(Plain))

type Unnamed<T> = T extends AiTool.Tool<string, infer Config, infer Needs> ? AiTool.Tool<string, Config, Needs> : never
const unnamed: Agent.Agent<"plain", Agent.Needs<typeof Plain>, Unnamed<Agent.Tools<typeof Plain>>> = Plain

// error: Type '"list these one by one, a wider type loses their names"' is not assignable to type 'never'
Effect.runPromise(start(unnamed))
