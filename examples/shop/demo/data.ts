/** A small shop of hand tools. Everything in it is invented. */
import type { Tables } from "../shop.ts"

export const tables: Tables = {
  orders: {
    "#W1000001": {
      order_id: "#W1000001",
      user_id: "ida_berg",
      address: { address1: "4 Mill Lane", address2: "", city: "Ambleby", country: "USA", state: "VT", zip: "05099" },
      items: [
        {
          name: "Block Plane",
          product_id: "plane",
          item_id: "4101",
          price: 89,
          options: { hand: "right", iron: "35 mm" }
        },
        { name: "Mallet", product_id: "mallet", item_id: "5201", price: 24.5, options: { head: "beech" } }
      ],
      fulfillments: [],
      status: "pending",
      payment_history: [{ transaction_type: "payment", amount: 113.5, payment_method_id: "gift_card_71" }]
    },
    "#W1000002": {
      order_id: "#W1000002",
      user_id: "ola_lund",
      address: {
        address1: "9 Quay Street",
        address2: "Flat 2",
        city: "Ferrow",
        country: "USA",
        state: "ME",
        zip: "04099"
      },
      items: [{ name: "Mallet", product_id: "mallet", item_id: "5202", price: 27, options: { head: "oak" } }],
      fulfillments: [{ tracking_id: ["300200100"], item_ids: ["5202"] }],
      status: "delivered",
      payment_history: [{ transaction_type: "payment", amount: 27, payment_method_id: "paypal_82" }]
    }
  },
  users: {
    ida_berg: {
      name: { first_name: "Ida", last_name: "Berg" },
      address: { address1: "4 Mill Lane", address2: "", city: "Ambleby", country: "USA", state: "VT", zip: "05099" },
      email: "ida.berg@example.com",
      payment_methods: { gift_card_71: { source: "gift_card", balance: 20, id: "gift_card_71" } },
      orders: ["#W1000001"]
    },
    ola_lund: {
      name: { first_name: "Ola", last_name: "Lund" },
      address: {
        address1: "9 Quay Street",
        address2: "Flat 2",
        city: "Ferrow",
        country: "USA",
        state: "ME",
        zip: "04099"
      },
      email: "ola.lund@example.com",
      payment_methods: { paypal_82: { source: "paypal", id: "paypal_82" } },
      orders: ["#W1000002"]
    }
  },
  products: {
    plane: {
      name: "Block Plane",
      product_id: "plane",
      variants: {
        "4101": { item_id: "4101", options: { hand: "right", iron: "35 mm" }, available: true, price: 89 },
        "4102": { item_id: "4102", options: { hand: "left", iron: "35 mm" }, available: false, price: 89 },
        "4103": { item_id: "4103", options: { hand: "left", iron: "42 mm" }, available: true, price: 96.5 }
      }
    },
    mallet: {
      name: "Mallet",
      product_id: "mallet",
      variants: {
        "5201": { item_id: "5201", options: { head: "beech" }, available: true, price: 24.5 },
        "5202": { item_id: "5202", options: { head: "oak" }, available: true, price: 27 }
      }
    }
  }
}
