/**
 * Records in a store that has only get and set, of which several change at once or none does. Layer 4.
 *
 * What changes is written into a journal first, by one `set`. Once that stands, every change of it is made; when it is
 * not there whole, none was begun. So whoever comes after a crash makes the changes again, or drops a torn journal that
 * nobody was told of. A change may be made twice; a torn record of a change is written again.
 */
import { Effect, Option, Result, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { KeyValueStore } from "effect/persistence"
import { StoreFailed } from "../AgentError.ts"
import type { Held } from "./holder.ts"
import { deepestDocument, parseJson } from "./json.ts"
import { bytesOf } from "./text.ts"

/** One change of a commit: the value that a record has from now on, or none; or the end of all records of a prefix. */
export type Change =
  | { readonly key: string; readonly value: Schema.Json | undefined }
  | { readonly prefix: string }

export interface Records {
  /** A record's value, or none; or what is wrong with it, in words. */
  readonly read: (key: string) => Effect.Effect<Result.Result<Option.Option<Schema.Json>, string>, StoreFailed>
  readonly keys: Effect.Effect<ReadonlyArray<string>, StoreFailed>
  /** Makes all changes or none. Where it fails, `settle` finds out which. */
  readonly commit: (changes: ReadonlyArray<Change>) => Effect.Effect<void, StoreFailed>
  /** Ends what a commit left that did not come to its end, in this process or an earlier one. */
  readonly settle: Effect.Effect<void, StoreFailed>
}

export const orFailed = <A>(
  effect: Effect.Effect<A, KeyValueStore.KeyValueStoreError>
): Effect.Effect<A, StoreFailed> => Effect.mapError(effect, ({ message }) => new StoreFailed({ problem: message }))

/** A change as it is made: the text of a record, none, or the prefix whose records go. */
const Step = Schema.Union([
  Schema.Tuple([Schema.Literal("set"), Schema.String, Schema.String]),
  Schema.Tuple([Schema.Literal("remove"), Schema.String]),
  Schema.Tuple([Schema.Literal("clear"), Schema.String])
])
type Step = typeof Step.Type
const decodeSteps = Schema.decodeUnknownResult(Schema.Array(Step))

const journal = "journal"
/** Of a checksum in hex, and the space after it. */
const sumLength = 64

/** Nothing is changed once another process holds the store. */
export const make = (
  store: KeyValueStore.KeyValueStore,
  held: Held
): Effect.Effect<Records, never, Digest.Digest> =>
  Effect.map(Digest.Digest, ({ digestHex }): Records => {
    /** It holds the key too: a record that was moved is as damaged as one that was changed. */
    const checksumOf = (key: string, text: string) => digestHex(Digest.sha256, bytesOf(JSON.stringify([key, text])))

    const sealed = (key: string, value: Schema.Json) => {
      const text = JSON.stringify(value)
      return Effect.map(checksumOf(key, text), (sum) => `${sum} ${text}`)
    }

    const read = Effect.fnUntraced(function*(key: string) {
      const found = yield* orFailed(store.get(key))
      if (found === undefined) return Result.succeed(Option.none<Schema.Json>())
      const text = found.slice(sumLength + 1)
      if (found !== `${yield* checksumOf(key, text)} ${text}`) return Result.fail("its checksum does not fit")
      return Result.map(parseJson(text, deepestDocument), Option.some)
    })

    const stepOf = (change: Change): Effect.Effect<Step> =>
      "prefix" in change
        ? Effect.succeed(["clear", change.prefix])
        : change.value === undefined
        ? Effect.succeed(["remove", change.key])
        : Effect.map(sealed(change.key, change.value), (text) => ["set", change.key, text])

    const make = ([kind, key, text]: Step) =>
      Effect.andThen(
        held.lately,
        orFailed(
          kind === "set" ? store.set(key, text ?? "") : kind === "remove" ? store.remove(key) : store.clearPrefix(key)
        )
      )

    const finish = (steps: ReadonlyArray<Step>) =>
      Effect.andThen(
        Effect.forEach(steps, make, { discard: true }),
        Effect.andThen(make(["remove", journal]), Effect.sync(() => void (isSettled = true)))
      )

    let isSettled = false
    return {
      read,
      keys: orFailed(store.keys),
      commit: (changes) =>
        Effect.uninterruptible(Effect.gen(function*() {
          const steps = yield* Effect.forEach(changes, stepOf)
          const text = yield* sealed(journal, steps)
          yield* held.now
          isSettled = false
          yield* make(["set", journal, text])
          yield* finish(steps)
        })),
      settle: Effect.uninterruptible(Effect.gen(function*() {
        if (isSettled) return
        yield* held.now
        const found = yield* read(journal)
        // torn: no change of it was begun
        if (Result.isFailure(found)) return yield* finish([])
        if (Option.isNone(found.success)) return void (isSettled = true)
        const steps = decodeSteps(found.success.value)
        if (Result.isSuccess(steps)) return yield* finish(steps.success)
        return yield* new StoreFailed({ problem: "its journal is one of another program" })
      }))
    }
  })
