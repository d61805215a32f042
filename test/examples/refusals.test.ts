import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Shop } from "../../examples/shop/shop.ts"
import { type Call, converse, place, tables } from "./shop.ts"

const exchange = { item_ids: ["11"], new_item_ids: ["12"], payment_method_id: "credit_card_1" }

/** For each tool, calls that break one check after the other; each breaks the later ones too, where that is possible. */
const refusals: Readonly<Record<string, ReadonlyArray<readonly [args: Record<string, unknown>, error: string]>>> = {
  find_user_id_by_email: [[{ email: "nobody@example.com" }, "user not found"]],
  find_user_id_by_name_zip: [
    [{ first_name: "Ann", last_name: "Doe", zip: "90003" }, "user not found"],
    [{ first_name: "Ann", last_name: "Do", zip: "90001" }, "user not found"]
  ],
  get_user_details: [[{ user_id: "Ann" }, "user not found"], [{ user_id: "constructor" }, "user not found"]],
  get_order_details: [[{ order_id: "W1" }, "order not found"]],
  get_product_details: [[{ product_id: "11" }, "product not found"]],
  calculate: [[{ expression: "1/0 +" }, "invalid syntax (<string>, line 1)"]],
  modify_user_address: [[{ user_id: "eve", ...place }, "user not found"]],
  cancel_pending_order: [
    [{ order_id: "#W0", reason: "no" }, "order not found"],
    [{ order_id: "#W3", reason: "no" }, "non-pending order cannot be cancelled"],
    [{ order_id: "#W1", reason: "no" }, "invalid reason"]
  ],
  modify_pending_order_address: [
    [{ order_id: "#W0", ...place }, "order not found"],
    [{ order_id: "#W2", ...place }, "non-pending order cannot be modified"]
  ],
  modify_pending_order_payment: [
    [{ order_id: "#W0", payment_method_id: "none" }, "order not found"],
    [{ order_id: "#W2", payment_method_id: "none" }, "non-pending order cannot be modified"],
    [{ order_id: "#W4", payment_method_id: "none" }, "payment method not found"],
    [{ order_id: "#W1", payment_method_id: "toString" }, "payment method not found"],
    [{ order_id: "#W4", payment_method_id: "gift_card_1" }, "there should be exactly one payment for a pending order"],
    [
      { order_id: "#W5", payment_method_id: "gift_card_1" },
      "the new payment method should be different from the current one"
    ],
    [{ order_id: "#W1", payment_method_id: "gift_card_1" }, "insufficient gift card balance to pay for the order"]
  ],
  modify_pending_order_items: [
    [{ order_id: "#W0", ...exchange }, "order not found"],
    [{ order_id: "#W2", ...exchange }, "non-pending order cannot be modified"],
    [{ order_id: "#W1", item_ids: ["21", "99"], new_item_ids: [], payment_method_id: "none" }, "99 not found"],
    [{ order_id: "#W1", item_ids: ["11", "21", "21"], new_item_ids: [], payment_method_id: "none" }, "21 not found"],
    [
      { order_id: "#W1", item_ids: ["11", "11"], new_item_ids: ["99"], payment_method_id: "none" },
      "the number of items to be exchanged should match"
    ],
    [
      { order_id: "#W1", item_ids: ["11", "21"], new_item_ids: ["12", "12"], payment_method_id: "none" },
      "new item 12 not found or available"
    ],
    [
      { order_id: "#W1", item_ids: ["11"], new_item_ids: ["13"], payment_method_id: "none" },
      "new item 13 not found or available"
    ],
    [{ order_id: "#W1", ...exchange, new_item_ids: ["14"], payment_method_id: "none" }, "payment method not found"],
    [
      { order_id: "#W1", ...exchange, new_item_ids: ["14"], payment_method_id: "gift_card_1" },
      "insufficient gift card balance to pay for the new item"
    ]
  ],
  return_delivered_order_items: [
    [{ order_id: "#W0", item_ids: ["99"], payment_method_id: "none" }, "order not found"],
    [{ order_id: "#W1", item_ids: ["99"], payment_method_id: "none" }, "non-delivered order cannot be returned"],
    [{ order_id: "#W2", item_ids: ["99"], payment_method_id: "none" }, "payment method not found"],
    [
      { order_id: "#W2", item_ids: ["99"], payment_method_id: "paypal_1" },
      "payment method should be either the original payment method or a gift card"
    ],
    [{ order_id: "#W2", item_ids: ["21", "21"], payment_method_id: "gift_card_1" }, "some item not found"]
  ],
  exchange_delivered_order_items: [
    [{ order_id: "#W0", ...exchange }, "order not found"],
    [{ order_id: "#W1", ...exchange }, "non-delivered order cannot be exchanged"],
    [{ order_id: "#W2", item_ids: ["99"], new_item_ids: [], payment_method_id: "none" }, "99 not found"],
    [
      { order_id: "#W2", item_ids: ["11"], new_item_ids: [], payment_method_id: "none" },
      "the number of items to be exchanged should match"
    ],
    [
      { order_id: "#W2", item_ids: ["11"], new_item_ids: ["21"], payment_method_id: "none" },
      "new item 21 not found or available"
    ],
    [{ order_id: "#W2", ...exchange, new_item_ids: ["14"], payment_method_id: "none" }, "payment method not found"],
    [
      { order_id: "#W2", ...exchange, new_item_ids: ["14"], payment_method_id: "gift_card_1" },
      "insufficient gift card balance to pay for the price difference"
    ]
  ]
}

describe("refusals", () => {
  for (const [tool, rows] of Object.entries(refusals)) {
    it.effect(`${tool}: the first check that fails decides, and nothing changes`, () =>
      Effect.gen(function*() {
        const { results, deltas, state } = yield* converse(...rows.map(([args]): Call => [tool, args]))
        assert.deepStrictEqual(results, rows.map(([, error]) => `Error: ${error}`))
        assert.deepStrictEqual(deltas.flatMap(({ operations }) => operations), [])
        assert.deepStrictEqual(state.get(Shop.orders), tables.orders)
      }))
  }
})
