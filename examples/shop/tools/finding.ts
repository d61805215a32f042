/** Tools that look something up and change nothing. */
import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "tenon"
import { asJson, asText, known } from "../answer.ts"
import { dumps } from "../python.ts"
import { Shop, type User } from "../shop.ts"

// ===== declarations ==========================================================

export const FindUserIdByEmail = Tool.make("find_user_id_by_email", {
  description: "Find a customer's id by the e-mail address.",
  parameters: Schema.Struct({ email: Schema.String }),
  success: Schema.String,
  reads: [Shop.users]
})

export const FindUserIdByNameZip = Tool.make("find_user_id_by_name_zip", {
  description: "Find a customer's id by first name, last name and zip code. Ask for the e-mail address first.",
  parameters: Schema.Struct({ first_name: Schema.String, last_name: Schema.String, zip: Schema.String }),
  success: Schema.String,
  reads: [Shop.users]
})

export const GetUserDetails = Tool.make("get_user_details", {
  description: "Get a customer's name, address, payment methods and orders.",
  parameters: Schema.Struct({ user_id: Schema.String }),
  success: Schema.String,
  reads: [Shop.users.at("user_id")]
})

export const GetOrderDetails = Tool.make("get_order_details", {
  description: "Get the status and the details of an order. Its id begins with '#W'.",
  parameters: Schema.Struct({ order_id: Schema.String }),
  success: Schema.String,
  reads: [Shop.orders.at("order_id")]
})

export const GetProductDetails = Tool.make("get_product_details", {
  description: "Get the variants of a product with prices and availability, by product id (not item id).",
  parameters: Schema.Struct({ product_id: Schema.String }),
  success: Schema.String,
  reads: [Shop.products.at("product_id")]
})

export const ListAllProductTypes = Tool.make("list_all_product_types", {
  description: "List the names and product ids of all kinds of products.",
  success: Schema.String,
  reads: [Shop.products]
})

export const FindingTools = Toolkit.make(
  FindUserIdByEmail,
  FindUserIdByNameZip,
  GetUserDetails,
  GetOrderDetails,
  GetProductDetails,
  ListAllProductTypes
)

// ===== handlers ==============================================================

const sameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The id of the first customer, in the order of the table, of whom this holds. */
const findUser = (holds: (user: User) => boolean) =>
  Effect.flatMap(
    Shop.users.get,
    (users) => known(Object.entries(users).find(([, user]) => holds(user))?.[0], "user not found")
  )

export const FindingLive = Toolkit.layer(FindingTools, {
  find_user_id_by_email: ({ email }) => asText(findUser((user) => sameWord(user.email, email))),

  find_user_id_by_name_zip: ({ first_name, last_name, zip }) =>
    asText(
      findUser(({ name, address }) =>
        sameWord(name.first_name, first_name) && sameWord(name.last_name, last_name) && address.zip === zip
      )
    ),

  get_user_details: ({ user_id }) =>
    asJson(Effect.flatMap(Shop.users.entry(user_id), (user) => known(user, "user not found"))),

  get_order_details: ({ order_id }) =>
    asJson(Effect.flatMap(Shop.orders.entry(order_id), (order) => known(order, "order not found"))),

  get_product_details: ({ product_id }) =>
    asJson(Effect.flatMap(Shop.products.entry(product_id), (product) => known(product, "product not found"))),

  list_all_product_types: () =>
    Effect.map(Shop.products.get, (products) => {
      const ids = Object.values(products).map(({ name, product_id }) => [name, product_id] as const)
      return dumps(Object.fromEntries(ids.sort(([a], [b]) => (a < b ? -1 : 1))))
    })
})
