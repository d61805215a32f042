/**
 * 06 · Asking a person
 *
 * A handler may ask the world outside a typed question, and a tool may want a person's approval before it runs. The run
 * then pauses: it ends as a value, and the session holds the open questions. Hours later, in another process, an answer
 * lets it go on. Only the log crosses; the ToolContext is asked for again.
 */
import { Effect, Layer, Result, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, AgentRunner, Interrupt, Session, SessionStore, State, Tool, ToolContext, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const Env = ToolContext.make({ guest: Schema.String })
const Trip = State.make("trip", {
  table: State.optional(Schema.String),
  deposit: State.field(Schema.Int, { initial: 0 })
})

/** A question with a schema, and a schema for its answer. */
const Seating = Interrupt.make("seating", {
  question: Schema.Struct({ text: Schema.String, choices: Schema.Array(Schema.String) }),
  answer: Schema.Literals(["inside", "terrace"])
})

const BookTable = Tool.make("book_table", {
  success: Schema.String,
  context: [Env.guest],
  writes: [Trip.table],
  asks: [Seating]
})

/** Wants an approval where it is expensive; the text is the reason that the person is shown. */
const PayDeposit = Tool.make("pay_deposit", {
  parameters: Schema.Struct({ amount: Schema.Int }),
  success: Schema.String,
  writes: [Trip.deposit],
  approval: ({ amount }) => Effect.succeed(amount > 50 ? `${amount} is more than 50` : false)
})

const Kit = Toolkit.make(BookTable, PayDeposit)
const Concierge = Agent.make("concierge", { instructions: "Book.", toolkit: Kit })

let attempts = 0
const KitLive = Toolkit.layer(Kit, {
  book_table: Effect.fnUntraced(function*() {
    attempts += 1
    // ask first: with the answer the handler runs again from its start
    const place = yield* Seating.ask({ text: "Where do you want to sit?", choices: ["inside", "terrace"] })
    yield* Trip.table.set(place)
    return `a table on the ${place} for ${yield* Env.guest}`
  }),
  pay_deposit: Effect.fnUntraced(function*({ amount }) {
    yield* Trip.deposit.set(amount)
    return `paid ${amount}`
  })
})

// ----- the first process: it runs until nothing can go on -----------------------------

const paused = await Effect.runPromise(
  AgentRunner.run(Concierge, { session: "s-1", input: "A table, and pay the deposit of 80." }).pipe(
    Effect.provide([
      KitLive,
      Env.layer({ guest: "Ada" }),
      SessionStore.layerMemory,
      ScriptedModel.layer([
        ScriptedModel.calls({ tool: "book_table" }, { tool: "pay_deposit", parameters: { amount: 80 } })
      ])
    ])
  )
)
assert(paused._tag === "Paused")
for (const { id, name, question } of paused.open) console.log("open:", id, name, question)
assert.deepEqual(paused.open.map(({ id, name }) => [id, name]), [["i1.1.2?0", "approval"], ["i1.1.1?1", "seating"]])

// all that is left of it: a document of JSON
const document = JSON.stringify(Session.encode(paused.session.events))
assert.doesNotMatch(document, /Ada/)

// ----- the second process: another store, another model ---------------------------------

const events = Result.getOrThrow(Session.decode(JSON.parse(document)))
const { open, ref } = Result.getOrThrow(Session.fold(events, [Trip]))
const idOf = (name: string): string => open.find((question) => question.name === name)?.id ?? ""

const later = Effect.gen(function*() {
  // a form's answer comes as JSON, and is decoded by the question that it answers
  const misfit = yield* Effect.flip(AgentRunner.resume(Concierge, {
    session: "s-1",
    answers: [Interrupt.fromJson(idOf("seating"), "on the roof")]
  }))
  assert.equal(misfit.reason._tag, "AnswerRefused")
  console.log("refused:", misfit.message.split("\n")[0])

  // some of the answers set free what they can
  const half = yield* AgentRunner.resume(Concierge, {
    session: "s-1",
    answers: [Interrupt.fromJson(idOf("seating"), "terrace")]
  })
  assert(half._tag === "Paused")
  assert.deepEqual(half.open.map(({ name }) => name), ["approval"])
  console.log("still open:", half.open.map(({ id }) => id))

  // the person allows it with other arguments; they are validated again
  return yield* AgentRunner.resume(Concierge, {
    session: "s-1",
    answers: [Interrupt.edit(idOf("approval"), { amount: 40 })]
  })
})

const result = await Effect.runPromise(Effect.provide(later, [
  KitLive,
  Env.layer({ guest: "Ada" }),
  Layer.merge(
    SessionStore.layerMemoryWith([{ ref, events }]),
    ScriptedModel.layer([ScriptedModel.text("You sit on the terrace.")])
  )
]))
assert(result._tag === "Completed")
console.log("concierge:", result.text)

const results = result.session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
console.log("results:", results)
assert.deepEqual(results, ["a table on the terrace for Ada", "paid 40"])
assert.equal(result.session.state.get(Trip.deposit), 40)
// once up to the question, and once more with the answer
assert.equal(attempts, 2)
