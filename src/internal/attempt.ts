/**
 * One attempt at a tool call: before-hooks, handler and after-hooks on one fork. Layer 5.
 *
 * What goes wrong in the handler is an error result of the call. A question ends the attempt. A hook that fails, fails
 * the run.
 */
import { type Cause, Context, Effect, Result, type Schema, Tracer } from "effect"
import * as Actions from "../Actions.ts"
import { HookFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import { around, type RunHook } from "./around.ts"
import { forever, type Left, type Raised, type Recorded, stoppable, type Suspended } from "./asking.ts"
import { ToolCall } from "./call.ts"
import { runIn } from "./context.ts"
import { CurrentFork, type Fork } from "./fork.ts"
import { deepFreeze } from "./freeze.ts"
import { isKept } from "./json.ts"
import type { Plan, PlannedHook, PlannedTool } from "./plan.ts"
import type { CallInProgress } from "./progress.ts"
import { causeOf, effectOf, failure, unlessCancelled } from "./results.ts"
import { toolSpan } from "./telemetry.ts"

export interface Ended {
  readonly _tag: "Ended"
  readonly result: Event.CallResult
  readonly actions: Actions.Actions
  /** What stays open although the call has ended. */
  readonly pending: Left | undefined
}

export type Outcome<A> = Ended | Raised | Suspended<A>

/** What runs between the hooks of a call. */
export type Handling<A, E> = (
  parameters: unknown,
  stop: (end: Effect.Effect<A, E>) => Effect.Effect<never>
) => Effect.Effect<Event.CallResult, never, any>

// ----- hooks ----------------------------------------------------------------------

/** A hook's own failure, by name and without what it held. */
export const hookFailed = (hook: PlannedHook, cause: Cause.Cause<unknown>): HookFailed =>
  hookProblem(hook, causeOf(cause))

/** What a hook did wrong, in a sentence. */
export const hookProblem = ({ kind, middleware }: PlannedHook, problem: string): HookFailed =>
  new HookFailed({ middleware, hook: kind, problem })

/** A hook's own run; what goes wrong in it fails the run. */
export const runHook = <A>(hook: PlannedHook, input: unknown): Effect.Effect<A, HookFailed, any> =>
  Effect.catchCause(
    effectOf(() => hook.run(input)) as Effect.Effect<A, unknown, any>,
    (cause) => unlessCancelled(cause, Effect.fail(hookFailed(hook, cause)))
  )

const misfit = (tool: string, { middleware }: PlannedHook, { message }: Schema.SchemaError): Event.CallResult =>
  failure("InvalidArguments", `the arguments of '${tool}' that '${middleware}' gave do not fit: ${message}`)

/** A handler between its hooks. */
const betweenHooks = Effect.fnUntraced(function*(
  { begun, call, fork, parameters: given, plan, planned }: Omit<Attempt<never, never>, "answers" | "handling">,
  handling: (parameters: unknown) => Effect.Effect<Event.CallResult, never, any>
) {
  const tool = planned.tool.name as string
  let parameters = given
  let decided = planned.refused
  for (const hook of decided === undefined && begun === undefined ? plan.hooks.beforeTool : []) {
    const verdict: Middleware.Verdict | undefined = yield* runHook<Middleware.Verdict | undefined>(hook, {
      tool,
      parameters
    })
    if (verdict?._tag === "Result") decided = yield* givenBy(hook, verdict)
    if (verdict?._tag === "Refuse") decided = failure("Refused", verdict.reason)
    if (verdict?._tag === "Edit") {
      const checked = yield* Effect.result(planned.check(verdict.parameters))
      if (Result.isFailure(checked)) decided = misfit(tool, hook, checked.failure)
      else if (namesAnother(planned, given, checked.success)) {
        return yield* hookProblem(hook, "its edit names another entry than the call was let in for")
      } else parameters = checked.success
    }
    if (decided !== undefined) break
  }
  let result: Event.CallResult
  if (decided !== undefined) result = decided
  else if (planned.around.length > 0) {
    result = yield* around(planned, parameters, call, handling(parameters), aroundHook)(fork, 1)
  } else {
    // a fork of its own: it ends with the handler, so that a leaked fiber cannot write while after-hooks run
    const own = fork.nested()
    const forget = call.mark()
    result = yield* Effect.provideService(handling(parameters), CurrentFork, own)
    own.close()
    // what a failed handler asked for goes with its delta
    if (result.isFailure) forget()
    else fork.adopt(own.pending)
  }
  for (const hook of plan.hooks.afterTool) {
    const other = yield* runHook<Middleware.Result | undefined>(hook, { tool, parameters, result })
    if (other !== undefined) result = yield* givenBy(hook, other)
  }
  return result
})

/** Do edited arguments name another entry than the one that the call waited for? */
const namesAnother = ({ contract }: PlannedTool, given: unknown, edited: unknown): boolean =>
  contract.touches.some(({ parameter }) =>
    parameter !== undefined &&
    (given as Record<string, unknown>)[parameter] !== (edited as Record<string, unknown>)[parameter]
  )

/** A result that a hook gives: a copy, since the hook may keep it, of what must be JSON. */
const givenBy = (
  hook: PlannedHook,
  { result }: Middleware.Result
): Effect.Effect<Event.CallResult, HookFailed> =>
  isKept(result.value)
    ? Effect.succeed(deepFreeze({ isFailure: result.isFailure, value: JSON.parse(JSON.stringify(result.value)) }))
    : Effect.fail(hookProblem(hook, "its result is not JSON"))

/** Runs a hook around a handler. What it was given last it gives on as it is. */
const aroundHook: RunHook = (hook, input, isLast) =>
  Effect.flatMap(
    runHook<Middleware.Result>(hook, input),
    (given) => isLast(given.result) ? Effect.succeed(given.result) : givenBy(hook, given)
  )

// ----- the attempt ----------------------------------------------------------------

/** What an attempt is made of. */
interface Attempt<A, E> {
  readonly plan: Plan
  readonly planned: PlannedTool
  readonly parameters: unknown
  readonly fork: Fork
  readonly call: CallInProgress
  readonly answers: ReadonlyMap<number, Recorded>
  readonly handling: Handling<A, E>
  /** Of a call that goes on after its before-hooks: how many questions those had asked. */
  readonly begun: number | undefined
}

/** Runs one attempt. The fork is closed when it is over, however it ends. */
export const attempt = <A, E>(options: Attempt<A, E>): Effect.Effect<Outcome<A>, HookFailed | E> => {
  const { answers, begun, call, fork, handling, parameters, plan, planned } = options
  const isPlain = plan.hooks.beforeTool.length + plan.hooks.afterTool.length + planned.around.length === 0
  return toolSpan(planned.tool.name as string, call.shape.id, (span) => {
    const inner = Context.add(
      Context.add(Context.add(planned.context, CurrentFork, fork), ToolCall, call.shape),
      Tracer.ParentSpan,
      span
    )
    const ended = (result: Event.CallResult): Outcome<A> => {
      if (result.isFailure && isPlain) {
        fork.discard()
        return { _tag: "Ended", result, actions: Actions.none, pending: undefined }
      }
      return { _tag: "Ended", result, actions: call.actions, pending: call.pending }
    }
    const body = (stop: (end: Effect.Effect<A, E>) => Effect.Effect<never>, context: Context.Context<never>) =>
      Effect.map(
        runIn<Event.CallResult, HookFailed>(
          isPlain
            ? handling(parameters, stop)
            : betweenHooks(options, (edited) => handling(edited, stop)),
          context
        ),
        ended
      )
    const { asks } = planned.contract
    if (begun !== undefined) call.asked = begun
    const attempted = planned.mayStop
      ? stoppable({ owner: fork.owner, asks, answers, counter: call }, body, inner)
      : body(never, inner)
    return Effect.onExit(attempted, () => {
      fork.close()
      return Effect.void
    })
  })
}

const never = () => forever
