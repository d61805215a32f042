/**
 * A time for tools, whose authors gave them none.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { type Duration, Effect, Option } from "effect"
import { timedOut } from "../internal/results.ts"
import * as Middleware from "../Middleware.ts"

/**
 * Ends a tool that takes longer than it may: its handler is cancelled and cleans up, commits nothing, and the call gets
 * the error result that a tool's own `timeout` gives.
 *
 * **Details**
 *
 * The time is one for all tools, or chosen by the call; a tool without one takes as long as it takes. It counts from the
 * handler's start. A tool's own `timeout` holds beside it.
 *
 * **Gotchas**
 *
 * It says nothing to a sub-agent: that has `limits`. After a `ToolRetry` in the list each try has the time, before it all
 * tries share it.
 *
 * **Example** (A tool that hangs)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore, Tool, Toolkit } from "tenon"
 * import { ToolTimeout } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Hang = Tool.make("hang", {})
 * const Assistant = Agent.make("assistant", {
 *   instructions: "Help.",
 *   toolkit: Toolkit.make(Hang),
 *   middleware: [ToolTimeout.make({ timeout: ({ tool }) => tool === "hang" ? "10 millis" : "1 minute" })]
 * })
 *
 * const { session } = await Effect.runPromise(
 *   AgentRunner.run(Assistant, { session: "s-1", input: "Hang." }).pipe(
 *     Effect.provide([
 *       Toolkit.layer(Toolkit.make(Hang), { hang: () => Effect.never }),
 *       ScriptedModel.layer([ScriptedModel.call("hang", {}), ScriptedModel.text("It hangs.")]),
 *       SessionStore.layerMemory
 *     ])
 *   )
 * )
 * const results = session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
 * results // => [{ _tag: "TimedOut", message: "the tool 'hang' took longer than it may" }]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: {
  /** For all tools, or chosen by the call. */
  readonly timeout: Duration.Input | ((request: Middleware.ToolTry) => Duration.Input | undefined)
}): Middleware.Middleware<"tool_timeout", never, never, never> =>
  Middleware.make("tool_timeout", {
    hooks: [
      Middleware.aroundTool({}, (request, next) => {
        const timeout = typeof options.timeout === "function" ? options.timeout(request) : options.timeout
        return timeout === undefined ? next : Effect.map(
          Effect.timeoutOption(next, timeout),
          Option.getOrElse((): Middleware.Result => ({ _tag: "Result", result: timedOut(request.tool) }))
        )
      })
    ]
  })
