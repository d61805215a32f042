/** What the tests of this folder share. */
import { Context, Effect, Layer } from "effect"
import { LanguageModel } from "effect/ai"
import { type Agent, type AgentError, AgentRunner, Session, SessionStore, type State } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line } from "../../message.ts"

type Reads = LanguageModel.LanguageModel | SessionStore.SessionStore

/** A model with a script and an empty store: what the model was asked, and both as a context. */
export const world = Effect.fnUntraced(function*(script: ScriptedModel.Script) {
  const { model, requests } = yield* ScriptedModel.make(script)
  const store = yield* Layer.build(SessionStore.layerMemory)
  return { requests, context: Context.add(store, LanguageModel.LanguageModel, model) }
})

/** A conversation with an agent in a world of its own; handlers and context keys are still required. */
export const conversation = <A extends Agent.Any>(agent: A, script: ScriptedModel.Script) =>
  Effect.map(world(script), ({ context, requests }) => ({
    requests,
    send: (
      input: string,
      options: Partial<AgentRunner.RunOptions> = {}
    ): Effect.Effect<AgentRunner.AgentResult, AgentError.AgentError, Exclude<AgentRunner.Requires<A>, Reads>> =>
      Effect.provideContext(AgentRunner.run(agent, { session: "s-1", input, ...options }), context),
    answer: (
      ...answers: ReadonlyArray<AgentRunner.Answers<A>>
    ): Effect.Effect<AgentRunner.AgentResult, AgentError.AgentError, Exclude<AgentRunner.Requires<A>, Reads>> =>
      Effect.provideContext(AgentRunner.resume(agent, { session: "s-1", answers }), context),
    /** The session as the store has it. */
    load: (of: { readonly user?: string }, sections: ReadonlyArray<State.AnySection>) =>
      Effect.provideContext(Session.load({ app: agent.name, session: "s-1", ...of }, sections), context)
  }))

/** The ends of calls, in the order in which they were stored. */
export const callsOf = ({ session }: AgentRunner.AgentResult) => session.events.filter((event) => event.kind === "call")

/** The results of a session's calls, as the model gets them. */
export const resultsOf = (result: AgentRunner.AgentResult): ReadonlyArray<unknown> =>
  callsOf(result).map((event) => event.result.value)

/** A message on one line: calls with their arguments, results with their values. */

/** What the model was told with its n-th request, from 1, a message a line, without the instructions. */
export const told = (requests: ReadonlyArray<ScriptedModel.Request>, number: number): ReadonlyArray<string> =>
  (requests[number - 1]?.prompt.content ?? []).filter(({ role }) => role !== "system").map(line)

/** The results in the last message of the n-th request, from 1: the provider's id, the tool, and what came out. */
export const answeredIn = (requests: ReadonlyArray<ScriptedModel.Request>, number: number) => {
  const last = requests[number - 1]?.prompt.content.at(-1)
  return last?.role !== "tool" ? [] : last.content.flatMap((part) =>
    part.type === "tool-result"
      ? [{ id: part.id, tool: part.name, failed: part.isFailure, value: part.result }]
      : []
  )
}

/** Names that every object has. */
export const inheritedNames = [
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "__proto__"
]
