/** Gift cards: the one payment method that holds money. */
import { own } from "../answer.ts"
import { round2 } from "../python.ts"
import type { Payment, PaymentMethod, User } from "../shop.ts"

/** The id of a payment method tells what it is. */
export const isGiftCard = ({ payment_method_id }: Payment): boolean => payment_method_id.includes("gift_card")

/** What can be paid by this method. */
export const balanceOf = (method: PaymentMethod): number =>
  method.source === "gift_card" ? method.balance : Number.POSITIVE_INFINITY

/** The customer, after money moved on the gift card of a payment; no other method holds any. */
export const moved = (user: User, { payment_method_id }: Payment, amount: number): User => {
  const method = own(user.payment_methods, payment_method_id)
  return method?.source === "gift_card"
    ? {
      ...user,
      payment_methods: {
        ...user.payment_methods,
        [payment_method_id]: { ...method, balance: round2(method.balance + amount) }
      }
    }
    : user
}
