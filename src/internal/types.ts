/**
 * The few type functions that more than one module needs. Layer 1.
 *
 * Two tricks stand behind them. A union ends in `extends infer U ? U : never`, or messages print the alias instead of
 * its members. A complaint *replaces* the option that is wrong, so that the compiler's first line is the sentence.
 */
import type { Pipeable } from "effect"

/** Readonly at every depth. Effect's own data types (all of them `Pipeable`) are immutable already and keep their names. */
export type Frozen<A> = A extends
  string | number | bigint | boolean | symbol | null | undefined | Pipeable.Pipeable | Date | ((..._: any) => any) ? A
  : A extends object ? { readonly [K in keyof A]: Frozen<A[K]> }
  : A

/** A property that nobody has: its name says what to do, its type names the culprits. `never` when there are none. */
export type Complain<Words extends string, Names> = [Names] extends [never] ? never : { readonly [W in Words]: Names }

/** `A`, or only the complaint. (TypeScript infers `A` through one such conditional, not through nested ones.) */
export type Fits<A, Complaint> = [Complaint] extends [never] ? A : Complaint

/** Anything that is told apart by a name. */
export interface Named {
  readonly name: string
}

/** The names under which the union `T` holds several types. One pass: `as` gathers the types of a name in a union. */
export type Several<T extends Named> = Crowded<{ [X in T as X["name"]]: X }>

/** The keys of a record whose property is a union. */
export type Crowded<R> = { [N in keyof R]: [Other<R[N]>] extends [never] ? never : N }[keyof R]

/** `never` for a single type, and something else for a union of several. */
export type Other<One, All = One> = One extends unknown ? [All] extends [One] ? never : One : never

/** The names under which no type in `T` is above all the others. */
export type Torn<T extends Named> = { [X in T as X["name"]]: X } extends infer R
  ? { [N in keyof R]: [Top<R[N]>] extends [never] ? N : never }[keyof R]
  : never

type Top<One, All = One> = One extends unknown ? [All] extends [One] ? One : never : never
