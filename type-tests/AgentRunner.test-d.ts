import { Effect, Layer, type Stream } from "effect"
import type { LanguageModel, Tool as AiTool } from "effect/ai"
import { Agent, type AgentError, AgentRunner, type Interrupt, type SessionStore, ToolContext } from "tenon"
import { Approve, Assistant, type Db, db, Env, Infra, type main, Researcher, type resumed } from "./fixture.ts"
import { same } from "./same.ts"

type Result = AgentRunner.AgentResult<string>
type Failure = AgentError.AgentError
type Keys = ToolContext.Key<"tenant", string> | ToolContext.Key<"userId", number> | ToolContext.LocalKey<"db", Db>
type Handlers = AiTool.Handler<"search_docs"> | AiTool.Handler<"fetch"> | AiTool.Handler<"quota">
type Services = LanguageModel.LanguageModel | SessionStore.SessionStore

// ----- what a run requires: keys, handlers, a model and a store; no field, no section, no question -----

same<AgentRunner.Requires<typeof Assistant>, Keys | Handlers | Services>(true)
const run = AgentRunner.run(Assistant, { session: "s-1", input: "" })
same<typeof run, Effect.Effect<Result, Failure, Keys | Handlers | Services>>(true)
same<typeof resumed, Effect.Effect<Result, Failure, Keys | Handlers | Services>>(true)
const stream = AgentRunner.stream(Assistant, { session: "s-1", input: "" })
same<typeof stream, Stream.Stream<AgentRunner.StreamItem<string>, Failure, Keys | Handlers | Services>>(true)
const answered = AgentRunner.stream(Assistant, { session: "s-1", answers: [Approve.answer("call-1/1", true)] })
same<typeof answered, typeof stream>(true)
const Plain = Agent.make("plain", { instructions: "" })
same<AgentRunner.Requires<typeof Plain>, Services>(true)
same<typeof main, Promise<Result>>(true)

// layers take away what they supply, and nothing else
const supplied = Effect.provide(run, ToolContext.layer(Assistant, { tenant: "acme", db, userId: 1 }))
same<typeof supplied, Effect.Effect<Result, Failure | ToolContext.ToolContextError, Handlers | Services>>(true)
const partly = Effect.provide(run, Layer.merge(Infra, Layer.succeed(Env.tenant, "acme")))
same<Effect.Services<typeof partly>, Exclude<Keys, ToolContext.Key<"tenant", string>> | Handlers>(true)

// a hosted run asks one service for the keys
same<
  AgentRunner.HostedRequires<typeof Assistant>,
  | ToolContext.Resolver<"assistant", { readonly tenant: string; readonly db: Db; readonly userId: number }>
  | Handlers
  | Services
>(true)

// ----- answers ------------------------------------------------------------------------

type Approval = Interrupt.Answer<"approval", Interrupt.Decision>
same<AgentRunner.Answers<typeof Assistant>, Interrupt.Answer<"approve", boolean> | Approval | Interrupt.EncodedAnswer>(
  true
)
same<AgentRunner.Answers<typeof Plain>, Approval | Interrupt.EncodedAnswer>(true)
// @ts-expect-error an agent that does not ask takes no answer
AgentRunner.resume(Plain, { session: "s-1", answers: [Approve.answer("call-1/1", true)] })

// ----- results --------------------------------------------------------------------------

declare const result: Result
if (result._tag === "Completed") same<typeof result, AgentRunner.Completed<string>>(true)
else same<typeof result, AgentRunner.Paused>(true)

// ----- in a helper ------------------------------------------------------------------------

const ask = <A extends Agent.Any>(agent: A, input: string) => AgentRunner.run(agent, { session: "s-1", input })
const asked = ask(Researcher, "")
same<typeof asked, Effect.Effect<Result, Failure, AgentRunner.Requires<typeof Researcher>>>(true)

// an agent of a wider type cannot be run: nothing says what it needs
declare const any: Agent.Any
const unknown = AgentRunner.run(any, { session: "s-1", input: "" })
// @ts-expect-error
Effect.runPromise(Effect.provide(unknown, Infra))
