/**
 * `npm start`: a support agent on a small shop. A question stops it; its session becomes text, and from that alone, with
 * everything else made anew, it goes on with the answer. A script speaks for the model, or a provider's model for itself.
 */
import { Effect, Layer, Option, Result, Schema, Stream } from "effect"
import type { LanguageModel } from "effect/ai"
import { AgentRunner, Contract, Session, SessionStore, ToolContext } from "tenon"
import { AiSdk } from "tenon/ai-sdk"
import { ScriptedModel } from "tenon/testing"
import { bytes, dim, heading, line, lineWidth } from "../print.ts"
import { Shop, stocked } from "../shop.ts"
import { Case, Confirm, Search, Support, SupportLive } from "./agent.ts"
import { tables } from "./data.ts"
import { providerModel } from "./model.ts"
import { afterAnswer, question, untilQuestion } from "./script.ts"
import { legend, shower } from "./show.ts"

const money = (amount: number): string => `$${amount.toFixed(2)}`

/** What each run is asked for anew; nothing of it is in the session. */
const supply = ToolContext.layer(Support, { customer: "ida_berg", money })

/** Who speaks up to the first question, and after it. */
interface Speakers {
  readonly first: Layer.Layer<LanguageModel.LanguageModel>
  readonly later: Layer.Layer<LanguageModel.LanguageModel>
}

const scripted: Speakers = { first: ScriptedModel.layer(untilQuestion), later: ScriptedModel.layer(afterAnswer) }

/** The environment's model, which says what it wants and may not stop, or the script. */
const speakers = Effect.gen(function*() {
  const model = yield* providerModel
  if (model === undefined) return scripted
  yield* line(
    `The model is ${model.modelId} of ${model.provider}, and says what it wants; unset its variables for the script.`
  )
  const layer = AiSdk.layer(model)
  return { first: layer, later: layer }
})

/** More than the script needs: a model may look around. */
const limits = { steps: 30 }

const layersOf = (
  model: Layer.Layer<LanguageModel.LanguageModel>,
  store: Layer.Layer<SessionStore.SessionStore>
) => Layer.mergeAll(SupportLive, supply, model, store)

/** Runs up to the first question or answer, shown as it happens. */
const untilPause = Effect.fnUntraced(function*({ first }: Speakers) {
  const show = shower()
  const options = { session: "s-1", input: question, state: stocked(tables), limits }
  const results = yield* AgentRunner.stream(Support, options).pipe(
    Stream.tap((item) => item._tag === "Event" ? show(item.event) : Effect.void),
    Stream.filterMap((item) => item._tag === "Result" ? Result.succeed(item.result) : Result.failVoid),
    Stream.runLast,
    Effect.provide(layersOf(first, SessionStore.layerMemory))
  )
  return yield* Effect.fromOption(results)
})

/** Goes on from the text, with a yes to what is open. */
const fromText = Effect.fnUntraced(function*({ later }: Speakers, text: string) {
  const json = yield* Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))(text)
  const events = yield* Effect.fromResult(Session.decode(json))
  const stored = yield* Effect.fromResult(Session.fold(events, [Shop, Case, Search]))
  const show = shower(stored.state.values)
  const result = yield* AgentRunner.resume(Support, {
    session: stored.ref.session,
    answers: stored.open.map(({ id }) => Confirm.answer(id, true)),
    limits
  }).pipe(Effect.provide(layersOf(later, SessionStore.layerMemoryWith([{ ref: stored.ref, events }]))))
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
  const speak = yield* speakers
  yield* heading("What the agent requires, reads, writes, combines and asks")
  yield* line(Contract.table(Support, { width: lineWidth }))
  yield* heading("Until the question")
  yield* line(dim(legend))
  let result = yield* untilPause(speak)
  while (result._tag === "Paused") {
    const text = JSON.stringify(Session.encode(result.session.events))
    yield* heading("From its JSON, with the answer")
    const { length } = Buffer.from(text)
    yield* line(dim(`  kept: ${bytes(length)} of JSON; all else is made anew, and the context supplied again`))
    result = yield* fromText(speak, text)
  }
  yield* heading("The state in the end")
  yield* finalState(result)
})
