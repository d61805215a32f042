/**
 * 11 · Teams
 *
 * Three ways for agents to work together besides calling one another: a front desk transfers the conversation to whoever
 * can help, which goes on with the same messages and state; a composition runs agents in a fixed order, without a model
 * that decides; and a sub-agent with parameters is called like a tool of that shape.
 */
import { Effect, Layer, Option, Schema } from "effect"
import assert from "node:assert/strict"
import {
  Agent,
  AgentRunner,
  Compose,
  Instructions,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit,
  Transfer
} from "tenon"
import { ScriptedModel } from "tenon/testing"

const { call, text } = ScriptedModel

const Env = ToolContext.make({ customer: Schema.String })
const Case = State.make("case", {
  answer: State.optional(Schema.String),
  notes: State.field(Schema.Array(Schema.String), { initial: [] })
})

// ----- a composition: a draft, then a critic, until the critic is content -----------

const Accept = Tool.make("accept", {})
const AcceptLive = Toolkit.layer(Toolkit.make(Accept), {
  accept: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.escalate)
})
const Writer = Agent.make("writer", { instructions: "Write the answer to the customer.", outputTo: Case.answer })
const Critic = Agent.make("critic", {
  instructions: Instructions.template`Accept this answer, or say what is wrong: ${Case.answer}`,
  toolkit: Toolkit.make(Accept)
})
const Drafting = Compose.loop("drafting", {
  // what the writer keeps in its field comes back, and the critic reads it there
  subAgents: [SubAgent.make(Writer, { returns: [Case.answer] }), SubAgent.make(Critic)],
  times: 3
})

// ----- a team: a desk, and two that the conversation may go to ----------------------

const Note = Tool.make("note", {
  parameters: Schema.Struct({ line: Schema.String }),
  success: Schema.String,
  context: [Env.customer],
  writes: [Case.notes]
})
const ToDesk = Transfer.to("desk")
/** A tool may transfer too; it compiles to a run only where somebody of that name can be reached. */
const GiveUp = Tool.make("give_up", { success: Schema.String, dependencies: [ToDesk] })
const kit = Toolkit.make(Note, GiveUp)
const KitLive = Toolkit.layer(kit, {
  note: Effect.fnUntraced(function*({ line }) {
    yield* Case.notes.update((notes) => [...notes, line])
    return `noted for ${yield* Env.customer}`
  }),
  give_up: Effect.fnUntraced(function*() {
    const { actions } = yield* ToolCall.ToolCall
    yield* actions.transfer(ToDesk)
    return "back to the desk"
  })
})

const Billing = Agent.make("billing", {
  description: "Bills, refunds, payments",
  instructions: "Help with the bill.",
  toolkit: kit,
  subAgents: [
    SubAgent.make(Drafting, {
      parameters: Schema.Struct({ topic: Schema.String, words: Schema.Int }),
      task: ({ topic, words }) => `An answer on ${topic}, in ${words} words.`,
      returns: [Case.answer]
    })
  ]
})
const Desk = Agent.make("desk", {
  instructions: "Find out who can help.",
  transfers: [Transfer.make(Billing)]
})

// ----- a conversation ----------------------------------------------------------------

const model = ScriptedModel.layer({
  desk: [call("transfer_to_agent", { agent_name: "billing" }), text("What else?")],
  billing: [
    call("note", { line: "asks for the bill" }),
    call("drafting", { topic: "the bill", words: 5 }),
    text("Your bill is paid."),
    call("give_up")
  ],
  writer: [text("Bill paid, I think."), text("Your bill is paid.")],
  critic: [text("Be certain."), { text: "Good.", calls: [{ tool: "accept" }] }]
})

const program = Effect.gen(function*() {
  const say = (input: string) => AgentRunner.run(Desk, { session: "s-1", input })
  return { first: yield* say("My bill?"), second: yield* say("Thank you.") }
}).pipe(
  Effect.provide([
    Layer.mergeAll(KitLive, AcceptLive),
    ToolContext.layer(Desk, { customer: "Ada" }),
    model,
    SessionStore.layerMemory
  ])
)

const { first, second } = await Effect.runPromise(program)
const said = (result: typeof first) => result._tag === "Completed" ? `${result.agent}: ${result.text}` : "waits"
console.log(said(first))
console.log(said(second))
console.log(first.session.state.get(Case.answer))

assert.equal(said(first), "billing: Your bill is paid.")
// billing has the conversation, and gives it back by its own tool
assert.equal(said(second), "desk: What else?")
assert.deepEqual(first.session.state.get(Case.answer), Option.some("Your bill is paid."))
assert.deepEqual(second.session.state.get(Case.notes), ["asks for the bill"])
