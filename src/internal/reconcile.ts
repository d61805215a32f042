/**
 * What became of a call that may have taken effect before its process ended. Layer 5.
 */
import { Effect } from "effect"
import type * as Event from "../Event.ts"
import type * as Reconcile from "../Reconcile.ts"
import type { Fork } from "./fork.ts"
import type { Frame } from "./frame.ts"
import { succeeded } from "./handle.ts"
import type { PlannedTool } from "./plan.ts"
import { causeOf, effectOf, failure, ofFailure, unlessCancelled } from "./results.ts"
import type { Ready } from "./step.ts"

/** The result of a call that nobody knows about. */
export const outcomeUnknown = (tool: string): Event.CallResult =>
  failure("OutcomeUnknown", `the run ended while '${tool}' ran: whether it took effect is unknown`)

const resultOf = (
  planned: PlannedTool,
  finding: Reconcile.Finding<unknown, unknown>
): Effect.Effect<Event.CallResult | undefined, unknown, any> => {
  switch (finding._tag) {
    case "Succeeded":
      return succeeded(planned, finding.value)
    case "Failed":
      return ofFailure(planned, finding.error)
    case "NotRun":
      return Effect.undefined
    case "Unknown":
      return Effect.succeed(outcomeUnknown(planned.tool.name as string))
  }
}

/** Finds out what became of a call: its result, with what goes with it in State, or nothing where it did not run. */
export const reconcile = (
  frame: Frame,
  { call, parameters, planned }: Ready,
  fork: Fork
): Effect.Effect<Event.CallResult | undefined> => {
  const own = fork.nested()
  const asked = effectOf(() => planned.reconcile?.(parameters, call.id) ?? Effect.succeed({ _tag: "Unknown" }))
  const found = (planned.timeout === undefined ? asked : Effect.timeout(asked, planned.timeout)).pipe(
    Effect.flatMap((finding) => resultOf(planned, finding)),
    Effect.catchCause((cause) =>
      unlessCancelled(
        cause,
        Effect.as(
          Effect.logError(`${fork.owner} could not be reconciled: ${causeOf(cause)}`),
          outcomeUnknown(call.tool)
        )
      )
    )
  )
  const closed = Effect.ensuring(frame.inCall(planned, call, own, found), Effect.sync(() => own.close()))
  return Effect.map(closed, (result) => {
    if (result?.isFailure === false) fork.adopt(own.pending)
    return result
  })
}
