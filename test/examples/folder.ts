/** A folder of a few tasks, as `npm start -- tau` reads it, in a directory of its own. */
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Task } from "../../examples/shop/tau/folder.ts"
import { place, tables } from "./shop.ts"

const json = JSON.stringify

const ann = tables.users.ann
const pending = tables.orders["#W1"]

const moved = { ...pending, address: place }
const returned = {
  ...tables.orders["#W2"],
  status: "return requested",
  return_items: ["21"],
  return_payment_method_id: "gift_card_1"
}

/** Three tasks: one that only looks, one that changes a customer and an order, and one that is refused first. */
export const tasks = [
  {
    id: 0,
    userId: "ann",
    actions: [
      { name: "find_user_id_by_email", args: { email: "ann.doe@example.com" } },
      { name: "calculate", args: { expression: "1.5 * 2" } }
    ],
    results: ["ann", "3.0"],
    expected: { orders: {}, users: {} }
  },
  {
    id: 1,
    userId: "ann",
    actions: [
      { name: "modify_user_address", args: { user_id: "ann", ...place } },
      { name: "modify_pending_order_address", args: { order_id: "#W1", ...place } }
    ],
    results: [json({ ...ann, address: place }), json(moved)],
    expected: { orders: { "#W1": moved }, users: { ann: { ...ann, address: place } } }
  },
  {
    id: 2,
    userId: "ann",
    actions: [
      {
        name: "return_delivered_order_items",
        args: { order_id: "#W1", item_ids: ["21"], payment_method_id: "gift_card_1" }
      },
      {
        name: "return_delivered_order_items",
        args: { order_id: "#W2", item_ids: ["21"], payment_method_id: "gift_card_1" }
      }
    ],
    results: ["Error: non-delivered order cannot be returned", json(returned)],
    expected: { orders: { "#W2": returned }, users: {} }
  }
] as ReadonlyArray<Task>

/** The files of a folder; a text stands as it is, `undefined` leaves the file out. */
export type Files = Readonly<Record<string, unknown>>

/** A folder that is gone when the scope closes. */
export const folderOf = Effect.fnUntraced(function*(changed: Files = {}) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "tenon-tau-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  )
  for (const [name, content] of Object.entries({ ...tables, tasks, ...changed })) {
    if (content === undefined) continue
    const text = typeof content === "string" ? content : json(content)
    yield* Effect.promise(() => writeFile(join(folder, `${name}.json`), text))
  }
  return folder
})
