/**
 * What the cases of all stores share. Layer 6, edge `testing`.
 */
import { Effect, Equal, Random, Schema } from "effect"

/**
 * A store did something else than a case expects of it.
 *
 * @category errors
 * @since 0.1.0
 */
export class CaseFailed extends Schema.TaggedError<CaseFailed>()("CaseFailed", {
  actual: Schema.Unknown,
  expected: Schema.Unknown
}) {
  override get message(): string {
    return `expected ${JSON.stringify(this.expected)}, but it is ${JSON.stringify(this.actual)}`
  }
}

/** One thing that a store must do. It fails, or dies, where the store does not. */
export interface StoreCase<Store> {
  readonly name: string
  readonly run: Effect.Effect<void, unknown, Store>
}

export const is = (actual: unknown, expected: unknown): Effect.Effect<void, CaseFailed> =>
  Equal.equals(actual, expected) ? Effect.void : Effect.fail(new CaseFailed({ actual, expected }))

/** An app of a case's own, so that cases can share a database. */
export const ownApp: Effect.Effect<string> = Effect.map(Random.nextInt, (number) => `app ${number}`)

/** Names that a store may take for each other, or cut short. */
export const hardNames = [
  "\u0000",
  "\u0000a",
  "\ud800",
  "\ud801",
  "\ufffd",
  "\udc00\ud800",
  "\ud83d\ude00",
  "\\ud800",
  "\\\\",
  "\\",
  "%",
  "_",
  "'\"",
  "é",
  "e\u0301",
  "a".repeat(1_000)
]
