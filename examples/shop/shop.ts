/**
 * What a shop knows, as a section of State: orders, customers and products, in the shape of the retail domain of
 * τ-bench (`sierra-research/tau-bench`; Yao, Shinn, Razavi, Narasimhan 2024, arXiv 2406.12045; MIT licence).
 *
 * Each table is a record field: one changed order makes a delta of that order, however many there are.
 */
import { Schema } from "effect"
import { State } from "tenon"

const Address = Schema.Struct({
  address1: Schema.String,
  address2: Schema.String,
  city: Schema.String,
  country: Schema.String,
  state: Schema.String,
  zip: Schema.String
})

const Options = Schema.Record(Schema.String, Schema.String)

/** Money that went from the customer (`payment`) or back (`refund`). */
const Payment = Schema.Struct({
  transaction_type: Schema.Literals(["payment", "refund"]),
  amount: Schema.Finite,
  payment_method_id: Schema.String
})
export type Payment = typeof Payment.Type

const Item = Schema.Struct({
  name: Schema.String,
  product_id: Schema.String,
  item_id: Schema.String,
  price: Schema.Finite,
  options: Options
})
export type Item = typeof Item.Type

export const Order = Schema.Struct({
  order_id: Schema.String,
  user_id: Schema.String,
  address: Address,
  items: Schema.Array(Item),
  fulfillments: Schema.Array(
    Schema.Struct({ tracking_id: Schema.Array(Schema.String), item_ids: Schema.Array(Schema.String) })
  ),
  status: Schema.Literals([
    "pending",
    "processed",
    "delivered",
    "cancelled",
    "pending (item modified)",
    "return requested",
    "exchange requested"
  ]),
  payment_history: Schema.Array(Payment),
  cancel_reason: Schema.optionalKey(Schema.String),
  return_items: Schema.optionalKey(Schema.Array(Schema.String)),
  return_payment_method_id: Schema.optionalKey(Schema.String),
  exchange_items: Schema.optionalKey(Schema.Array(Schema.String)),
  exchange_new_items: Schema.optionalKey(Schema.Array(Schema.String)),
  exchange_payment_method_id: Schema.optionalKey(Schema.String),
  exchange_price_difference: Schema.optionalKey(Schema.Finite)
})
export type Order = typeof Order.Type

const PaymentMethod = Schema.Union([
  Schema.Struct({
    source: Schema.Literal("credit_card"),
    brand: Schema.String,
    last_four: Schema.String,
    id: Schema.String
  }),
  Schema.Struct({ source: Schema.Literal("paypal"), id: Schema.String }),
  Schema.Struct({ source: Schema.Literal("gift_card"), balance: Schema.Finite, id: Schema.String })
])
export type PaymentMethod = typeof PaymentMethod.Type

export const User = Schema.Struct({
  name: Schema.Struct({ first_name: Schema.String, last_name: Schema.String }),
  address: Address,
  email: Schema.String,
  payment_methods: Schema.Record(Schema.String, PaymentMethod),
  orders: Schema.Array(Schema.String)
})
export type User = typeof User.Type

const Variant = Schema.Struct({
  item_id: Schema.String,
  options: Options,
  available: Schema.Boolean,
  price: Schema.Finite
})
export type Variant = typeof Variant.Type

export const Product = Schema.Struct({
  name: Schema.String,
  product_id: Schema.String,
  variants: Schema.Record(Schema.String, Variant)
})
export type Product = typeof Product.Type

/** The three tables. Where a session starts with data, its first message brings them. */
export const Shop = State.make("shop", {
  orders: State.record(Schema.String, Order),
  users: State.record(Schema.String, User),
  products: State.record(Schema.String, Product)
})

/** The data of a shop, by the names of its tables. */
export interface Tables {
  readonly orders: { readonly [id: string]: Order }
  readonly users: { readonly [id: string]: User }
  readonly products: { readonly [id: string]: Product }
}

/** The writes that put a shop's data into a session. Made once, the values are shared by all sessions. */
export const stocked = ({ orders, users, products }: Tables): ReadonlyArray<State.Assignment> => [
  Shop.orders.to(orders),
  Shop.users.to(users),
  Shop.products.to(products)
]
