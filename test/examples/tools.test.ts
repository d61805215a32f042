import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Order, type PaymentMethod, Shop } from "../../examples/shop/shop.ts"
import { type Call, converse, place, tables } from "./shop.ts"

/** One conversation, of which only the last call counts. */
const last = (...calls: ReadonlyArray<Call>) =>
  Effect.map(converse(...calls), ({ results, state, deltas }) => ({
    result: results.at(-1) as string,
    json: () => JSON.parse(results.at(-1) as string) as Record<string, unknown>,
    balance: state.get(Shop.users).ann?.payment_methods.gift_card_1,
    order: (id: string) => state.get(Shop.orders)[id],
    user: state.get(Shop.users).ann,
    operations: deltas.at(-1)?.operations.map((
      operation
    ) => [operation.op, operation.field, "key" in operation && operation.key])
  }))

const giftCard = (balance: number): PaymentMethod => ({ source: "gift_card", balance, id: "gift_card_1" })

/** An order as it was. */
const before = (id: string): Order => tables.orders[id] as Order

describe("finding", () => {
  it.effect("a customer by e-mail address: the first, whatever the case", () =>
    Effect.gen(function*() {
      const { results } = yield* converse(["find_user_id_by_email", { email: "ANN.doe@EXAMPLE.com" }])
      assert.deepStrictEqual(results, ["ann"])
    }))

  it.effect("a customer by name and zip: the zip of today, to the letter", () =>
    Effect.gen(function*() {
      const { results } = yield* converse(
        ["find_user_id_by_name_zip", { first_name: "aNN", last_name: "DOE", zip: "90002" }],
        ["modify_user_address", { user_id: "ann", ...place }],
        ["find_user_id_by_name_zip", { first_name: "Ann", last_name: "Doe", zip: "10001" }]
      )
      assert.deepStrictEqual([results[0], results[2]], ["bob", "ann"])
    }))

  it.effect("an entry as JSON, written as Python does", () =>
    Effect.gen(function*() {
      const { results } = yield* converse(
        ["get_user_details", { user_id: "ann" }],
        ["get_order_details", { order_id: "#W1" }],
        ["get_product_details", { product_id: "p2" }],
        ["list_all_product_types"]
      )
      assert.deepStrictEqual(JSON.parse(results[0] as string), tables.users.ann)
      assert.deepStrictEqual(JSON.parse(results[1] as string), tables.orders["#W1"])
      assert.strictEqual(
        results[2],
        `{"name": "Chair", "product_id": "p2", "variants": {"21": {"item_id": "21", "options": {"no": "21"}, "available": true, "price": 50}}}`
      )
      assert.strictEqual(results[3], `{"Chair": "p2", "Lamp": "p1", "apron": "p3"}`)
    }))
})

describe("thinking", () => {
  it.effect("changes nothing", () =>
    Effect.gen(function*() {
      const { results, deltas } = yield* converse(
        ["think", { thought: "Hm." }],
        ["calculate", { expression: "(10.1 + 0.2) * 3" }],
        ["transfer_to_human_agents", { summary: "Help!" }]
      )
      assert.deepStrictEqual(results, ["", "30.9", "Transfer successful"])
      assert.deepStrictEqual(deltas.flatMap(({ operations }) => operations), [])
    }))
})

describe("modify_user_address", () => {
  it.effect("changes the customer, not the orders", () =>
    Effect.gen(function*() {
      const { json, order, operations } = yield* last(["modify_user_address", { user_id: "ann", ...place }])
      assert.deepStrictEqual(json().address, place)
      assert.deepStrictEqual(order("#W1"), tables.orders["#W1"])
      assert.deepStrictEqual(operations, [["put", "shop.users", "ann"]])
    }))
})

describe("cancel_pending_order", () => {
  const cancel = (order_id: string): Call => ["cancel_pending_order", { order_id, reason: "ordered by mistake" }]

  it.effect("pays back, and keeps the reason", () =>
    Effect.gen(function*() {
      const { json, operations } = yield* last(cancel("#W1"))
      assert.strictEqual(json().status, "cancelled")
      assert.strictEqual(json().cancel_reason, "ordered by mistake")
      assert.deepStrictEqual(json().payment_history, [
        { transaction_type: "payment", amount: 70.2, payment_method_id: "credit_card_1" },
        { transaction_type: "refund", amount: 70.2, payment_method_id: "credit_card_1" }
      ])
      assert.deepStrictEqual(operations, [["put", "shop.orders", "#W1"]])
    }))

  it.effect("pays refunds back too, and rounds a gift card each time", () =>
    Effect.gen(function*() {
      const { json, balance } = yield* last(cancel("#W4"))
      assert.strictEqual((json().payment_history as ReadonlyArray<unknown>).length, 6)
      // 1.1 + 0.125 is 1.23 (1.2250000000000001), and 0.25 more
      assert.deepStrictEqual(balance, giftCard(1.48))
    }))

  it.effect("works once", () =>
    Effect.gen(function*() {
      const { result } = yield* last(cancel("#W1"), cancel("#W1"))
      assert.strictEqual(result, "Error: non-pending order cannot be cancelled")
    }))
})

describe("modify_pending_order_address", () => {
  it.effect("may be repeated, and leaves the customer alone", () =>
    Effect.gen(function*() {
      const { json, user } = yield* last(
        ["modify_pending_order_address", { order_id: "#W1", ...place, zip: "1" }],
        ["modify_pending_order_address", { order_id: "#W1", ...place }]
      )
      assert.deepStrictEqual(json().address, place)
      assert.strictEqual(json().status, "pending")
      assert.deepStrictEqual(user, tables.users.ann)
    }))
})

