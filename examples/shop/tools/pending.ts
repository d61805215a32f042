/** Tools that change a customer's address, or an order that is not on its way yet. */
import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "tenon"
import { asJson, ensure, known, own, refuse } from "../answer.ts"
import { type Order, Shop } from "../shop.ts"
import { exchanged, priceDifference } from "./exchange.ts"
import { balanceOf, isGiftCard, moved } from "./money.ts"

// ===== declarations ==========================================================

const address = {
  address1: Schema.String,
  address2: Schema.String,
  city: Schema.String,
  state: Schema.String,
  country: Schema.String,
  zip: Schema.String
}

export const ModifyUserAddress = Tool.make("modify_user_address", {
  description: "Change the address of a customer. It must be confirmed explicitly.",
  parameters: Schema.Struct({ user_id: Schema.String, ...address }),
  success: Schema.String,
  writes: [Shop.users.at("user_id")]
})

export const CancelPendingOrder = Tool.make("cancel_pending_order", {
  description: "Cancel a pending order. The customer must confirm it explicitly.",
  parameters: Schema.Struct({
    order_id: Schema.String,
    // a text, so that another reason is answered by the tool and not by the schema
    reason: Schema.String.annotate({ description: "'no longer needed' or 'ordered by mistake'" })
  }),
  success: Schema.String,
  writes: [Shop.orders.at("order_id"), Shop.users]
})

export const ModifyPendingOrderAddress = Tool.make("modify_pending_order_address", {
  description: "Change the shipping address of a pending order. The customer must confirm it explicitly.",
  parameters: Schema.Struct({ order_id: Schema.String, ...address }),
  success: Schema.String,
  writes: [Shop.orders.at("order_id")]
})

export const ModifyPendingOrderPayment = Tool.make("modify_pending_order_payment", {
  description: "Change the payment method of a pending order. The customer must confirm it explicitly.",
  parameters: Schema.Struct({ order_id: Schema.String, payment_method_id: Schema.String }),
  success: Schema.String,
  writes: [Shop.orders.at("order_id"), Shop.users]
})

export const ModifyPendingOrderItems = Tool.make("modify_pending_order_items", {
  description: "Exchange items of a pending order for others of the same products; works once per order. The "
    + "customer must confirm it explicitly.",
  parameters: Schema.Struct({
    order_id: Schema.String,
    item_ids: Schema.Array(Schema.String),
    new_item_ids: Schema.Array(Schema.String),
    payment_method_id: Schema.String
  }),
  success: Schema.String,
  reads: [Shop.products],
  writes: [Shop.orders.at("order_id"), Shop.users]
})

export const PendingTools = Toolkit.make(
  ModifyUserAddress,
  CancelPendingOrder,
  ModifyPendingOrderAddress,
  ModifyPendingOrderPayment,
  ModifyPendingOrderItems
)

// ===== handlers ==============================================================

const reasons = new Set(["no longer needed", "ordered by mistake"])

/** The order, where it is pending. Changed items make it another state, in which it can no longer be changed. */
const pending = Effect.fnUntraced(function*(order_id: string, otherwise = "non-pending order cannot be modified") {
  const order = yield* known(yield* Shop.orders.entry(order_id), "order not found")
  yield* ensure(order.status === "pending", otherwise)
  return order
})

const customerOf = ({ user_id }: Order) =>
  Effect.flatMap(Shop.users.entry(user_id), (user) => known(user, `'${user_id}'`))

/** Keeps the order in its new form, and shows it. */
const keep = (order: Order) => Effect.as(Shop.orders.put(order.order_id, order), order)

export const PendingLive = Toolkit.layer(PendingTools, {
  modify_user_address: Effect.fnUntraced(function*({ user_id, ...address }) {
    const user = yield* known(yield* Shop.users.entry(user_id), "user not found")
    yield* Shop.users.put(user_id, { ...user, address })
    return { ...user, address }
  }, asJson),

  cancel_pending_order: Effect.fnUntraced(function*({ order_id, reason }) {
    const order = yield* pending(order_id, "non-pending order cannot be cancelled")
    yield* ensure(reasons.has(reason), "invalid reason")
    // refunds among the payments are paid back too: so it is on record
    const { payment_history: payments } = order
    if (payments.some(isGiftCard)) {
      const user = yield* customerOf(order)
      yield* Shop.users.put(
        order.user_id,
        payments.reduce((each, payment) => moved(each, payment, payment.amount), user)
      )
    }
    return yield* keep({
      ...order,
      status: "cancelled",
      payment_history: [
        ...payments,
        ...payments.map((payment) => ({ ...payment, transaction_type: "refund" as const }))
      ],
      cancel_reason: reason
    })
  }, asJson),

  modify_pending_order_address: Effect.fnUntraced(function*({ order_id, ...address }) {
    return yield* keep({ ...(yield* pending(order_id)), address })
  }, asJson),

  modify_pending_order_payment: Effect.fnUntraced(function*({ order_id, payment_method_id }) {
    const order = yield* pending(order_id)
    const user = yield* customerOf(order)
    const method = yield* known(own(user.payment_methods, payment_method_id), "payment method not found")
    const [first, ...others] = order.payment_history
    if (first === undefined || others.length > 0 || first.transaction_type !== "payment") {
      return yield* refuse("there should be exactly one payment for a pending order")
    }
    yield* ensure(
      first.payment_method_id !== payment_method_id,
      "the new payment method should be different from the current one"
    )
    yield* ensure(balanceOf(method) >= first.amount, "insufficient gift card balance to pay for the order")
    const payment = { ...first, payment_method_id }
    const customer = moved(moved(user, payment, -first.amount), first, first.amount)
    if (customer !== user) yield* Shop.users.put(order.user_id, customer)
    return yield* keep({ ...order, payment_history: [first, payment, { ...first, transaction_type: "refund" }] })
  }, asJson),

  modify_pending_order_items: Effect.fnUntraced(function*({ order_id, payment_method_id, ...swap }) {
    const order = yield* pending(order_id)
    const { difference, pairs } = yield* priceDifference(order, swap)
    const user = yield* customerOf(order)
    const method = yield* known(own(user.payment_methods, payment_method_id), "payment method not found")
    yield* ensure(balanceOf(method) >= difference, "insufficient gift card balance to pay for the new item")
    // the difference of two doubles is kept as it is: the data on record holds 41.91999999999999
    const payment = {
      transaction_type: difference > 0 ? "payment" as const : "refund" as const,
      amount: Math.abs(difference),
      payment_method_id
    }
    const customer = moved(user, payment, -difference)
    if (customer !== user) yield* Shop.users.put(order.user_id, customer)
    return yield* keep({
      ...order,
      items: exchanged(order.items, pairs),
      status: "pending (item modified)",
      payment_history: [...order.payment_history, payment]
    })
  }, asJson)
})
