/**
 * A prompt that is made when it is read. Layer 5.
 */
import { Prompt } from "effect/ai"

/** The messages that a model is asked with: what it is told, and the first of those that were said. */
export interface Asked {
  readonly told: ReadonlyArray<Prompt.Message>
  /** Grows at its end alone. */
  readonly said: ReadonlyArray<Prompt.Message>
  readonly length: number
}

export const messagesOf = ({ length, said, told }: Asked): ReadonlyArray<Prompt.Message> =>
  told.concat(said.slice(0, length))

const source = Symbol("tenon/Asked")
const prototype = Object.getPrototypeOf(Prompt.empty) as object

// one for all: a getter of its own would give each prompt a hidden class, which holds it until a full collection
const content: PropertyDescriptor & ThisType<{ readonly [source]: Asked }> = {
  enumerable: true,
  get() {
    return messagesOf(this[source])
  }
}

/** The prompt of a call that is over: it is as it was, and holds no copy of the history. */
export const latePrompt = (asked: Asked): Prompt.Prompt =>
  Object.defineProperties(Object.create(prototype), { [source]: { value: asked }, content }) as Prompt.Prompt