describe("modify_pending_order_payment", () => {
  it.effect("pays by the new method, then refunds the old one; a gift card gets its money back", () =>
    Effect.gen(function*() {
      const { json, balance } = yield* last([
        "modify_pending_order_payment",
        { order_id: "#W5", payment_method_id: "paypal_1" }
      ])
      assert.deepStrictEqual((json().payment_history as ReadonlyArray<unknown>).slice(1), [
        { transaction_type: "payment", amount: 5, payment_method_id: "paypal_1" },
        { transaction_type: "refund", amount: 5, payment_method_id: "gift_card_1" }
      ])
      assert.strictEqual(json().status, "pending")
      assert.deepStrictEqual(balance, giftCard(6.1))
    }))
})

describe("modify_pending_order_items", () => {
  const modify = (
    item_ids: ReadonlyArray<string>,
    new_item_ids: ReadonlyArray<string>,
    payment_method_id: string
  ): Call => [
    "modify_pending_order_items",
    { order_id: "#W1", item_ids, new_item_ids, payment_method_id }
  ]

  it.effect("keeps the difference as it is, and rounds the gift card", () =>
    Effect.gen(function*() {
      const { json, order, balance } = yield* last(modify(["11", "21"], ["12", "21"], "gift_card_1"))
      assert.strictEqual(json().status, "pending (item modified)")
      assert.deepStrictEqual(order("#W1")?.payment_history.at(-1), {
        transaction_type: "payment",
        amount: 0.20000000000000107,
        payment_method_id: "gift_card_1"
      })
      assert.deepStrictEqual(order("#W1")?.items.map(({ item_id, price }) => [item_id, price]), [["12", 10.3], [
        "11",
        10.1
      ], ["21", 50]])
      assert.deepStrictEqual(order("#W1")?.items[0]?.options, { no: "12" })
      assert.deepStrictEqual(balance, giftCard(0.9))
    }))

  it.effect("refunds where the new items are cheaper, and nothing where they cost the same", () =>
    Effect.gen(function*() {
      const cheaper = yield* last(modify(["11"], ["15"], "gift_card_1"))
      assert.deepStrictEqual(cheaper.order("#W1")?.payment_history.at(-1)?.transaction_type, "refund")
      assert.deepStrictEqual(cheaper.balance, giftCard(7.1))
      const same = yield* last(modify(["21"], ["21"], "credit_card_1"))
      assert.deepStrictEqual(same.order("#W1")?.payment_history.at(-1), {
        transaction_type: "refund",
        amount: 0,
        payment_method_id: "credit_card_1"
      })
    }))

  it.effect("takes an item as often as the order holds it", () =>
    Effect.gen(function*() {
      const { order } = yield* last(modify(["11", "11"], ["12", "15"], "credit_card_1"))
      assert.deepStrictEqual(order("#W1")?.items.map(({ item_id }) => item_id), ["12", "15", "21"])
    }))

  it.effect("lets a later pair meet an item that an earlier one made", () =>
    Effect.gen(function*() {
      const { order } = yield* last([
        "modify_pending_order_items",
        { order_id: "#W6", item_ids: ["11", "12"], new_item_ids: ["12", "15"], payment_method_id: "credit_card_1" }
      ])
      assert.deepStrictEqual(order("#W6")?.items.map(({ item_id }) => item_id), ["15", "12"])
    }))

  it.effect("works once", () =>
    Effect.gen(function*() {
      const { results } = yield* converse(
        modify(["11"], ["12"], "credit_card_1"),
        modify(["11"], ["12"], "credit_card_1"),
        ["cancel_pending_order", { order_id: "#W1", reason: "no longer needed" }]
      )
      assert.deepStrictEqual(results.slice(1), [
        "Error: non-pending order cannot be modified",
        "Error: non-pending order cannot be cancelled"
      ])
    }))
})

describe("return_delivered_order_items", () => {
  const back = (item_ids: ReadonlyArray<string>, payment_method_id: string): Call => [
    "return_delivered_order_items",
    { order_id: "#W2", item_ids, payment_method_id }
  ]

  it.effect("notes the items in order, and moves no money", () =>
    Effect.gen(function*() {
      const { order, balance } = yield* last(back(["21", "11", "11"], "gift_card_1"))
      assert.deepStrictEqual(order("#W2"), {
        ...before("#W2"),
        status: "return requested",
        return_items: ["11", "11", "21"],
        return_payment_method_id: "gift_card_1"
      })
      assert.deepStrictEqual(balance, giftCard(1.1))
    }))

  it.effect("works once", () =>
    Effect.gen(function*() {
      const { result } = yield* last(back(["11"], "credit_card_1"), back(["21"], "credit_card_1"))
      assert.strictEqual(result, "Error: non-delivered order cannot be returned")
    }))
})

describe("exchange_delivered_order_items", () => {
  it.effect("notes both lists in an order of their own, with the rounded difference", () =>
    Effect.gen(function*() {
      const { order, balance } = yield* last([
        "exchange_delivered_order_items",
        { order_id: "#W2", item_ids: ["21", "11"], new_item_ids: ["21", "12"], payment_method_id: "gift_card_1" }
      ])
      assert.deepStrictEqual(order("#W2"), {
        ...before("#W2"),
        status: "exchange requested",
        exchange_items: ["11", "21"],
        exchange_new_items: ["12", "21"],
        exchange_payment_method_id: "gift_card_1",
        exchange_price_difference: 0.2
      })
      assert.deepStrictEqual(balance, giftCard(1.1))
    }))
})
