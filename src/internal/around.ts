/**
 * The hooks around a handler: each runs what stands further in as often as it likes, and what is left of it is what the
 * last try did. Layer 5.
 */
import { Effect } from "effect"
import type { HookFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import { ContractViolation, CurrentFork, type Fork, type Pending } from "./fork.ts"
import type { PlannedHook, PlannedTool } from "./plan.ts"
import type { CallInProgress } from "./progress.ts"

/** What a hook around a handler is given. */
interface Given {
  readonly request: Middleware.ToolTry
  readonly next: Effect.Effect<Middleware.Result, never, any>
}

/** Runs a hook, and checks the result that it gives, unless that is the last one that it was given. */
export type RunHook = (
  hook: PlannedHook,
  given: Given,
  isLast: (result: Event.CallResult) => boolean
) => Effect.Effect<Event.CallResult, HookFailed, any>

/** What stands within a hook: hooks further in, and the handler. It works on the fork of its try. */
type Within = (fork: Fork, nth: number) => Effect.Effect<Event.CallResult, HookFailed, any>

const nothing = () => {}

/** A handler with the hooks around it, the first one outermost. */
export const around = (
  planned: PlannedTool,
  parameters: unknown,
  call: CallInProgress,
  handling: Effect.Effect<Event.CallResult, never, any>,
  runHook: RunHook
): Within => {
  /** What the handler did last goes where the call comes to a failure, and what hooks did stays. */
  let takeBack: (from: Fork) => void = nothing
  let failed: HookFailed | undefined

  const handler: Within = (fork) =>
    Effect.suspend(() => {
      const forget = call.mark()
      takeBack = nothing
      return Effect.map(handling, (result) => {
        const done = fork.pending
        takeBack = (from) => {
          forget()
          from.retract(done)
        }
        if (result.isFailure) takeBack(fork)
        return result
      })
    })

  /** One run of what stands within a hook; `undo` makes it as if it had not been. */
  const tried = (fork: Fork, nth: number, inner: Within) => {
    const own = fork.nested()
    const forget = call.mark()
    const asked = { before: call.asked, after: call.asked }
    let done: ReadonlyArray<Pending> | undefined
    const run = Effect.provideService(inner(own, nth), CurrentFork, own).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          if (!own.isClosed) fork.adopt(done = own.pending)
        })
      ),
      // no hook further out can hold it up
      Effect.catch((error) => Effect.die(failed = error)),
      Effect.ensuring(Effect.sync(() => {
        own.close()
        asked.after = call.asked
        if (done === undefined) forget()
      }))
    )
    const undo = () => {
      forget()
      takeBack = nothing
      fork.retract(done ?? [])
      // who was asked in it has answered; what a hook asked since keeps its number
      if (call.asked === asked.after) call.asked = asked.before
    }
    return { run, undo, close: () => own.close() }
  }

  const within = (inner: Within, hook: PlannedHook): Within => (fork, nth) =>
    Effect.suspend(() => {
      let [tries, state]: [number, "idle" | "running" | "over"] = [0, "idle"]
      let current: ReturnType<typeof tried> | undefined
      let last: Event.CallResult | undefined
      const next = Effect.suspend(() => {
        if (failed !== undefined) return Effect.die(failed)
        if (state !== "idle") {
          const when = state === "over" ? "after its own end" : "while it ran"
          return Effect.die(new ContractViolation(`'${hook.middleware}' ran 'next' ${when}`))
        }
        state = "running"
        current?.undo()
        current = tried(fork, ++tries, inner)
        return current.run.pipe(
          Effect.map((result): Middleware.Result => ({ _tag: "Result", result: last = result })),
          Effect.ensuring(Effect.sync(() => {
            if (state === "running") state = "idle"
          }))
        )
      })
      const tool = planned.tool.name as string
      const request: Middleware.ToolTry = { tool, parameters, repeatable: planned.repeatable, try: nth }
      return runHook(hook, { request, next }, (result) => result === last).pipe(
        Effect.ensuring(Effect.sync(() => {
          state = "over"
          current?.close()
        })),
        Effect.mapError((error) => failed ?? error),
        Effect.filterOrFail(() => failed === undefined, () => failed as HookFailed),
        Effect.tap((result) =>
          Effect.sync(() => {
            if (result.isFailure) takeBack(fork)
          })
        )
      )
    })

  return planned.around.reduceRight(within, handler)
}
