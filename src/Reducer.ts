/**
 * How a write combines with what is there.
 *
 * A field with a reducer takes operands instead of values, so that two calls which both add to it lose nothing. A
 * commutative reducer gives equal results in any order: such calls run at the same time. The others keep call order.
 *
 * Layer 1, contract.
 *
 * @since 0.1.0
 */
import { Equal } from "effect"

/**
 * The operations that a stored delta can hold for a reducer; `own` stands for a function of yours, whose outcome is
 * stored instead.
 *
 * @category models
 * @since 0.1.0
 */
export type Operation = "sum" | "max" | "min" | "append" | "union" | "own"

/**
 * Combines a field's value with an operand.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reducer<in out Type, in Operand> {
  readonly operation: Operation
  /** Do operands give equal results in any order? */
  readonly commutative: boolean
  readonly combine: (current: Type, operand: Operand) => Type
}

/**
 * A reducer of your own. It is stored as the value that came out, so it can change between versions of a program.
 * Say `commutative` only if operands give equal results in any order.
 *
 * **Example** (The longest answer so far)
 *
 * ```ts
 * import { Reducer } from "tenon"
 *
 * const longest = Reducer.make((current: string, next: string) => (next.length > current.length ? next : current))
 *
 * longest.combine("a", "bcd") // => "bcd"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Type, Operand>(
  combine: (current: Type, operand: Operand) => NoInfer<Type>,
  options?: { readonly commutative?: boolean }
): Reducer<Type, Operand> => ({ operation: "own", commutative: options?.commutative ?? false, combine })

/**
 * Adds numbers. Commutative on integers (`Schema.Int`); sums of fractions depend on their order in the last digits, so
 * on any other schema calls keep their order.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sum: Reducer<number, number> = {
  operation: "sum",
  commutative: true,
  combine: (current, operand) => current + operand
}

/**
 * Keeps the larger number.
 *
 * @category constructors
 * @since 0.1.0
 */
export const max: Reducer<number, number> = { operation: "max", commutative: true, combine: (a, b) => Math.max(a, b) }

/**
 * Keeps the smaller number.
 *
 * @category constructors
 * @since 0.1.0
 */
export const min: Reducer<number, number> = { operation: "min", commutative: true, combine: (a, b) => Math.min(a, b) }

/**
 * Adds one item at the end of a list. Calls keep their order.
 *
 * @category constructors
 * @since 0.1.0
 */
export const append = <Item>(): Reducer<ReadonlyArray<Item>, Item> => ({
  operation: "append",
  commutative: false,
  combine: (current, operand) => [...current, operand]
})

/**
 * Adds one item to a list that holds each item once, in canonical order (by JSON text). Commutative.
 *
 * @category constructors
 * @since 0.1.0
 */
export const union = <Item>(): Reducer<ReadonlyArray<Item>, Item> => ({
  operation: "union",
  commutative: true,
  combine: (current, operand) => current.some((item) => Equal.equals(item, operand)) ? current : [...current, operand]
})
