/**
 * What becomes of a call that may have taken effect before its process ended.
 *
 * After a crash, a call without a result may have run. A tool that is marked `Readonly` or `Idempotent` runs again; any
 * other ends with an error result, `OutcomeUnknown`, unless its handler came with a reconciliation: an Effect that finds
 * out, by the call's id, what happened.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import type { Effect } from "effect"
import { reconciling } from "./internal/handlers.ts"
import type { Complain } from "./internal/types.ts"
import type * as Interrupt from "./Interrupt.ts"

// ===== models ================================================================

/**
 * What happened to a call: it took effect, with a result or with an error; it did not; or nobody knows.
 *
 * @category models
 * @since 0.1.0
 */
export type Finding<Success, Failure = never> =
  | { readonly _tag: "Succeeded"; readonly value: Success }
  | { readonly _tag: "Failed"; readonly error: Failure }
  | { readonly _tag: "NotRun" }
  | { readonly _tag: "Unknown" }

/** It took effect, with this result. @category constructors @since 0.1.0 */
export const succeeded = <Success>(value: Success): Finding<Success> => ({ _tag: "Succeeded", value })

/** It ended with this error of the tool's own. @category constructors @since 0.1.0 */
export const failed = <Failure>(error: Failure): Finding<never, Failure> => ({ _tag: "Failed", error })

/** It took no effect: the handler runs again. @category constructors @since 0.1.0 */
export const notRun: Finding<never> = { _tag: "NotRun" }

/** Nobody can say: the call ends as it would without a reconciliation. @category constructors @since 0.1.0 */
export const unknown: Finding<never> = { _tag: "Unknown" }

// ===== handlers ==============================================================

/** Refuses a question: the person's answer would be taken for one to the handler. */
type Silent<R> = [Extract<R, Interrupt.AnyAsks>] extends [never] ? unknown
  : Complain<"a reconciliation cannot ask, its handler can", Extract<R, Interrupt.AnyAsks>["name"]>

/**
 * Gives a handler its reconciliation: an Effect that finds out what became of a call, by its arguments and its id. The
 * tool's parameters, result and error are its own too, and it may touch what the tool declares; it cannot ask.
 *
 * **Details**
 *
 * It is asked before the handler would run a second time: after a crash, and after an answer to a question that the call
 * asked once it ran. What it writes is committed with a result that it gives, so it should write what the handler would
 * have written. Hooks after the call see that result; the others do not run. Where it finds that the call did not run,
 * the call begins anew, with its hooks and its approval. One that fails, or takes longer than the tool may, knows nothing.
 *
 * A tool that is marked `Readonly` or `Idempotent` runs again without being asked.
 *
 * **Gotchas**
 *
 * The call's id is what the world outside must know the call by: hand it on as the idempotency key.
 *
 * **Example** (A payment)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Reconcile, Tool, ToolCall, Toolkit } from "tenon"
 *
 * const Pay = Tool.make("pay", { parameters: Schema.Struct({ amount: Schema.Int }), success: Schema.String })
 *
 * const PayLive = Effect.sync(() => {
 *   const paid = new Map<string, number>()
 *   return Toolkit.layer(Toolkit.make(Pay), {
 *     pay: Reconcile.on(
 *       Effect.fnUntraced(function*({ amount }) {
 *         const { id } = yield* ToolCall.ToolCall
 *         paid.set(id, amount)
 *         return "paid"
 *       }),
 *       (_, callId) => Effect.succeed(paid.has(callId) ? Reconcile.succeeded("paid") : Reconcile.notRun)
 *     )
 *   })
 * })
 *
 * Reconcile.succeeded("paid") // => { _tag: "Succeeded", value: "paid" }
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const on = <Parameters, Call, Success, Failure, R, R2>(
  handler: (parameters: Parameters, call: Call) => Effect.Effect<Success, Failure, R>,
  reconcile: (
    parameters: Parameters,
    callId: string
  ) => Effect.Effect<Finding<Success, Failure>, unknown, R2> & Silent<R2>
): (parameters: Parameters, call: Call) => Effect.Effect<Success, Failure, R | R2> =>
  reconciling(handler, reconcile) as never
