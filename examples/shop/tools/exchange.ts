/** Items of an order against other variants of the same products. */
import { Effect } from "effect"
import { ensure, known, own } from "../answer.ts"
import { type Item, type Order, Shop, type Variant } from "../shop.ts"

/** Which items are given, and which variants are wanted for them, position by position. */
interface Swap {
  readonly item_ids: ReadonlyArray<string>
  readonly new_item_ids: ReadonlyArray<string>
}

type Pair = readonly [oldId: string, variant: Variant]

/** The first id that stands more often in `ids` than among the items of the order. */
export const missingItem = ({ items }: Order, ids: ReadonlyArray<string>): string | undefined =>
  ids.find((id) => ids.filter((each) => each === id).length > items.filter(({ item_id }) => item_id === id).length)

/** The variants that are wanted, and what they cost more; not rounded. */
export const priceDifference = Effect.fnUntraced(function*(order: Order, { item_ids, new_item_ids }: Swap) {
  const missing = missingItem(order, item_ids)
  yield* ensure(missing === undefined, `${missing} not found`)
  yield* ensure(item_ids.length === new_item_ids.length, "the number of items to be exchanged should match")
  const pairs: Array<Pair> = []
  let difference = 0
  for (const [index, newId] of new_item_ids.entries()) {
    const oldId = item_ids[index]
    const unavailable = `new item ${newId} not found or available`
    const item = yield* known(order.items.find(({ item_id }) => item_id === oldId), unavailable)
    const product = yield* known(yield* Shop.products.entry(item.product_id), unavailable)
    const variant = yield* known(own(product.variants, newId), unavailable)
    yield* ensure(variant.available, unavailable)
    pairs.push([item.item_id, variant])
    difference += variant.price - item.price
  }
  return { pairs, difference }
})

/** The items after the exchange, pair by pair: a later pair can meet an item that an earlier one made. */
export const exchanged = (items: ReadonlyArray<Item>, pairs: ReadonlyArray<Pair>): ReadonlyArray<Item> => {
  const out = [...items]
  for (const [oldId, { item_id, price, options }] of pairs) {
    const index = out.findIndex((item) => item.item_id === oldId)
    const item = out[index]
    if (item !== undefined) out[index] = { ...item, item_id, price, options }
  }
  return out
}
