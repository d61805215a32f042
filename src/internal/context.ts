/**
 * Running what needs services that the types no longer show. Layer 1.
 */
import { Context, Effect } from "effect"

/**
 * Runs an effect in a context that is known to hold what it needs: declarations checked that when they were made, and
 * carry their effects with `any` needs since.
 */
export const runIn = <A, E>(effect: Effect.Effect<A, E, any>, context: Context.Context<never>): Effect.Effect<A, E> =>
  Effect.updateContext(effect, (_: Context.Context<never>) => context as Context.Context<any>)

/**
 * A context as one map. What is provided one by one lies over the rest: each is one look more for all below, and the ninth
 * copies everything.
 */
export const flatten = <R>(context: Context.Context<R>): Context.Context<R> => Context.makeUnsafe(context.mapUnsafe)
