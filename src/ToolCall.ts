/**
 * The one call that a handler runs in: its id, the agent around it, and what it may ask of the loop.
 *
 * Every tool of Tenon may read it. (Google's ADK calls this ToolContext.) It is closed when the call ends.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { Effect, Layer } from "effect"
import { type Shape, ToolCall } from "./internal/call.ts"

export {
  /**
   * What a call may ask of the loop besides its result.
   *
   * @category models
   * @since 0.1.0
   */
  type ActionRequests,
  /**
   * What a handler sees of its call.
   *
   * @category models
   * @since 0.1.0
   */
  type Shape,
  /**
   * The call that the handler runs in.
   *
   * @category services
   * @since 0.1.0
   */
  ToolCall
} from "./internal/call.ts"

/**
 * A call for tests: every property but `user` has a value, `id` is `"call-1"`.
 *
 * **Example** (A handler reads its call's id)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { ToolCall } from "tenon"
 *
 * const handler = Effect.map(ToolCall.ToolCall, (call) => call.id)
 * const result = await Effect.runPromise(Effect.provide(handler, ToolCall.layer({ id: "call-7" })))
 * result // => "call-7"
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (values: Partial<Shape> = {}): Layer.Layer<ToolCall> =>
  Layer.succeed(ToolCall, {
    id: "call-1",
    providerId: "",
    tool: "tool",
    agent: "agent",
    agentPath: ["agent"],
    app: "app",
    user: undefined,
    session: "session",
    invocation: "invocation",
    step: 1,
    userInput: "",
    history: [],
    actions: {
      skipSummarization: Effect.void,
      end: Effect.void,
      escalate: Effect.void,
      transfer: (target) => Effect.asVoid(target)
    },
    ...values
  })
