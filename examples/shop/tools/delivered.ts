/** Tools for an order that has arrived. No money moves yet. */
import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "tenon"
import { asJson, ensure, known, own } from "../answer.ts"
import { round2 } from "../python.ts"
import { Shop } from "../shop.ts"
import { missingItem, priceDifference } from "./exchange.ts"
import { balanceOf } from "./money.ts"

export const ReturnDeliveredOrderItems = Tool.make("return_delivered_order_items", {
  description: "Return items of a delivered order; the money goes back to the original payment method or to a gift "
    + "card. The customer must confirm it explicitly.",
  parameters: Schema.Struct({
    order_id: Schema.String,
    item_ids: Schema.Array(Schema.String),
    payment_method_id: Schema.String
  }),
  success: Schema.String,
  reads: [Shop.users],
  writes: [Shop.orders.at("order_id")]
})

export const ExchangeDeliveredOrderItems = Tool.make("exchange_delivered_order_items", {
  description: "Exchange items of a delivered order for others of the same products. The customer must confirm it "
    + "explicitly.",
  parameters: Schema.Struct({
    order_id: Schema.String,
    item_ids: Schema.Array(Schema.String),
    new_item_ids: Schema.Array(Schema.String),
    payment_method_id: Schema.String
  }),
  success: Schema.String,
  reads: [Shop.users, Shop.products],
  writes: [Shop.orders.at("order_id")]
})

export const DeliveredTools = Toolkit.make(ReturnDeliveredOrderItems, ExchangeDeliveredOrderItems)

/** The order, where it has arrived and nothing was sent back; one return or exchange an order. */
const delivered = Effect.fnUntraced(function*(order_id: string, verb: "returned" | "exchanged") {
  const order = yield* known(yield* Shop.orders.entry(order_id), "order not found")
  yield* ensure(order.status === "delivered", `non-delivered order cannot be ${verb}`)
  return order
})

const methodOf = Effect.fnUntraced(function*(user_id: string, payment_method_id: string) {
  const user = yield* known(yield* Shop.users.entry(user_id), `'${user_id}'`)
  return yield* known(own(user.payment_methods, payment_method_id), "payment method not found")
})

export const DeliveredLive = Toolkit.layer(DeliveredTools, {
  return_delivered_order_items: Effect.fnUntraced(function*({ order_id, item_ids, payment_method_id }) {
    const order = yield* delivered(order_id, "returned")
    yield* methodOf(order.user_id, payment_method_id)
    yield* ensure(
      payment_method_id.includes("gift_card") || payment_method_id === order.payment_history[0]?.payment_method_id,
      "payment method should be either the original payment method or a gift card"
    )
    yield* ensure(missingItem(order, item_ids) === undefined, "some item not found")
    const changed = {
      ...order,
      status: "return requested" as const,
      return_items: item_ids.toSorted(),
      return_payment_method_id: payment_method_id
    }
    yield* Shop.orders.put(order_id, changed)
    return changed
  }, asJson),

  exchange_delivered_order_items: Effect.fnUntraced(function*({ order_id, payment_method_id, ...swap }) {
    const order = yield* delivered(order_id, "exchanged")
    const difference = round2((yield* priceDifference(order, swap)).difference)
    const method = yield* methodOf(order.user_id, payment_method_id)
    yield* ensure(
      balanceOf(method) >= difference,
      "insufficient gift card balance to pay for the price difference"
    )
    const changed = {
      ...order,
      status: "exchange requested" as const,
      exchange_items: swap.item_ids.toSorted(),
      // on their own: the positions no longer pair up
      exchange_new_items: swap.new_item_ids.toSorted(),
      exchange_payment_method_id: payment_method_id,
      exchange_price_difference: difference
    }
    yield* Shop.orders.put(order_id, changed)
    return changed
  }, asJson)
})
