import { Effect, Schedule } from "effect"
import type { LanguageModel } from "effect/ai"
import { Agent, type Interrupt, type Middleware, Tool, ToolCall, type ToolContext } from "tenon"
import {
  Budget,
  Compaction,
  ConversationTitle,
  DebugLog,
  Guardrails,
  HumanApproval,
  RepairHistory,
  ResultCache,
  SpanAttributes,
  TodoList,
  ToolRetry,
  ToolTimeout
} from "tenon/middleware"
import { Env, Search } from "../fixture.ts"
import { same } from "../same.ts"

type Tenant = ToolContext.Key<"tenant", string>
type NeedsOf<M extends Middleware.Any> = M["~middleware"]["needs"]

// ----- what each needs is its own fields, and what it is given to do ----------------------

const todos = TodoList.make()
same<NeedsOf<typeof todos>, (typeof TodoList.Todos.items)["~writes"] | ToolCall.ToolCall>(true)

const log = DebugLog.make()
const repaired = RepairHistory.make()
same<NeedsOf<typeof log>, never>(true)
same<NeedsOf<typeof repaired>, never>(true)

const retried = ToolRetry.make({ schedule: Schedule.recurs(1) })
const timed = ToolTimeout.make({ timeout: ({ tool }) => tool === "find" ? "1 second" : undefined })
same<NeedsOf<typeof retried>, never>(true)
same<NeedsOf<typeof timed>, never>(true)

const spanned = SpanAttributes.make({ context: [Env.tenant] })
same<NeedsOf<typeof spanned>, Tenant>(true)
// @ts-expect-error a redacted value must not be in a span
SpanAttributes.make({ context: [Env.tenant, Env.token] })
// @ts-expect-error give this key a schema, it crosses a process boundary
SpanAttributes.make({ context: [Env.db] })

const titled = ConversationTitle.make({ context: [Env.tenant], generate: () => Env.tenant })
same<NeedsOf<typeof titled>, Tenant | (typeof ConversationTitle.Conversation.title)["~writes"]>(true)
const modelled = ConversationTitle.byModel()
same<
  NeedsOf<typeof modelled>,
  LanguageModel.LanguageModel | (typeof ConversationTitle.Conversation.title)["~writes"]
>(true)
// @ts-expect-error what the title is made of must be declared
ConversationTitle.make({ generate: () => Env.tenant })

const compacted = Compaction.make({
  when: Compaction.every(3),
  context: [Env.tenant],
  summarize: () => Env.tenant
})
same<NeedsOf<typeof compacted>, Tenant>(true)
const summarized = Compaction.byModel({ when: Compaction.over(100_000, { keep: 4 }) })
same<NeedsOf<typeof summarized>, LanguageModel.LanguageModel>(true)
// @ts-expect-error what the summary is made of must be declared
Compaction.make({ when: Compaction.every(3), summarize: () => Env.tenant })

const cached = ResultCache.make({ tools: [], context: [Env.tenant] })
same<NeedsOf<typeof cached>, Tenant | ResultCache.Store>(true)

// ----- a scope that is chosen decides which section is touched ---------------------------

const bySession = Budget.make({ scope: "session", tokens: 1 })
same<NeedsOf<typeof bySession>, (typeof Budget.Session)["tokens" | "cost"]["~writes"]>(true)
const byUser = Budget.make({ scope: "user", tokens: 1 })
same<NeedsOf<typeof byUser>, (typeof Budget.User)["tokens" | "cost"]["~writes"]>(true)

type Asks = (typeof Interrupt.Approval)["~asks"]
const asking = HumanApproval.make({ policies: [{ tools: [Tool.make("send", {}), "fetch"] }] })
same<NeedsOf<typeof asking>, Asks>(true)
const remembering = HumanApproval.make({ policies: [], remember: "user" })
same<NeedsOf<typeof remembering>, Asks | (typeof HumanApproval.User.always)["~writes"]>(true)

// ----- a guard needs what its contract says -----------------------------------------------

const guards = Guardrails.make("guards", [
  Guardrails.output({ context: [Env.tenant] }, () => Effect.as(Env.tenant, Guardrails.replace("…"))),
  Guardrails.toolArguments({ combines: [Search.count] }, ({ parameters }) => {
    same<typeof parameters, unknown>(true)
    return Effect.as(Effect.andThen(ToolCall.ToolCall, Search.count.combine(1)), Guardrails.refuse("no"))
  })
])
same<NeedsOf<typeof guards>, Tenant | (typeof Search.count)["~combines"]>(true)
same<(typeof guards)["name"], "guards">(true)
const input = Guardrails.make("input", [Guardrails.input({}, () => Effect.void)])
same<NeedsOf<typeof input>, (typeof Guardrails.Section.replaced)["~writes"]>(true)
// @ts-expect-error a guard touches only what it declares
Guardrails.output({}, () => Effect.asVoid(Env.tenant))
// @ts-expect-error a text is replaced by a text
Guardrails.input({}, () => Effect.succeed(Guardrails.replace(7)))

// ----- all around one agent -----------------------------------------------------------------

const agent = Agent.make("agent", {
  instructions: "",
  middleware: [todos, log, titled, guards, input, remembering, cached, bySession, repaired]
})
same<Extract<Agent.Needs<typeof agent>, ToolContext.AnyKey>, Tenant>(true)
same<Agent.Tools<typeof agent>, typeof TodoList.WriteTodos>(true)
