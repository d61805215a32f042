/**
 * 10 · Middleware that comes with it
 *
 * An agent for a small practice: it keeps a todo list and gets a title, a person approves what leaves the house, a guard
 * keeps numbers from the model, equal searches run once, and a budget ends it. Each of these is a middleware of
 * `tenon/middleware`; what they keep is State, with sections of their own.
 */
import { Effect, Option, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import assert from "node:assert/strict"
import { Agent, AgentRunner, Interrupt, SessionStore, Tool, ToolContext, Toolkit } from "tenon"
import { Budget, ConversationTitle, Guardrails, HumanApproval, ResultCache, TodoList } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"

const { call, calls, text } = ScriptedModel

const Env = ToolContext.make({ practice: Schema.String })

/** It only reads, and its result depends on the practice: both are said, so that results can be kept. */
const FindSlots = Tool.make("find_slots", {
  parameters: Schema.Struct({ day: Schema.String }),
  success: Schema.Array(Schema.String),
  context: [Env.practice]
}).annotate(AiTool.Readonly, true)

const SendLetter = Tool.make("send_letter", {
  parameters: Schema.Struct({ to: Schema.String }),
  success: Schema.String
})

const Kit = Toolkit.make(FindSlots, SendLetter)
let searches = 0
const KitLive = Toolkit.layer(Kit, {
  find_slots: Effect.fnUntraced(function*({ day }) {
    searches += 1
    return [`${day} 9:00 at ${yield* Env.practice}`]
  }),
  send_letter: ({ to }) => Effect.succeed(`sent to ${to}`)
})

// the first is the outermost: what stands last sees a call as the handler or the model gets it
const Desk = Agent.make("desk", {
  instructions: "Help at the desk.",
  toolkit: Kit,
  middleware: [
    TodoList.make(),
    ConversationTitle.make({ generate: ({ input }) => Effect.succeed(input.split(" ").slice(0, 3).join(" ")) }),
    Guardrails.make("discreet", [
      Guardrails.input(
        {},
        ({ text }) =>
          Effect.succeed(/\d{4}/.test(text) ? Guardrails.replace(text.replaceAll(/\d{4,}/g, "…")) : undefined)
      )
    ]),
    HumanApproval.make({ policies: [{ tools: [SendLetter], reason: "it leaves the house" }], remember: "session" }),
    ResultCache.make({ tools: [FindSlots], context: [Env.practice] }),
    Budget.make({ scope: "session", tokens: 60, answer: "That is all for today." })
  ]
})

const asked: Array<ScriptedModel.Request> = []
const program = Effect.gen(function*() {
  const paused = yield* AgentRunner.run(Desk, { session: "s-1", input: "Book me in, my number is 471100." })
  for (const { question } of Interrupt.Approval.among(paused.session.open)) {
    console.log("may I?", question.tool, question.arguments, `(${question.reason})`)
  }
  const second = yield* AgentRunner.resume(Desk, {
    session: "s-1",
    answers: paused.session.open.map(({ id }) => Interrupt.approve(id, { always: true }))
  })
  const third = yield* AgentRunner.run(Desk, { session: "s-1", input: "And Bob too." })
  return { paused, second, third }
})

const { paused, second, third } = await Effect.runPromise(Effect.provide(program, [
  KitLive,
  TodoList.layer(),
  ResultCache.layerMemory({ timeToLive: "5 minutes" }),
  SessionStore.layerMemory,
  Env.layer({ practice: "Oak Lane" }),
  ScriptedModel.layer([
    (request) => {
      asked.push(request)
      return call("write_todos", { todos: [{ content: "Find a slot", status: "in_progress" }, { content: "Write" }] })
    },
    calls(
      { tool: "find_slots", parameters: { day: "Monday" } },
      { tool: "send_letter", parameters: { to: "Ada" } }
    ),
    call("find_slots", { day: "Monday" }),
    { ...text("You are booked in."), inputTokens: 60 }
  ])
]))

assert(paused._tag === "Paused" && second._tag === "Completed" && third._tag === "Completed")
// the guard: the model never read the number, the log holds what was said
assert.match(JSON.stringify(asked[0]?.prompt), /my number is …\./)
assert.match(JSON.stringify(second.session.history), /471100/)
// the cache: the second search was none
assert.equal(searches, 1)
// the state that middleware keeps
const { state } = second.session
console.log("title:", Option.getOrUndefined(state.get(ConversationTitle.Conversation.title)))
assert.deepEqual(state.get(ConversationTitle.Conversation.title), Option.some("Book me in,"))
for (const { content, id, status } of state.get(TodoList.Todos.items)) console.log(`todo ${id}: ${content} (${status})`)
assert.deepEqual(state.get(TodoList.Todos.items).map(({ status }) => status), ["in_progress", "pending"])
assert.deepEqual(state.get(HumanApproval.Session.always), { send_letter: "approve" })
// the budget: the third message is answered without the model
console.log("spent:", state.get(Budget.Session.tokens), "tokens;", third.text)
assert.equal(third.text, "That is all for today.")
