import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { SessionStore } from "tenon"
import { differences, textDifferences } from "../../examples/shop/differences.ts"
import { load, type Task } from "../../examples/shop/tau/folder.ts"
import { replay, RetailLive, stockOf } from "../../examples/shop/tau/replay.ts"
import { type Files, folderOf, tasks } from "./folder.ts"
import { tables } from "./shop.ts"

const replayed = Effect.fnUntraced(function*(all: ReadonlyArray<Task>, stock = stockOf(tables)) {
  return yield* Effect.forEach(all, (task) => replay(task, stock))
}, Effect.provide([RetailLive, SessionStore.layerMemory]))

/** What is wrong with a task of the small folder, once something in it is changed. */
const mismatches = (id: number, change: (task: Task) => Task) =>
  Effect.map(
    replayed(tasks.slice(id, id + 1).map(change)),
    (outcomes) => outcomes.flatMap((outcome) => outcome.mismatches)
  )

describe("replay", () => {
  // a folder of the whole data, where there is one
  it.effect("gives every result and every changed entry that is on record", () =>
    Effect.gen(function*() {
      const folder = process.env["TENON_TAU"] ?? (yield* folderOf())
      const { tables, tasks } = yield* load(folder)
      const outcomes = yield* replayed(tasks, stockOf(tables))
      assert.deepStrictEqual(outcomes.flatMap((outcome) => outcome.mismatches), [])
      assert.strictEqual(outcomes.length, tasks.length)
      assert.strictEqual(
        outcomes.reduce((all, { calls }) => all + calls, 0),
        tasks.reduce((all, { actions }) => all + actions.length, 0)
      )
    }), 120_000)

  it.effect("leaves the data as it was for the next task", () =>
    Effect.gen(function*() {
      const [, second] = tasks
      const outcomes = yield* replayed(
        [second, second].flatMap((task, id) => task === undefined ? [] : [{ ...task, id }])
      )
      assert.deepStrictEqual(outcomes.map((outcome) => outcome.mismatches), [[], []])
    }))

  it.effect("stores deltas of what changed", () =>
    Effect.gen(function*() {
      const [first] = yield* replayed(tasks.slice(1, 2))
      const written = JSON.stringify(tasks[1]?.expected).length
      assert.isAbove(first?.deltaBytes ?? 0, written)
      assert.isBelow(first?.deltaBytes ?? 0, written + 300)
    }))

  it.effect("tells of a result that differs, with its place", () =>
    Effect.gen(function*() {
      const found = yield* mismatches(1, (task) => ({
        ...task,
        results: task.results.map((result) => result.replace("90001", "90003").replace("10001", "1"))
      }))
      assert.deepStrictEqual(found, [
        `call 1 modify_user_address: address.zip: "1" expected, "10001" found`,
        `call 2 modify_pending_order_address: address.zip: "1" expected, "10001" found`
      ])
    }))

  it.effect("tells of an entry that changed unexpectedly, and of one that did not change", () =>
    Effect.gen(function*() {
      const found = yield* mismatches(2, (task) => ({
        ...task,
        expected: { orders: {}, users: { bob: { ...tables.users["bob"], email: "b@example.com" } } } as Task["expected"]
      }))
      assert.deepStrictEqual(found, [
        `shop.orders #W2: status: "delivered" expected, "return requested" found`,
        `shop.orders #W2: return_items: nothing expected, ["21"] found`,
        `shop.orders #W2: return_payment_method_id: nothing expected, "gift_card_1" found`,
        `shop.users bob: email: "b@example.com" expected, "ann.doe@example.com" found`
      ])
    }))

  it.effect("tells of an entry that should be there and is not", () =>
    Effect.gen(function*() {
      const found = yield* mismatches(0, (task) => ({
        ...task,
        expected: { orders: { "#W0": tables.orders["#W1"] }, users: {} } as Task["expected"]
      }))
      assert.strictEqual(found.length, 1)
      assert.match(found[0] ?? "", /^shop\.orders #W0: \{.*… expected, nothing found$/)
    }))

  it.effect("tells of a call of a tool that is not there", () =>
    Effect.gen(function*() {
      const found = yield* mismatches(0, (task) => ({
        ...task,
        actions: task.actions.map(({ args }) => ({ name: "unknown", args }))
      }))
      assert.match(found[0] ?? "", /^call 1 unknown: "ann" expected, .*there is no tool/)
    }))
})

describe("load", () => {
  const problem = (files: Files) =>
    Effect.gen(function*() {
      const folder = yield* folderOf(files)
      const { file, place, problem } = yield* Effect.flip(load(folder))
      return [file.slice(folder.length + 1), place, problem]
    })

  it.effect("names the files that are missing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problem({ users: undefined }), ["", "", "it has no users.json"])
      const none = { orders: undefined, users: undefined, products: undefined, tasks: undefined }
      assert.deepStrictEqual(
        yield* problem(none),
        ["", "", "it has no orders.json, no users.json, no products.json, no tasks.json"]
      )
    }))

  it.effect("names a folder that is not there, and a file in its place", () =>
    Effect.gen(function*() {
      const folder = yield* folderOf()
      const problems = yield* Effect.forEach(["none", "tasks.json"], (name) => Effect.flip(load(join(folder, name))))
      assert.deepStrictEqual(problems.map(({ file, problem }) => [file, problem]), [
        [join(folder, "none"), "there is no such folder"],
        [join(folder, "tasks.json"), "it is no folder"]
      ])
    }))

  it.effect("refuses a file that is empty, and tasks that are none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problem({ tasks: "\n" }), ["tasks.json", "", "it is empty"])
      assert.deepStrictEqual(yield* problem({ tasks: [] }), ["tasks.json", "", "it holds no task to replay"])
    }))

  it.effect("names a file that is not JSON, with the place", () =>
    Effect.gen(function*() {
      const [file, , sentence] = yield* problem({ products: "{\"p1\": }" })
      assert.strictEqual(file, "products.json")
      assert.match(sentence ?? "", /^it is not JSON: Unexpected token '}'/)
    }))

  it.effect("names the entry that does not fit", () =>
    Effect.gen(function*() {
      const order = { ...tables.orders["#W1"], items: [{ ...tables.orders["#W1"]?.items[0], price: "10.1" }] }
      const [file, place] = yield* problem({ orders: { "#W1": order } })
      assert.deepStrictEqual([file, place], ["orders.json", "#W1.items.0.price"])
    }))

  it.effect("names the task whose actions and results do not match", () =>
    Effect.gen(function*() {
      const found = yield* problem({ tasks: [{ ...tasks[0], results: [] }] })
      assert.deepStrictEqual(found, ["tasks.json", "0", "it has 2 actions and 0 results"])
    }))
})

describe("differences", () => {
  it("are none for equal values, whatever the order of keys", () => {
    assert.deepStrictEqual(differences({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }), [])
    assert.deepStrictEqual(textDifferences(`{"a": 100.0, "b": 1}`, `{"b":1,"a":100}`), [])
  })

  it("have a place each", () => {
    assert.deepStrictEqual(differences({ a: [1, 2], b: {} }, { a: [1, 3, 4], b: [] }), [
      { place: "a.1", expected: 2, actual: 3 },
      { place: "a.2", expected: undefined, actual: 4 },
      { place: "b", expected: {}, actual: [] }
    ])
  })

  it("are of texts where one of them is not JSON", () => {
    assert.deepStrictEqual(textDifferences("Error: a", "Error: b"), [{
      place: "",
      expected: "Error: a",
      actual: "Error: b"
    }])
    assert.strictEqual(textDifferences("5.0", "5").length, 0)
  })
})
