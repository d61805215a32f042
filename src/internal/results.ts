/**
 * The results of calls that went wrong, and what a cause comes to, in words that may leave the process. Layer 5.
 */
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { AiError } from "effect/ai"
import { StateConflict } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import { ContractViolation, StateWriteError } from "./fork.ts"
import { deepFreeze } from "./freeze.ts"
import * as Place from "./place.ts"
import type { PlannedTool } from "./plan.ts"

/** An error result, as the model reads it. */
export const failure = (tag: string, message: string): Event.CallResult =>
  deepFreeze({ isFailure: true, value: { _tag: tag, message } })

/** The result of a tool that took too long. */
export const timedOut = (tool: string): Event.CallResult =>
  failure("TimedOut", `the tool '${tool}' took longer than it may`)

/** What somebody's function gives, of which types alone say that it is an Effect: the runtime would end the fiber. */
export const effectOf = <A, E, R>(run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const effect: unknown = run()
    return Effect.isEffect(effect)
      ? effect as Effect.Effect<A, E, R>
      : Effect.die(
        new ContractViolation("it gave no Effect: put a Promise into Effect.promise, a value into Effect.succeed")
      )
  })

/** Where a defect comes from; one of ours says itself what is wrong. */
export const placeOf = (defect: unknown): string =>
  defect instanceof ContractViolation ? defect.message : Place.placeOf(defect)

export const ofDefect = (tool: string, defect: unknown): Effect.Effect<Event.CallResult> =>
  defect instanceof StateWriteError
    ? Effect.succeed(failure("InvalidStateWrite", defect.message))
    : Effect.as(
      Effect.logError(`the tool '${tool}' died: ${placeOf(defect)}`),
      failure("ToolDied", `the tool '${tool}' failed unexpectedly`)
    )

/** A commit that was refused is a result of its call. A reducer of one's own may throw on the value that it meets. */
export const orRefused =
  (tool: string) =>
  <A, E>(effect: Effect.Effect<A, E | StateConflict>): Effect.Effect<A | Event.CallResult, Exclude<E, StateConflict>> =>
    Effect.catchCause(
      effect,
      (cause): Effect.Effect<Event.CallResult, Exclude<E, StateConflict>> => {
        const defect = cause.reasons.find(Cause.isDieReason)
        if (defect !== undefined) return ofDefect(tool, defect.defect)
        const error = Option.getOrUndefined(Cause.findErrorOption(cause))
        return error instanceof StateConflict
          ? Effect.succeed(failure("StateConflict", error.message))
          : Effect.failCause(cause as Cause.Cause<Exclude<E, StateConflict>>)
      }
    )

/** What a tool's own error, or effect/ai's, is as a result. */
export const ofFailure = (planned: PlannedTool, error: unknown): Effect.Effect<Event.CallResult, never, any> => {
  const { name } = planned.tool
  if (Schema.isSchemaError(error)) {
    return Effect.succeed(failure("InvalidResult", `the tool '${name}' gave an invalid result`))
  }
  if (AiError.isAiError(error) || AiError.isAiErrorReason(error)) {
    const reason = AiError.isAiError(error) ? error.reason : error
    return Effect.succeed(failure(reason._tag, reason.message))
  }
  return Effect.matchEffect(planned.encodeFailure(error), {
    onSuccess: (value) => Effect.succeed(deepFreeze({ isFailure: true, value: value ?? null })),
    onFailure: () => Effect.succeed(failure("ToolFailed", `the tool '${name}' failed`))
  })
}

/** The result of a handler that did not succeed; a fiber that is cancelled stays so. */
export const ofCause = (
  planned: PlannedTool,
  cause: Cause.Cause<unknown>
): Effect.Effect<Event.CallResult, never, any> => {
  const failed = Cause.findErrorOption(cause)
  const defect = cause.reasons.find(Cause.isDieReason)
  if (defect !== undefined) return ofDefect(planned.tool.name as string, defect.defect)
  if (Option.isSome(failed)) return ofFailure(planned, failed.value)
  return Effect.succeed(failure("Cancelled", `the tool '${planned.tool.name}' was cancelled`))
}

/** What a cause comes to. Code that interrupts itself failed; a fiber that is cancelled from outside goes on ending. */
export const unlessCancelled = <A, E, R>(
  cause: Cause.Cause<unknown>,
  result: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.flatMap(Effect.exit(Effect.yieldNow), (exit) => Exit.isSuccess(exit) ? result : Effect.interrupt)
    : result

/** What went wrong, by name and without what it held. */
export const causeOf = (cause: Cause.Cause<unknown>): string => {
  if (Cause.hasInterruptsOnly(cause)) return "it cancelled itself"
  const error = Cause.squash(cause)
  if (error instanceof StateWriteError) return error.message
  return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : placeOf(error)
}
