/**
 * Failed tools, tried again by a schedule.
 *
 * Only a tool that says that it may run twice is tried again, unless somebody who knows it says so in its place. A failed
 * try leaves nothing in State.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, type Schedule } from "effect"
import type * as Event from "../Event.ts"
import * as Middleware from "../Middleware.ts"

/**
 * What is tried again, and when.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** When, and how often: a schedule of effect, which is given the failed results. */
  readonly schedule: Schedule.Schedule<unknown, Event.CallResult>
  /** Of which tools: those marked `Readonly` or `Idempotent`, unless said otherwise. */
  readonly tools?: (request: Middleware.ToolTry) => boolean
  /** After which failures: all, unless said otherwise. */
  readonly while?: (failure: Event.CallResult, request: Middleware.ToolTry) => boolean
}

const isRepeatable = ({ repeatable }: Middleware.ToolTry): boolean => repeatable
const always = (): boolean => true

/**
 * Runs a tool again whose result is a failure, as a schedule says. The last result is the call's.
 *
 * **Details**
 *
 * A try is a handler's whole run, with what hooks further in do around it: with `ToolTimeout` after it in the list each
 * try has its own time, with it before they share one. A tool's own `timeout` holds for each try. A question is asked
 * once, whatever the try.
 *
 * **Gotchas**
 *
 * The other calls of the step go on meanwhile, but the model waits. A schedule without an end keeps it waiting.
 *
 * **Example** (Down for a moment)
 *
 * ```ts
 * import { Effect, Schedule, Schema } from "effect"
 * import { Tool as AiTool } from "effect/ai"
 * import { Agent, AgentRunner, SessionStore, Tool, Toolkit } from "tenon"
 * import { ToolRetry } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Find = Tool.make("find", { success: Schema.String, failure: Schema.String }).annotate(AiTool.Readonly, true)
 * const Assistant = Agent.make("assistant", {
 *   instructions: "Help.",
 *   toolkit: Toolkit.make(Find),
 *   middleware: [ToolRetry.make({ schedule: Schedule.recurs(2) })]
 * })
 *
 * let tries = 0
 * const FindLive = Toolkit.layer(Toolkit.make(Find), {
 *   find: () => Effect.suspend(() => ++tries < 3 ? Effect.fail("down") : Effect.succeed("found"))
 * })
 *
 * const { session } = await Effect.runPromise(
 *   AgentRunner.run(Assistant, { session: "s-1", input: "Find it." }).pipe(
 *     Effect.provide([
 *       FindLive,
 *       ScriptedModel.layer([ScriptedModel.call("find", {}), ScriptedModel.text("There it is.")]),
 *       SessionStore.layerMemory
 *     ])
 *   )
 * )
 * session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : []) // => ["found"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Options): Middleware.Middleware<"tool_retry", never, never, never> => {
  const { schedule, tools = isRepeatable, while: retries = always } = options
  return Middleware.make("tool_retry", {
    hooks: [
      Middleware.aroundTool({}, (request, next) => {
        if (!tools(request)) return next
        const isFinal = ({ result }: Middleware.Result) => !result.isFailure || !retries(result, request)
        return next.pipe(
          Effect.filterOrFail(isFinal, ({ result }) => result),
          Effect.tapError(() => Effect.logDebug(`the tool '${request.tool}' failed, and may be tried again`)),
          Effect.retry(schedule),
          Effect.catch((result) => Effect.succeed<Middleware.Result>({ _tag: "Result", result }))
        )
      })
    ]
  })
}
