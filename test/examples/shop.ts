/** A very small shop, and a conversation with an agent that has all 16 tools. */
import { Effect } from "effect"
import { AgentRunner, SessionStore } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { type Order, type Product, stocked, type Tables, type User } from "../../examples/shop/shop.ts"
import { Retail, RetailLive } from "../../examples/shop/tau/replay.ts"

const address = { address1: "1 A St", address2: "", city: "B", country: "USA", state: "CA", zip: "90001" }

const lamp = { name: "Lamp", product_id: "p1", item_id: "11", price: 10.1, options: { color: "red" } }
const chair = { name: "Chair", product_id: "p2", item_id: "21", price: 50, options: {} }

const order = (order_id: string, status: Order["status"], more: Partial<Order> = {}): Order => ({
  order_id,
  user_id: "ann",
  address,
  items: [lamp, lamp, chair],
  fulfillments: [],
  status,
  payment_history: [{ transaction_type: "payment", amount: 70.2, payment_method_id: "credit_card_1" }],
  ...more
})

const orders: ReadonlyArray<Order> = [
  order("#W1", "pending"),
  order("#W2", "delivered"),
  order("#W3", "processed"),
  order("#W4", "pending", {
    payment_history: [
      { transaction_type: "payment", amount: 0.125, payment_method_id: "gift_card_1" },
      { transaction_type: "refund", amount: 0.25, payment_method_id: "gift_card_1" },
      { transaction_type: "payment", amount: 3, payment_method_id: "credit_card_1" }
    ]
  }),
  order("#W5", "pending", {
    payment_history: [{ transaction_type: "payment", amount: 5, payment_method_id: "gift_card_1" }]
  }),
  order("#W6", "pending", { items: [lamp, { ...lamp, item_id: "12", price: 10.3 }] })
]

const user = (first_name: string, email: string, zip: string): User => ({
  name: { first_name, last_name: "Doe" },
  address: { ...address, zip },
  email,
  payment_methods: {
    credit_card_1: { source: "credit_card", brand: "visa", last_four: "0001", id: "credit_card_1" },
    paypal_1: { source: "paypal", id: "paypal_1" },
    gift_card_1: { source: "gift_card", balance: 1.1, id: "gift_card_1" }
  },
  orders: []
})

const variant = (item_id: string, price: number, available = true) => ({
  item_id,
  options: { no: item_id },
  available,
  price
})

const products: ReadonlyArray<Product> = [
  {
    name: "Lamp",
    product_id: "p1",
    variants: {
      "11": variant("11", 10.1),
      "12": variant("12", 10.3),
      "13": variant("13", 9, false),
      "14": variant("14", 100),
      "15": variant("15", 4.1)
    }
  },
  { name: "Chair", product_id: "p2", variants: { "21": variant("21", 50) } },
  { name: "apron", product_id: "p3", variants: {} }
]

export const tables: Tables = {
  orders: Object.fromEntries(orders.map((each) => [each.order_id, each])),
  users: { ann: user("Ann", "Ann.Doe@example.com", "90001"), bob: user("Ann", "ann.doe@example.com", "90002") },
  products: Object.fromEntries(products.map((each) => [each.product_id, each]))
}

/** A new address. */
export const place = { address1: "2 C St", address2: "x", city: "D", state: "NY", country: "USA", zip: "10001" }

/** A call, as the model asks for it. */
export type Call = readonly [tool: string, args?: Readonly<Record<string, unknown>>]

/** What the calls return, one after the other, and the state that they leave behind. */
export const converse = (...calls: ReadonlyArray<Call>) =>
  AgentRunner.run(Retail, { session: "s", input: "Hello", state: stocked(tables) }).pipe(
    Effect.map(({ session }) => ({
      results: session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : []),
      deltas: session.events.flatMap((event) => event.kind === "call" ? [event.delta] : []),
      state: session.state
    })),
    Effect.provide([
      RetailLive,
      SessionStore.layerMemory,
      ScriptedModel.layer([...calls.map(([tool, args]) => ScriptedModel.call(tool, args)), ScriptedModel.text("Done.")])
    ])
  )
