/**
 * Running what needs services that the types no longer show. Layer 1.
 */
import { type Context, Effect } from "effect"

/**
 * Runs an effect in a context that is known to hold what it needs: declarations checked that when they were made, and
 * carry their effects with `any` needs since.
 */
export const runIn = <A, E>(effect: Effect.Effect<A, E, any>, context: Context.Context<never>): Effect.Effect<A, E> =>
  Effect.updateContext(effect, (_: Context.Context<never>) => context as Context.Context<any>)
