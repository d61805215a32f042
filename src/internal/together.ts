/**
 * Whether the parts of an agent fit together, and what they need together, as types. Layer 3.
 */
import type { Effect, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import type { Any, AnySubAgent, AnyTransfer, Delegate } from "../Agent.ts"
import type * as Interrupt from "../Interrupt.ts"
import type * as Middleware from "../Middleware.ts"
import type * as State from "../State.ts"
import type * as ToolContext from "../ToolContext.ts"
import type { To } from "./call.ts"
import type { Complain, Crowded, Named, Several, Torn, Vague } from "./types.ts"

export type ToolsIn<K> = Middleware.ToolsIn<K>
export type KitNeeds<K> = AiTool.Requirements<ToolsIn<K>>
export type Together<T extends Named, N, TBefore extends Named = never, NBefore = never> =
  | Complain<
    "list these one by one, a wider type loses their names",
    string extends T["name"] ? string : 0 extends 1 & N ? any : never
  >
  | Complain<"rename one of these tools", Exclude<Several<T>, Several<TBefore>>>
  | Complain<
    "give these context keys one type",
    Exclude<Torn<Extract<N, ToolContext.AnyKey>>, Torn<Extract<NBefore, ToolContext.AnyKey>>>
  >
  | Complain<
    "give these sections one shape",
    Exclude<Several<Extract<N, State.AnyOwner>>, Several<Extract<NBefore, State.AnyOwner>>>
  >
  | Complain<
    "give these interrupts one type of question and answer",
    Exclude<Several<Extract<N, Interrupt.AnyAsks>>, Several<Extract<NBefore, Interrupt.AnyAsks>>>
  >

export type M_ = ReadonlyArray<Middleware.Any>
export type S_ = ReadonlyArray<AnySubAgent | Any>
export type MiddlewareTools<M extends M_> = M[number]["~middleware"]["tools"]
export type Provided<M extends M_> = Given<M[number]>
export type Given<One> = One extends Middleware.Middleware<string, any, infer Provides, Named>
  ? true extends Vague<Provides> ? never : Extract<Provides, ToolContext.AnyKey>
  : never
/** Of provisions that nobody knows none are for sure. */
export type Without<Inner, Provides> = true extends Vague<Provides> ? Inner : Exclude<Inner, Provides>
export type MiddlewareNeeds<M extends M_> = M[number]["~middleware"]["needs"]
export type SubTools<S extends S_> = S[number]["~tools"]
export type SubNeeds<S extends S_> = S[number]["~needs"]
/** `N` itself, where an expected type of the whole must not infer it: an annotation `Agent.Any` would make it `any`. */
export type Inner<N> = N extends infer Needs ? Needs : never
export type Own<K, M extends M_> = ToolsIn<K> | MiddlewareTools<M>
export type OwnNeeds<Told, K, M extends M_> = Told | KitNeeds<K> | MiddlewareNeeds<M>
/** What an agent answers with: a text too, where the whole argument `O` may lack the schema. */
export type Said<O, Out extends Schema.Constraint> = O extends { readonly output: unknown } ? Out["Type"]
  : Out["Type"] | string
/** A field that takes an agent's answer. */
export interface Kept<in Output> extends State.AnyField {
  readonly set: (value: Output) => Effect.Effect<void, never, any>
}

export type T_ = ReadonlyArray<AnyTransfer | Any>
export type Itself<Name extends string, Inner extends S_ | T_> =
  [Extract<Inner[number]["~tools"], Delegate<Name | `transfer_to_agent/${Name}`>>] extends [never] ? never : Name
/** The tools of agents that a conversation may go to, and the one that takes it there. */
export type TransferTools<T extends T_> = T extends readonly [] ? never
  : T[number]["~tools"] | Delegate<"transfer_to_agent">
export type TransferNeeds<T extends T_> = T[number]["~needs"]
/** Transfers to this agent, and to those of its list, can be made here. */
export type Reached<Name extends string, T extends T_, Inner> = T extends readonly [] ? Inner
  : Exclude<Inner, To<Name | T[number]["name"]>>

/** For each name the places where it stands, so that even two sub-agents of one type are told apart. */
export type Places<T extends ReadonlyArray<Named>> = {
  [I in Exclude<keyof T, keyof Array<unknown>> as (T[I] & Named)["name"]]: I
}
export type Repeated<T extends ReadonlyArray<Named>> = Crowded<Places<T>>

/** From the innermost middleware outwards: each takes away what it provides and adds what it needs itself. */
export type Wrapped<M extends ReadonlyArray<unknown>, Inner> = M extends readonly [...infer Outer, infer Last]
  ? Wrapped<Outer, Around<Last, Inner>>
  : M extends readonly [] ? Inner
  : Inner | (M extends M_ ? MiddlewareNeeds<M> : never)

/** Distributes: where either of two may stand, only what both provide is taken away. */
export type Around<One, Inner> = One extends Middleware.Middleware<string, infer N, infer Provides, Named>
  ? N | Without<Inner, Provides>
  : never

/**
 * The provided keys that do not fit: of a type that somebody cannot take, or needed as something else by the caller too,
 * whose value wins. At run time keys go by their names alone.
 */
export type Unfit<M extends M_, Inner> = [Provided<M>] extends [never] ? never
  : Misfit<Inner | MiddlewareNeeds<M>, Provided<M>, Wrapped<M, Inner>>
export type Misfit<All, P extends Named, Rest> =
  | Exclude<NamedAs<All, P["name"]>, P>["name"]
  | Several<NamedAs<All, P["name"] & Extract<Rest, ToolContext.AnyKey>["name"]>>
export type NamedAs<All, N extends string> = Extract<All, ToolContext.Key<N, never>>
