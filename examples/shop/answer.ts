/**
 * What the tools of the shop answer. A result is a text: JSON, a bare word, or what is wrong, beginning with `Error: `.
 * To refuse is no failure of the call: the model gets the reason and goes on.
 */
import { Effect, Option, Schema } from "effect"
import { dumps } from "./python.ts"

/** A check of a tool did not pass. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { reason: Schema.String }) {}

/** Ends a handler with a reason. */
export const refuse = (reason: string): Effect.Effect<never, Refused> => Effect.fail(new Refused({ reason }))

/** Goes on only where the check passes. */
export const ensure = (holds: boolean, reason: string): Effect.Effect<void, Refused> =>
  holds ? Effect.void : refuse(reason)

/** The value, or the reason why there is none. */
export const known = <A>(value: Option.Option<A> | A | undefined, reason: string): Effect.Effect<A, Refused> => {
  if (Option.isOption(value)) return Option.isSome(value) ? Effect.succeed(value.value) : refuse(reason)
  return value === undefined ? refuse(reason) : Effect.succeed(value)
}

/** An own entry of a record, whatever its key is called. */
export const own = <A>(record: { readonly [_ in string]: A }, key: string): A | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** A reason as the result. */
export const asText = <R>(handler: Effect.Effect<string, Refused, R>): Effect.Effect<string, never, R> =>
  Effect.catchTag(handler, "Refused", ({ reason }) => Effect.succeed(`Error: ${reason}`))

/** An entry as JSON, or a reason, as the result. */
export const asJson = <A, R>(handler: Effect.Effect<A, Refused, R>): Effect.Effect<string, never, R> =>
  asText(Effect.map(handler, dumps))
