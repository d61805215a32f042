/**
 * 03 · Sub-agents
 *
 * A sub-agent is called as a tool. It works in an environment of its own that is derived from its parent's: it sees the
 * same supplied values and the parent's state under the same names, and starts with no messages but its task, with an
 * id of its own, and with fresh sections where a section says so. Its tools need not know where they run.
 */
import { Effect, Layer, Schema } from "effect"
import assert from "node:assert/strict"
import {
  Agent,
  AgentRunner,
  Middleware,
  Reducer,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

const Env = ToolContext.make({ userId: Schema.Int })

const Conversation = State.make("conversation", { title: State.field(Schema.String, { initial: "Untitled" }) })

/** A todo list is nobody's but the agent's that wrote it: a child starts it anew. */
const Todos = State.make("todos", {
  items: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
}, { child: "fresh" })

/** What the whole tree counts together. */
const Usage = State.make("usage", { looks: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })

const ConversationTitle = Middleware.make("conversation_title", {
  hooks: [Middleware.beforeRun({ writes: [Conversation.title] }, () => Conversation.title.set("My Chat"))]
})

// ----- one tool, used by a parent and by its children ----------------------------

const Sight = Schema.Struct({
  agent: Schema.String,
  userId: Schema.Int,
  title: Schema.String,
  todos: Schema.Array(Schema.String),
  messages: Schema.Int
})

const LookAround = Tool.make("look_around", {
  success: Sight,
  context: [Env.userId],
  reads: [Conversation.title, Todos.items],
  combines: [Usage.looks]
})
const AddTodo = Tool.make("add_todo", { parameters: Schema.Struct({ item: Schema.String }), combines: [Todos.items] })

const Looking = Toolkit.make(LookAround)
const Planning = Toolkit.make(AddTodo)

const HandlersLive = Layer.merge(
  Toolkit.layer(Looking, {
    look_around: Effect.fnUntraced(function*() {
      const call = yield* ToolCall.ToolCall
      yield* Usage.looks.combine(1)
      return {
        agent: call.agent,
        userId: yield* Env.userId,
        title: yield* Conversation.title.get,
        todos: yield* Todos.items.get,
        messages: call.history.length
      }
    })
  }),
  Toolkit.layer(Planning, { add_todo: ({ item }) => Todos.items.combine(item) })
)

// ----- three agents, one in the other ---------------------------------------------

const Librarian = Agent.make("librarian", { instructions: "Fetch books.", toolkit: Looking })
const Researcher = Agent.make("researcher", {
  instructions: "Find sources.",
  toolkit: Looking,
  // only what `returns` names comes back, as the child's own operations
  subAgents: [SubAgent.make(Librarian, { returns: [Usage.looks] })]
})
const Assistant = Agent.make("assistant", {
  instructions: "Help.",
  toolkit: Toolkit.make(LookAround, AddTodo),
  middleware: [ConversationTitle],
  subAgents: [SubAgent.make(Researcher, { returns: [Usage.looks] })]
})

// What a child requires, its parent requires: `userId` is missing at compile time, wherever in the tree it is read.
const program = AgentRunner.run(Assistant, { session: "s-1", input: "Where is the licence?" }).pipe(
  Effect.provide([HandlersLive, SessionStore.layerMemory, Env.layer({ userId: 42 })])
)

const { call, text } = ScriptedModel
const result = await Effect.runPromise(Effect.provide(
  program,
  ScriptedModel.layer({
    assistant: [
      call("add_todo", { item: "ask a researcher" }),
      call("look_around"),
      call("researcher", { task: "Find the licence." }),
      text("In LICENSE.")
    ],
    researcher: [call("look_around"), call("librarian", { task: "Fetch LICENSE." }), text("It is in LICENSE.")],
    librarian: [call("look_around"), text("Here it is.")]
  })
))

const seen = result.session.events.flatMap((event) =>
  event.kind === "call" && event.tool === "look_around" ? [event.result.value] : []
)
for (const sight of seen) console.log(sight)

// both channels are there at every depth; messages, todos and the id are each agent's own
const shared = { userId: 42, title: "My Chat" }
assert.deepEqual(seen, [
  { ...shared, agent: "assistant", todos: ["ask a researcher"], messages: 3 },
  { ...shared, agent: "assistant-sub-3", todos: [], messages: 1 },
  { ...shared, agent: "assistant-sub-3-sub-2", todos: [], messages: 1 }
])
// what came back, through two levels
assert.equal(result.session.state.get(Usage.looks), 3)
assert.deepEqual(result.session.state.get(Todos.items), ["ask a researcher"])
console.log(`looked around ${result.session.state.get(Usage.looks)} times`)
