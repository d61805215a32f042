/**
 * Ids of the calls of one answer. Providers leave them out and give one to two calls; a result finds its call by the id,
 * so such a call gets one of ours. An id that only an earlier answer had stays as it is: the provider knows it.
 * Layer 6, edge `ai-sdk`.
 */
import { Effect } from "effect"
import type { IdGenerator } from "effect/ai"

export class Ids {
  private readonly generator: IdGenerator.Service
  private readonly used = new Set<string>()
  /** The id of a call that is still being written, by the provider's. */
  private readonly begun = new Map<string, string>()

  constructor(generator: IdGenerator.Service) {
    this.generator = generator
  }

  /** An id of ours. */
  get fresh(): Effect.Effect<string> {
    return this.generator.generateId()
  }

  private take(id: string): Effect.Effect<string> {
    return Effect.map(id === "" || this.used.has(id) ? this.fresh : Effect.succeed(id), (taken) => {
      this.used.add(taken)
      return taken
    })
  }

  /** A call begins to be written. */
  begin(id: string): Effect.Effect<string> {
    return Effect.tap(this.take(id), (taken) => Effect.sync(() => this.begun.set(id, taken)))
  }

  /** A call that is being written. */
  writing(id: string): string {
    return this.begun.get(id) ?? id
  }

  /** A call is complete. */
  complete(id: string): Effect.Effect<string> {
    const begun = this.begun.get(id)
    if (begun === undefined) return this.take(id)
    this.begun.delete(id)
    return Effect.succeed(begun)
  }
}
