/** Files that earlier programs wrote: today's loads each, and goes on from it. See `fixtures/formats/README.md`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result, Schema } from "effect"
import { copyFileSync, globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  Agent,
  AgentRunner,
  Contract,
  Interrupt,
  Reducer,
  Session,
  SessionStore,
  State,
  StateSerializer,
  Tool,
  Toolkit
} from "tenon"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { endsOf, textOf } from "./runner/fixtures.ts"
import { freshFile } from "./sql/file.ts"

const folder = fileURLToPath(new URL("fixtures/formats/", import.meta.url))
const filesOf = (pattern: string) => globSync(pattern, { cwd: folder }).sort()
const jsonOf = (file: string): unknown => JSON.parse(readFileSync(`${folder}${file}`, "utf8"))

// ----- today's program -----------------------------------------------------------

const Cart = State.make("cart", {
  lines: State.field(Schema.Array(Schema.Struct({ item: Schema.String, count: Schema.Int })), { initial: [] }),
  note: State.field(Schema.String, { initial: "" })
}, {
  history: State.history(
    1,
    Schema.Struct({ items: Schema.Record(Schema.String, Schema.Int), note: Schema.optionalKey(Schema.String) })
  ),
  up: ({ items, note = "" }) => ({ lines: Object.entries(items).map(([item, count]) => ({ item, count })), note })
})
const Profile = State.make("profile", { name: State.field(Schema.String, { initial: "", scope: "user" }) }, {
  history: State.history(1, Schema.Struct({ nick: Schema.String })),
  up: ({ nick }) => ({ name: nick.toUpperCase() })
})
const Sales = State.make("sales", {
  sold: State.field(Schema.Int, { initial: 0, scope: "app", reducer: Reducer.sum })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Purchase = Tool.make("purchase", {
  success: Schema.String,
  reads: [Cart.lines],
  combines: [Sales.sold],
  asks: [Confirm],
  formerly: ["buy"]
})
const Name = Tool.make("name", { success: Schema.String, reads: [Profile.name] })
const kit = Toolkit.make(Purchase, Name)
const Shop = Agent.make("shop", { instructions: "Sell.", toolkit: kit })
const live = Toolkit.layer(kit, {
  purchase: Effect.fnUntraced(function*() {
    const isMeant = yield* Confirm.ask("Buy it all?")
    yield* Sales.sold.combine(1)
    const lines = yield* Cart.lines.get
    return isMeant ? lines.map(({ count, item }) => `${count} ${item}`).join() : "kept"
  }),
  name: () => Profile.name.get
})
const sections = [Cart, Profile, Sales]
const where = { app: "shop", user: "u-1", session: "s-1" }

/** What a session that was loaded comes to, with the person's answer and one more message. */
const goOn = Effect.gen(function*() {
  const { open, state } = yield* Session.load(where, sections)
  assert.deepStrictEqual(state.get(Cart.lines), [{ item: "pen", count: 2 }])
  assert.strictEqual(state.get(Cart.note), "a gift")
  const [question] = Confirm.among(open)
  assert.strictEqual(question?.question, "Buy it all?")
  yield* AgentRunner.resume(Shop, { ...where, answers: [Confirm.answer(question?.id ?? "", true)] })
  const result = yield* AgentRunner.run(Shop, { ...where, input: "Who am I?" })
  assert.strictEqual(textOf(result), "Bye.")
  return {
    results: endsOf(result.session).map(({ tool, value }) => [tool, value]),
    sold: result.session.state.get(Sales.sold)
  }
}).pipe(Effect.provide([
  live,
  ScriptedModel.layer([ScriptedModel.text("It is yours."), ScriptedModel.call("name"), ScriptedModel.text("Bye.")])
]))

const resultsWith = (name: string) => [["add", "2 × pen"], ["buy", "2 pen"], ["name", name]]

describe("a session in a document", () => {
  it.effect.each(filesOf("session-*.json"))("%s", (file) =>
    Effect.gen(function*() {
      const events = yield* Effect.fromResult(Session.decode(jsonOf(file)))
      const store = SessionStore.layerMemoryWith([{ ref: where, events }])
      // rows are in a store, not in a document of one session
      assert.deepStrictEqual(yield* Effect.provide(goOn, store), { results: resultsWith(""), sold: 1 })
    }))
})

describe("a session in a database", () => {
  it.effect.each(filesOf("tables-*.sqlite"))("%s", (name) =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      copyFileSync(`${folder}${name}`, filename)
      const Store = SqlStore.layerSqlite({ filename })
      assert.deepStrictEqual(yield* Effect.provide(goOn, Store), { results: resultsWith("ADA"), sold: 8 })
      // and again by a process that comes later
      const { events } = yield* Effect.provide(Session.load(where), Layer.fresh(Store))
      assert.deepStrictEqual(events.flatMap((event) => event.kind === "ended" ? [event.status] : []), [
        "completed",
        "paused",
        "completed",
        "completed"
      ])
    }))
})

describe("a state in a document", () => {
  it.effect.each(filesOf("state-*.json"))("%s", (file) =>
    Effect.gen(function*() {
      const serializer = StateSerializer.make(sections)
      const state = yield* serializer.deserialize(jsonOf(file))
      const read = (from: Session.SessionState) => [
        from.get(Cart.lines),
        from.get(Cart.note),
        from.get(Profile.name),
        from.get(Sales.sold)
      ]
      const expected = [[{ item: "pen", count: 2 }], "a gift", "ADA", 7]
      assert.deepStrictEqual(read(state), expected)
      const again = yield* serializer.deserialize(JSON.parse(JSON.stringify(yield* serializer.serialize(state))))
      assert.deepStrictEqual(read(again), expected)
    }))
})

describe("a contract in a document", () => {
  it.each(filesOf("contract-*.json"))("%s", (file) => {
    const before = Result.getOrThrow(Contract.decode(jsonOf(file)))
    const changes = Contract.diff(before, Shop)
    assert.deepStrictEqual(changes.map(({ breaks, kind, path }) => `${breaks ? "! " : ""}${path} ${kind}`), [
      "sections.cart version",
      "sections.profile version",
      "! shop/add removed",
      "shop/buy renamed",
      "shop/buy.reads touches",
      "shop/name added"
    ])
  })
})
