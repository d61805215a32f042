/**
 * `npm start`: a support agent on a small shop. A question stops it; its session becomes text, and from that alone, with
 * everything else made anew, it goes on with the answer.
 */
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { AgentRunner, Contract, Session, SessionStore, ToolContext } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bytes, dim, heading, line, lineWidth } from "../print.ts"
import { Shop, stocked } from "../shop.ts"
import { Case, Confirm, Search, Support, SupportLive } from "./agent.ts"
import { tables } from "./data.ts"
import { afterAnswer, question, untilQuestion } from "./script.ts"
import { legend, shower } from "./show.ts"

const money = (amount: number): string => `$${amount.toFixed(2)}`

/** What each run is asked for anew; nothing of it is in the session. */
const supply = ToolContext.layer(Support, { customer: "ida_berg", money })

const layersOf = (script: ScriptedModel.Script, store: Layer.Layer<SessionStore.SessionStore>) =>
  Layer.mergeAll(SupportLive, supply, ScriptedModel.layer(script), store)

/** Runs up to the question, shown as it happens; gives the session as text. */
const untilPause = Effect.gen(function*() {
  const show = shower()
  const last = yield* AgentRunner.stream(Support, { session: "s-1", input: question, state: stocked(tables) }).pipe(
    Stream.tap((item) => item._tag === "Event" ? show(item.event) : Effect.void),
    Stream.runLast
  )
  const events = Option.isSome(last) && last.value._tag === "Result" ? last.value.result.session.events : []
  return JSON.stringify(Session.encode(events))
}).pipe(Effect.provide(layersOf(untilQuestion, SessionStore.layerMemory)))

/** Goes on from the text, with a yes to what is open. */
const fromText = Effect.fnUntraced(function*(text: string) {
  const json = yield* Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))(text)
  const events = yield* Effect.fromResult(Session.decode(json))
  const stored = yield* Effect.fromResult(Session.fold(events, [Shop, Case, Search]))
  const show = shower(stored.state.values)
  const result = yield* AgentRunner.resume(Support, {
    session: stored.ref.session,
    answers: stored.open.map(({ id }) => Confirm.answer(id, true))
  }).pipe(Effect.provide(layersOf(afterAnswer, SessionStore.layerMemoryWith([{ ref: stored.ref, events }]))))
  yield* Effect.forEach(result.session.events.slice(events.length), show, { discard: true })
  return result
})

const fact = (name: string, value: string) => line(`  ${name.padEnd(15)}${value}`)

const finalState = Effect.fnUntraced(function*({ session: { state }, usage }: AgentRunner.AgentResult) {
  const order = state.get(Shop.orders)["#W1000001"]
  const card = state.get(Shop.users).ida_berg?.payment_methods.gift_card_71
  yield* fact(
    "order",
    `${order?.status}: ${order?.items.map(({ name, price }) => `${name} ${money(price)}`).join(", ")}`
  )
  yield* fact("gift card", card?.source === "gift_card" ? money(card.balance) : "none")
  for (const { item_id, note, by } of state.get(Case.findings)) {
    yield* fact("case.findings", `${item_id}: ${note}; ${dim(`by ${by}`)}`)
  }
  const last = Option.getOrElse(state.get(Search.last), () => "no value: it stayed with the sub-agent")
  yield* fact("search.last", last)
  yield* fact(
    "usage",
    `${usage.steps} steps, ${usage.toolCalls} calls, ${usage.inputTokens} + ${usage.outputTokens} tokens`
  )
  yield* fact("", dim("from the first message on, the sub-agent included"))
})

/** The whole show. */
export const demo = Effect.gen(function*() {
  yield* heading("What the agent requires, reads, writes, combines and asks")
  yield* line(Contract.table(Support, { width: lineWidth }))
  yield* heading("Until the question")
  yield* line(dim(legend))
  const text = yield* untilPause
  yield* heading("From its JSON, with the answer")
  const { length } = Buffer.from(text)
  yield* line(dim(`  kept: ${bytes(length)} of JSON; all else is made anew, and the context supplied again`))
  const result = yield* fromText(text)
  yield* heading("The state in the end")
  yield* finalState(result)
})
