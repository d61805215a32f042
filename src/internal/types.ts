/**
 * The few type functions that more than one module needs. Layer 1.
 *
 * Two tricks stand behind them. A union ends in `extends infer U ? U : never`, or messages print the alias instead of
 * its members. A complaint *replaces* the option that is wrong, so that the compiler's first line is the sentence.
 */
import type { Chunk, HashMap, HashSet, Option, Pipeable, Result } from "effect"

type Leaf =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | Date
  | RegExp
  | ((..._: any) => any)

/** Readonly at every depth; a type that is so already keeps its name. Effect's own data types (all of them `Pipeable`) are immutable, but may hold what is not. */
export type Frozen<A> = [Loose<A, never>] extends [never] ? A : Shut<A>
type Shut<A> = A extends Leaf ? A
  : A extends Pipeable.Pipeable ? ShutIn<A>
  : A extends ReadonlyMap<infer Name, infer Value> ? ReadonlyMap<Frozen<Name>, Frozen<Value>>
  : A extends ReadonlySet<infer Value> ? ReadonlySet<Frozen<Value>>
  : A extends object ? { readonly [K in keyof A]: Frozen<A[K]> }
  : A

/** `true` where something in `A` can be changed; `Seen` ends recursive types. */
type Loose<A, Seen> = 0 extends 1 & A ? never
  : A extends Leaf ? never
  : [(_: A) => A] extends [Seen] ? never
  : A extends Pipeable.Pipeable ? Loose<Contents<A>, Seen | ((_: A) => A)>
  : A extends ReadonlyArray<infer Item> ? A extends Array<any> ? true : Loose<Item, Seen | ((_: A) => A)>
  : A extends Map<any, any> | Set<any> ? true
  : A extends ReadonlyMap<infer Name, infer Value> ? Loose<Name | Value, Seen | ((_: A) => A)>
  : A extends ReadonlySet<infer Value> ? Loose<Value, Seen | ((_: A) => A)>
  : A extends object ? Alike<Data<A>, Readonly<Data<A>>> extends true ? Loose<A[keyof A], Seen | ((_: A) => A)> : true
  : never
/** What a data type of Effect's holds. */
type Contents<A> = A extends Option.Option<infer Value> ? Value
  : A extends Result.Result<infer Value, infer Failure> ? Value | Failure
  : A extends Chunk.Chunk<infer Value> ? Value
  : A extends HashMap.HashMap<infer Name, infer Value> ? Name | Value
  : A extends HashSet.HashSet<infer Value> ? Value
  : never
type ShutIn<A> = A extends Option.Option<infer Value> ? Option.Option<Frozen<Value>>
  : A extends Result.Result<infer Value, infer Failure> ? Result.Result<Frozen<Value>, Frozen<Failure>>
  : A extends Chunk.Chunk<infer Value> ? Chunk.Chunk<Frozen<Value>>
  : A extends HashMap.HashMap<infer Name, infer Value> ? HashMap.HashMap<Frozen<Name>, Frozen<Value>>
  : A extends HashSet.HashSet<infer Value> ? HashSet.HashSet<Frozen<Value>>
  : A
/** Without methods: on an instance of a class they are no data. */
type Data<A> = { [K in keyof A as A[K] extends (..._: any) => any ? never : K]: A[K] }
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the two functions are compared as a whole
type Alike<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false

/**
 * A property that nobody has: its name says what to do and to whom; its type names the culprits where they are several.
 * `never` when there are none.
 */
export type Complain<Words extends string, Names> = [Names] extends [never] ? never
  : { readonly [_ in Addressed<Words, Names>]: Names }
type Addressed<Words extends string, Names> = string extends Names ? Words
  : [Other<Names>] extends [never] ? `${Words}: '${Names & string}'`
  : Words

/** `A`, or only the complaint. (TypeScript infers `A` through one such conditional, not through nested ones.) */
export type Fits<A, Complaint> = [Complaint] extends [never] ? A : 0 extends 1 & A ? Unlisted : Complaint

/** Refuses even `any`, which any complaint would let pass: an intersection of nothing, that keeps its name. */
type Unlisted = { readonly "list these one by one, a wider type loses their names": 0 } & {
  readonly "list these one by one, a wider type loses their names": 1
}

/** `true` for `any` and `never`, which fit everything and so say nothing. */
export type Vague<A> = 0 extends 1 & A ? true : [A] extends [never] ? true : false

/** `Extract` for what a layer gives: of needs that nobody knows it gives none away. */
export type Part<Needs, Kind> = 0 extends 1 & Needs ? never : Extract<Needs, Kind>

/**
 * The name itself, or the complaint about one that is not a single literal: rights go by names, so a wider one gives the
 * right to all that it covers. A helper that takes a name takes `OneName<Name>`.
 */
export type OneName<Name extends string> = {} extends { readonly [_ in Name]: 0 } ? NotOne
  : [Other<Name>] extends [never] ? Name
  : NotOne
type NotOne = "give this one literal name: rights go by it"

/** Nothing, or the complaint about a record whose names the compiler does not know. */
export type ListedByName<F> = string extends keyof F
  ? { readonly "list these one by one, a wider type loses their names": string }
  : unknown

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

/**
 * Infers the type of a whole argument, beside the types of its properties, and asks nothing of it: only in it does one
 * see that a property may be absent, as after a spread of a choice.
 */
export type Whole<O> = [O] extends [unknown] ? unknown : O

/** Infers the type of a whole argument, as `Whole` does, and refuses one that may lack an option out of `Names`. */
export type Held<O, Names> = [O] extends [{ readonly [_ in Names & keyof O]: unknown }] ? unknown : O & Doubtful
type Doubtful = { readonly "list these one by one: a handler could use what is not there": never }

/** The list that stands in an option: one of unknown length where the whole argument `O` may lack it. */
export type Surely<O, Option extends string, A extends ReadonlyArray<unknown>> = O extends
  { readonly [_ in Option]: unknown } ? A : ReadonlyArray<A[number]>
