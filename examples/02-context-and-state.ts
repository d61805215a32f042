/**
 * 02 · Context and state
 *
 * What a tool gets besides its arguments comes through two channels. The ToolContext is supplied by whoever starts the
 * agent, and nobody changes it. State is written by middleware and by tools as the conversation goes on, and is kept.
 * A tool names what it reads of the one and touches of the other; the compiler holds it to that.
 */
import { Effect, Layer, Logger, Schema } from "effect"
import assert from "node:assert/strict"
import {
  Agent,
  AgentRunner,
  Middleware,
  Reducer,
  Session,
  SessionStore,
  State,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

// ----- the static channel: declared here, supplied by the caller --------------

/** Who is at work; an object of this process, so it is declared without a schema and never stored. */
interface Scope {
  readonly user: { readonly id: number; readonly name: string }
  readonly mayRead: (project: string) => boolean
}

const Env = ToolContext.make({
  userId: Schema.Int,
  tenant: Schema.String,
  currentScope: ToolContext.value<Scope>()
})

/** What a coordinator does when it starts a conversation: it adds the scope of the user who is signed in. */
const startFor = (user: Scope["user"], values: { readonly tenant: string }) =>
  Env.layer({
    ...values,
    userId: user.id,
    currentScope: { user, mayRead: (project) => project.startsWith("acme/") }
  })

// ----- the dynamic channel: sections of State, each with one owner -------------

const Conversation = State.make("conversation", {
  title: State.field(Schema.String, { initial: "Untitled" })
})
const DebugLog = State.make("debug_log", {
  messageCount: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Search = State.make("search", {
  lastQuery: State.optional(Schema.String)
})

// ----- middleware writes State -------------------------------------------------

/** Gives the conversation a title once the model has answered for the first time. */
const ConversationTitle = Middleware.make("conversation_title", {
  hooks: [
    Middleware.afterModel(
      { writes: [Conversation.title] },
      ({ step }) => step === 1 ? Conversation.title.set("My Chat") : Effect.void
    )
  ]
})

/** Counts the model's turns. It only adds, so it need not read. */
const CountTurns = Middleware.make("debug_log", {
  hooks: [Middleware.beforeModel({ combines: [DebugLog.messageCount] }, () => DebugLog.messageCount.combine(1))]
})

// ----- tools read both channels ------------------------------------------------

/** Reads supplied values: each by its own name. */
const WhoAmI = Tool.make("who_am_i", {
  success: Schema.String,
  context: [Env.userId, Env.tenant, Env.currentScope]
})

/** Uses the scope for what it may see: the same in an agent and in a sub-agent. */
const GetProject = Tool.make("get_project", {
  description: "Fetch project details",
  parameters: Schema.Struct({ id: Schema.String }),
  success: Schema.String,
  failure: Schema.String,
  context: [Env.currentScope]
})

/** Reads what middleware wrote. Without a title yet it reads the field's initial value. */
const CurrentTitle = Tool.make("current_title", { success: Schema.String, reads: [Conversation.title] })

/** Writes State: there is nothing to return for it, and what it did is kept with the call's result. */
const SearchDocs = Tool.make("search_docs", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.Array(Schema.String),
  writes: [Search.lastQuery]
})

/** Sees all at once: the merged view. */
const LookAround = Tool.make("look_around", {
  success: Schema.Array(Schema.String),
  context: [Env.userId, Env.tenant],
  reads: [Conversation.title]
})

const Kit = Toolkit.make(WhoAmI, GetProject, CurrentTitle, SearchDocs, LookAround)

const KitLive = Toolkit.layer(Kit, {
  who_am_i: Effect.fnUntraced(function*() {
    const userId: number = yield* Env.userId
    const tenant: string = yield* Env.tenant
    const scope: Scope = yield* Env.currentScope
    return `${scope.user.name} (${userId}) of ${tenant}`
  }),
  get_project: Effect.fnUntraced(function*({ id }) {
    const scope = yield* Env.currentScope
    return scope.mayRead(id) ? `${id}: 3 open issues` : yield* Effect.fail(`${scope.user.name} may not read ${id}`)
  }),
  current_title: () => Effect.map(Conversation.title.get, (title) => `Current conversation: ${title}`),
  search_docs: Effect.fnUntraced(function*({ query }) {
    yield* Search.lastQuery.set(query)
    return [`${query}.md`]
  }),
  look_around: Effect.fnUntraced(function*() {
    const context = yield* ToolContext.merged(LookAround)
    // from the ToolContext, flat
    assert.equal(context.userId, 42)
    assert.equal(context.tenant, "acme")
    // from State, by section
    assert.equal(context.state.conversation.title, "My Chat")
    // internal, always there
    assert.deepEqual(context.parentMiddleware, ["conversation_title", "debug_log"])
    assert.equal(context.parentTools.length, 5)
    assert.equal(context.toolCall.id, "i1.1.5")
    // the supplied values once more, whatever they are called; a tool takes the flat ones
    assert.equal(context.toolContext["userId"], 42)
    return Object.keys(context)
  })
})

const Assistant = Agent.make("assistant", {
  instructions: "Help.",
  toolkit: Kit,
  middleware: [ConversationTitle, CountTurns]
})

// ----- a run ---------------------------------------------------------------------

const script: ScriptedModel.Script = [
  ScriptedModel.calls(
    { tool: "who_am_i" },
    { tool: "get_project", parameters: { id: "acme/site" } },
    { tool: "current_title" },
    { tool: "search_docs", parameters: { query: "licence" } },
    { tool: "look_around" }
  ),
  ScriptedModel.text("Done.")
]
const world = Layer.merge(ScriptedModel.layer(script), SessionStore.layerMemory)

const result = await Effect.runPromise(
  AgentRunner.run(Assistant, { session: "s-1", input: "What do you know?" }).pipe(
    Effect.provide([KitLive, world, startFor({ id: 42, name: "Ada" }, { tenant: "acme" })])
  )
)

for (const event of result.session.events) {
  if (event.kind === "call") console.log(`${event.tool.padEnd(13)} →`, event.result.value)
}
const { state } = result.session
assert.equal(state.get(Conversation.title), "My Chat")
assert.equal(state.get(DebugLog.messageCount), 2)
assert.equal(state.values.get("search.lastQuery"), "licence")
console.log("kept          →", Object.fromEntries(state.values))

// of the ToolContext nothing is kept: the next run asks its caller for it again
assert.doesNotMatch(JSON.stringify(Session.encode(result.session.events)), /currentScope|mayRead/)

// ----- who wins --------------------------------------------------------------------

// A name of the agent's own is refused at compile time, and when it is forced:
assert.throws(
  // @ts-expect-error: 'state' is a reserved name: the agent supplies it
  () => ToolContext.make({ state: Schema.String }),
  { message: "'state' is a reserved name: the agent supplies it" }
)

// What comes from outside the types, as the body of a request does, may hold one. The agent's own value wins, and a
// warning names the key.
const Request = ToolContext.make({ userId: Schema.Int, tenant: Schema.String })
const warnings: Array<string> = []
const listen = Logger.layer([Logger.make(({ message }) => warnings.push(String(message)))])
const Peek = Tool.make("peek", { context: [Request.userId, Request.tenant], reads: [Conversation.title] })

const view = await Effect.runPromise(
  Effect.map(ToolContext.merged(Peek), ({ state, tenant }) => ({ tenant, title: state.conversation.title })).pipe(
    Effect.provide([
      Request.layerUnknown({ userId: 42, tenant: "acme", state: "mine" }),
      State.layer(Peek, { "conversation.title": "the agent's" }),
      ToolCall.layer()
    ]),
    Effect.provide(listen)
  )
)
assert.deepEqual(view, { tenant: "acme", title: "the agent's" })
assert.deepEqual(warnings, ["a supplied ToolContext holds reserved names, the agent's own values win: state"])
console.log("who wins      →", view)
