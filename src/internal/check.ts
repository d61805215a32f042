/**
 * What is checked of all calls of a step before any handler runs: names, arguments, approvals. Layer 5.
 */
import { Cause, Effect, Exit, Result, Schema } from "effect"
import type * as Event from "../Event.ts"
import * as Interrupt from "../Interrupt.ts"
import { runIn } from "./context.ts"
import { readOnly } from "./contract.ts"
import { Fork } from "./fork.ts"
import type { Failure, Frame } from "./frame.ts"
import { deepFreeze } from "./freeze.ts"
import type { Step } from "./history.ts"
import { digest } from "./json.ts"
import type { PlannedTool } from "./plan.ts"
import type { Questions } from "./questions.ts"
import { effectOf, failure, placeOf, unlessCancelled } from "./results.ts"
import { askFor, type Batch, type Ready } from "./step.ts"

const unknownTool = (name: string, known: ReadonlyArray<string>) =>
  failure("ToolNotFound", `there is no tool '${name}'; there are: ${known.join(", ")}`)

const unfinished = new Set(["length", "content-filter", "error"])

/** Decodes a call's arguments; gives a result instead where the call cannot run. */
export const check = (
  frame: Frame,
  step: Step,
  call: Event.Call,
  index: number
): Effect.Effect<Ready | Event.CallResult> => {
  const { hooks, refused, tools, toolNames } = frame.plan
  // hooks after a call see also one that cannot run
  const instead = (result: Event.CallResult): Ready | Event.CallResult =>
    hooks.afterTool.length === 0
      ? result
      : { index, call, planned: refused(call.tool, result), parameters: call.parameters }
  const known = step.shown ?? toolNames
  const planned = step.shown?.includes(call.tool) === false ? undefined : tools.get(call.tool)
  if (planned === undefined) return Effect.succeed(instead(unknownTool(call.tool, known)))
  if (unfinished.has(step.finish)) {
    const result = failure("NotRun", `the model's answer ended early (${step.finish}): the call was not run`)
    return Effect.succeed(instead(result))
  }
  return Effect.match(decodeArguments(planned, call.parameters), {
    onSuccess: (parameters): Ready | Event.CallResult => ({ index, call, planned, parameters }),
    onFailure: ({ message }) =>
      instead(failure("InvalidArguments", `the arguments of '${call.tool}' do not fit: ${message}`))
  })
}

const decodeArguments = (planned: PlannedTool, parameters: unknown): Effect.Effect<unknown, Schema.SchemaError> => {
  const decoded = planned.decode(parameters)
  // nearly always at once
  return Exit.isExit(decoded) ? decoded as Exit.Exit<unknown, Schema.SchemaError> : runIn(decoded, planned.context)
}

// ----- approval -------------------------------------------------------------------

const hashOf = (call: Event.Call): string => digest(JSON.stringify([call.tool, call.parameters]))

const decodeDecision = Schema.decodeUnknownResult(Interrupt.Decision)

/**
 * What a person decided about a call, or a question to one: a call to run, a result instead, or nothing yet. The
 * decision is bound to the arguments that the person saw.
 */
export const approve = (
  batch: Batch,
  ready: Ready,
  questions: Questions
): Effect.Effect<Ready | Event.CallResult | undefined, Failure> => {
  const { planned, call, parameters } = ready
  const { approval } = planned
  if (approval === false) return Effect.succeed(ready)
  const recorded = questions.answers.get(0)
  const hash = hashOf(call)
  if (recorded !== undefined && (recorded.question as { readonly hash?: string }).hash === hash) {
    const decision = decodeDecision(recorded.answer)
    if (Result.isSuccess(decision)) return decided(ready, decision.success)
  }
  const needed = approval === true
    ? Effect.succeed(true)
    : wantsApproval(
      batch.frame,
      ready,
      effectOf(() => approval(parameters, { toolCallId: call.id, messages: batch.frame.messages }))
    )
  return Effect.flatMap(needed, (needs): Effect.Effect<Ready | undefined, Failure> => {
    if (needs === false) return Effect.succeed(ready)
    const reason = typeof needs === "string" ? { reason: needs } : {}
    const question = { tool: call.tool, arguments: call.parameters as Schema.Json, hash, ...reason }
    return Effect.as(askFor(batch, call, { number: 0, name: "approval", question, lifetime: undefined }), undefined)
  })
}

const decided = (ready: Ready, decision: Interrupt.Decision): Effect.Effect<Ready | Event.CallResult> => {
  switch (decision.decision) {
    case "approve":
      return Effect.succeed(ready)
    case "reject":
      return Effect.succeed(failure("Rejected", decision.reason ?? "a person rejected this call"))
    case "edit":
      return Effect.match(decodeArguments(ready.planned, deepFreeze(decision.arguments)), {
        onSuccess: (parameters): Ready | Event.CallResult => ({ ...ready, parameters }),
        onFailure: ({ message }) =>
          failure("InvalidArguments", `the edited arguments of '${ready.call.tool}' do not fit: ${message}`)
      })
  }
}

/** Runs an approval's Effect as the handler would run, but lets it only read. One that fails asks a person. */
const wantsApproval = Effect.fnUntraced(
  function*(frame: Frame, ready: Ready, effect: Effect.Effect<boolean | string, never, any>) {
    const { planned, parameters } = ready
    const rows = yield* frame.run.rowsOf(planned.shared)
    const fork = new Fork(
      `the approval of '${planned.tool.name}'`,
      readOnly(planned.access(parameters)),
      frame.base(rows)
    )
    const asks = (cause: Cause.Cause<never>) =>
      Effect.as(Effect.logError(`${fork.owner} failed: ${placeOf(Cause.squash(cause))}`), true)
    return yield* frame.inCall(planned, ready.call, fork, effect).pipe(
      Effect.catchCause((cause) => unlessCancelled(cause, asks(cause))),
      Effect.ensuring(Effect.sync(() => fork.close()))
    )
  }
)
