import { Effect, type Exit, Schema } from "effect"
import type { AiError, Response } from "effect/ai"
import {
  Agent,
  type Event,
  Instructions,
  Middleware,
  type State,
  SubAgent,
  type ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { Approve, Conversation, Env, Plan, Quota } from "./fixture.ts"
import { same } from "./same.ts"

type UserId = ToolContext.Key<"userId", number>
type Tenant = ToolContext.Key<"tenant", string>
type PlanKey = ToolContext.Key<"plan", { readonly limits: ReadonlyArray<number> }>
type Title = State.Read<"conversation.title", string> | State.Owner<"conversation", { readonly title: string }>

// ----- hooks -------------------------------------------------------------------------

const beforeRun = Middleware.beforeRun({ context: [Env.userId], reads: [Conversation.title] }, (start) => {
  same<typeof start, Middleware.RunStart>(true)
  return Effect.void
})
same<typeof beforeRun, Middleware.Hook<UserId | Title>>(true)
Middleware.afterRun({}, ({ status }) => {
  same<typeof status, "completed" | "transferred" | "paused" | "failed">(true)
  return Effect.void
})
const beforeModel = Middleware.beforeModel(
  { asks: [Approve] },
  ({ messages, tools }) => Effect.as(Approve.ask("?"), Middleware.change({ messages: messages.slice(1), tools }))
)
same<typeof beforeModel, Middleware.Hook<(typeof Approve)["~asks"]>>(true)
Middleware.afterModel({}, ({ exit }) => {
  same<typeof exit, Exit.Exit<ReadonlyArray<Response.AnyPart>, AiError.AiError>>(true)
  return Effect.void
})
// after the model's answer nothing can be asked: it is not stored yet
// @ts-expect-error
Middleware.afterModel({ asks: [Approve] }, () => Effect.void)
// hooks on events only read
// @ts-expect-error
Middleware.onEvent({ writes: [Conversation.title] }, () => Effect.void)
// hooks of a tool call have the call, and may ask
const beforeTool = Middleware.beforeTool(
  { asks: [Approve] },
  ({ tool }) => Effect.map(Approve.ask(tool), (yes) => yes ? undefined : Middleware.refuse("no"))
)
same<typeof beforeTool, Middleware.Hook<(typeof Approve)["~asks"]>>(true)
Middleware.afterTool({}, ({ result }) => {
  same<typeof result, Event.CallResult>(true)
  return Effect.void
})

// ----- middleware ----------------------------------------------------------------------

same<
  typeof Plan,
  Middleware.Middleware<"plan", UserId | (typeof Conversation.title)["~writes"], PlanKey, never>
>(true)
const Everything = Middleware.make("everything", {
  hooks: [beforeRun, beforeTool],
  provides: [Middleware.provide(Env.plan, { context: [Env.userId] }, Effect.succeed({ limits: [] }))],
  instructions: Instructions.template`For ${Env.tenant}.`,
  toolkit: Toolkit.make(Quota)
})
same<
  typeof Everything,
  Middleware.Middleware<
    "everything",
    UserId | Title | (typeof Approve)["~asks"] | Tenant | PlanKey | ToolCall.ToolCall,
    PlanKey,
    typeof Quota
  >
>(true)
const Owns = Middleware.make("owns", { sections: [Conversation] })
same<typeof Owns, Middleware.Middleware<"owns", State.Owner<"conversation", { readonly title: string }>, never, never>>(
  true
)
const Nothing = Middleware.make("nothing", {})
same<typeof Nothing, Middleware.Middleware<"nothing", never, never, never>>(true)

// the needs are the same where a middleware is made in the list, and in any order of nesting
const inside = Agent.make("a", {
  instructions: "",
  middleware: [
    Middleware.make("m", {
      hooks: [Middleware.beforeRun({ reads: [Conversation.title] }, () => Effect.void)],
      instructions: Instructions.template`For ${Env.tenant}.`,
      toolkit: Toolkit.make(Quota)
    }),
    Middleware.make("n", {})
  ]
})
same<Agent.Needs<typeof inside>, Title | Tenant | PlanKey | ToolCall.ToolCall>(true)
same<Agent.Tools<typeof inside>, typeof Quota>(true)

// ----- what middleware provides ----------------------------------------------------------

const Gate = Middleware.make("gate", { hooks: [Middleware.beforeRun({ context: [Env.plan] }, () => Effect.void)] })
const provided = Agent.make("a", { instructions: "", middleware: [Plan, Gate], toolkit: Toolkit.make(Quota) })
same<Extract<Agent.Needs<typeof provided>, ToolContext.AnyKey>, UserId>(true)
// the first is the outermost: what a later one provides, an earlier one has to get elsewhere
const outside = Agent.make("a", { instructions: "", middleware: [Gate, Plan], toolkit: Toolkit.make(Quota) })
same<Extract<Agent.Needs<typeof outside>, ToolContext.AnyKey>, UserId | PlanKey>(true)
// what a provision needs, a later provision may give, in order
const Tenants = Middleware.make("tenants", {
  provides: [Middleware.provide(Env.userId, { context: [Env.tenant] }, Effect.succeed(1))]
})
const chained = Agent.make("a", { instructions: "", middleware: [Tenants, Plan, Gate] })
same<Extract<Agent.Needs<typeof chained>, ToolContext.AnyKey>, Tenant>(true)
// sub-agents stand inside their parent's middleware, and instructions too
const Child = Agent.make("child", { instructions: Instructions.template`${Env.userId}`, toolkit: Toolkit.make(Quota) })
const parent = Agent.make("parent", {
  instructions: Instructions.template`${Env.plan}`,
  middleware: [Plan],
  subAgents: [SubAgent.make(Child)]
})
same<Extract<Agent.Needs<typeof parent>, ToolContext.AnyKey>, UserId>(true)

// a list whose order nobody knows provides nothing
declare const either: Array<typeof Plan | typeof Gate>
const unordered = Agent.make("a", { instructions: "", middleware: either, toolkit: Toolkit.make(Quota) })
same<Extract<Agent.Needs<typeof unordered>, ToolContext.AnyKey>, UserId | PlanKey>(true)
const tuple = [Plan, Gate] as const
const spread = Agent.make("a", { instructions: "", middleware: [...tuple, Nothing] })
same<Extract<Agent.Needs<typeof spread>, ToolContext.AnyKey>, UserId>(true)

// of two that may stand in a place, only what both provide is given
declare const flag: boolean
const perhaps = Agent.make("a", {
  instructions: "",
  middleware: [flag ? Plan : Nothing],
  toolkit: Toolkit.make(Quota)
})
same<Extract<Agent.Needs<typeof perhaps>, ToolContext.AnyKey>, UserId | PlanKey>(true)
const Sometimes = Middleware.make("sometimes", {
  provides: flag ? [Middleware.provide(Env.plan, {}, Effect.succeed({ limits: [] }))] : []
})
same<typeof Sometimes, Middleware.Middleware<"sometimes", never, never, never>>(true)

// what is provided may be more than what is needed
const Wide = ToolContext.make({ userId: Schema.Union([Schema.Int, Schema.String]) })
const wider = Agent.make("a", { instructions: Instructions.template`${Wide.userId}`, middleware: [Tenants] })
same<Extract<Agent.Needs<typeof wider>, ToolContext.AnyKey>, Tenant>(true)

// what may not be there provides nothing: a choice of two, of two keys, of an option, or whatever is called `any`
const Real = Middleware.make("real", {
  provides: [Middleware.provide(Env.plan, {}, Effect.succeed({ limits: [] }))]
})
const Unreal = flag ? Real : Middleware.make("real", {})
const OfTwo = Middleware.make("of_two", {
  provides: [
    flag
      ? Middleware.provide(Env.plan, {}, Effect.succeed({ limits: [] }))
      : Middleware.provide(Env.userId, {}, Effect.succeed(1))
  ]
})
const Either = Middleware.make("either", {
  provides: [
    flag
      ? Middleware.provide(Env.plan, {}, Effect.succeed({ limits: [] }))
      : Middleware.provide(Env.plan, {}, Effect.succeed({ limits: [1] }))
  ]
})
const Optional = Middleware.make("optional", {
  hooks: [],
  ...(flag ? { provides: [Middleware.provide(Env.plan, {}, Effect.succeed({ limits: [] }))] as const } : {})
})
const Unknown = Middleware.make("unknown", {}) as Middleware.Middleware<"unknown", never, any, never>
const quota = Toolkit.make(Quota)
type Keys<A extends Agent.Any> = Extract<Agent.Needs<A>, ToolContext.AnyKey>
const real = Agent.make("a", { instructions: "", toolkit: quota, middleware: [Real] })
same<Keys<typeof real>, never>(true)
const sameKey = Agent.make("a", { instructions: "", toolkit: quota, middleware: [Either] })
same<Keys<typeof sameKey>, never>(true)
const unreal = Agent.make("a", { instructions: "", toolkit: quota, middleware: [Unreal] })
same<Keys<typeof unreal>, PlanKey>(true)
const ofTwo = Agent.make("a", { instructions: "", toolkit: quota, middleware: [OfTwo] })
same<Keys<typeof ofTwo>, PlanKey>(true)
const optional = Agent.make("a", { instructions: "", toolkit: quota, middleware: [Optional] })
same<Keys<typeof optional>, PlanKey>(true)
const unknown = Agent.make("a", { instructions: "", toolkit: quota, middleware: [Unknown] })
same<Keys<typeof unknown>, PlanKey>(true)
const lists = Agent.make("a", { instructions: "", toolkit: quota, middleware: flag ? [Real] : [] })
same<Keys<typeof lists>, PlanKey>(true)
const asOption = Agent.make("a", { instructions: "", toolkit: quota, ...(flag ? { middleware: [Real] as const } : {}) })
same<Keys<typeof asOption>, PlanKey>(true)
// what gives more may stand for what gives less, and not the other way round
export const less: Middleware.Middleware<"real", never, never, never> = Real
// @ts-expect-error
export const more: Middleware.Middleware<"optional", never, PlanKey, never> = Optional
