/**
 * What a call asked of the loop besides its result and its delta, as its event records it.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

/**
 * The actions of one call.
 *
 * @category models
 * @since 0.1.0
 */
export const Actions = Schema.Struct({
  /** The call's result is the final answer. */
  skipSummarization: Schema.optionalKey(Schema.Boolean),
  /** The agent has answered with the step. */
  end: Schema.optionalKey(Schema.Boolean),
  /** The agents above it have answered too. */
  escalate: Schema.optionalKey(Schema.Boolean),
  /** The agent that goes on with the conversation, by its name. */
  transfer: Schema.optionalKey(Schema.String)
})

/** @since 0.1.0 */
export interface Actions extends Schema.Schema.Type<typeof Actions> {}

/**
 * No actions.
 *
 * @category constructors
 * @since 0.1.0
 */
export const none: Actions = Object.freeze({})

/**
 * Did a call ask for nothing?
 *
 * @category guards
 * @since 0.1.0
 */
export const isEmpty = (actions: Actions): boolean =>
  actions.skipSummarization !== true && actions.end !== true && actions.escalate !== true &&
  actions.transfer === undefined

/**
 * The actions of the calls of a step, together: what one of them asked for holds; of several transfers the last.
 *
 * **Example** (Two calls)
 *
 * ```ts
 * import { Actions } from "tenon"
 *
 * Actions.merge([{ end: true }, { skipSummarization: true }]) // => { end: true, skipSummarization: true }
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = (all: ReadonlyArray<Actions>): Actions => Object.assign({}, ...all) as Actions
