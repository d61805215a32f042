/**
 * A handler's own run: within its time, its preliminary results shown, and whatever comes of it a result. Layer 5.
 */
import { Context, Effect, Option, type Schema } from "effect"
import type * as Event from "../Event.ts"
import { runIn } from "./context.ts"
import { CurrentFork } from "./fork.ts"
import { deepFreeze } from "./freeze.ts"
import type { KitCall, PlannedTool } from "./plan.ts"
import { effectOf, failure, ofCause, ofFailure, timedOut, unlessCancelled } from "./results.ts"

const noPreliminary = () => Effect.void

/** What a handler gave, as a result. */
export const succeeded = (planned: PlannedTool, value: unknown): Effect.Effect<Event.CallResult, unknown, any> =>
  Effect.map(planned.encode(value), (encoded): Event.CallResult => {
    const modelOutput = planned.tool.toModelOutput?.(value)
    // the handler may keep what it returned, and a schema need not copy
    return Object.freeze({
      isFailure: false,
      value: deepFreeze(encoded ?? null) as Schema.Json,
      ...(modelOutput !== undefined && { modelOutput: deepFreeze(modelOutput) })
    })
  })

/** Shows an encoded preliminary result to who looks at the run. */
export type Show = (result: Schema.Json) => Effect.Effect<unknown>

/** Shows a handler's preliminary results, encoded as its result is; what comes after its end is dropped. */
const showing = (planned: PlannedTool, context: Context.Context<CurrentFork>, show: Show) =>
(
  result: unknown
): Effect.Effect<void> => {
  const unlessOver = (then: Effect.Effect<unknown>) =>
    Effect.suspend(() => Context.get(context, CurrentFork).isClosed ? Effect.void : Effect.asVoid(then))
  const shown = Effect.matchEffect(planned.encode(result), {
    onSuccess: (encoded) => unlessOver(show(deepFreeze((encoded ?? null) as Schema.Json))),
    onFailure: () => Effect.logWarning(`the tool '${planned.tool.name}' gave a preliminary result that does not fit`)
  })
  return unlessOver(runIn(shown, context))
}

/** A handler's own run; what goes wrong in it is an error result. */
export const handle = (
  planned: PlannedTool,
  parameters: unknown,
  id: string,
  show: Show | undefined
): Effect.Effect<Event.CallResult, never, any> =>
  show === undefined
    ? handled(planned, parameters, id, undefined)
    : Effect.withFiber(({ context }) =>
      handled(planned, parameters, id, showing(planned, context as Context.Context<CurrentFork>, show))
    )

const handled = (
  planned: PlannedTool,
  parameters: unknown,
  id: string,
  preliminary: ReturnType<typeof showing> | undefined
) => {
  const { handler, kitCall } = planned
  if (kitCall !== undefined) return handledByKit(planned, Effect.suspend(() => kitCall(parameters, id, preliminary)))
  const called = { toolCallId: id, preliminary: preliminary ?? noPreliminary }
  return inTime(planned, effectOf(() => handler(parameters, called)), (value) => succeeded(planned, value))
}

/** Runs what a call is handled by, within the tool's time; whatever goes wrong is an error result. */
const inTime = <A>(
  planned: PlannedTool,
  handled: Effect.Effect<A, unknown, any>,
  resultOf: (value: A) => Effect.Effect<Event.CallResult, unknown, any>
): Effect.Effect<Event.CallResult, never, any> => {
  const ended = planned.timeout === undefined
    ? Effect.flatMap(handled, resultOf)
    : Effect.flatMap(
      Effect.timeoutOption(handled, planned.timeout),
      Option.match({ onNone: () => Effect.succeed(timedOut(planned.tool.name as string)), onSome: resultOf })
    )
  return Effect.catchCause(ended, (cause) => unlessCancelled(cause, ofCause(planned, cause)))
}

const handledByKit = (
  planned: PlannedTool,
  called: ReturnType<KitCall>
): Effect.Effect<Event.CallResult, never, any> =>
  // encoded again from the value: effect/ai's own encoding need not be JSON
  inTime(planned, called, (last): Effect.Effect<Event.CallResult, unknown, any> => {
    if (Option.isNone(last)) {
      return Effect.succeed(failure("NoResult", `the tool '${planned.tool.name}' gave no result`))
    }
    const { isFailure, result } = last.value
    return isFailure ? ofFailure(planned, result) : succeeded(planned, result)
  })
