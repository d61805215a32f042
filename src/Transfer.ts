/**
 * Another agent that goes on with a conversation: the same session, messages, state and context, and its own
 * instructions, tools and middleware. (A sub-agent, in contrast, works in a conversation of its own.)
 *
 * An agent that lists others under `transfers` has a tool `transfer_to_agent` for its model. Whoever got the conversation
 * may hand it back, or over to the others of the same list. What a target requires, the agent that lists it requires.
 *
 * Layer 3, compose.
 *
 * @since 0.1.0
 */
import type * as Agent from "./Agent.ts"
import { type Target, targetOf } from "./internal/call.ts"
import type { Complain, Fits, Named, OneName } from "./internal/types.ts"

export {
  /**
   * An agent that the conversation may be transferred to, as a service that its loop provides.
   *
   * @category models
   * @since 0.1.0
   */
  type Target,
  /**
   * The right to transfer the conversation to an agent of this name.
   *
   * @category models
   * @since 0.1.0
   */
  type To
} from "./internal/call.ts"

/** Any right to transfer, for constraints. @since 0.1.0 */
export type AnyTo = Agent.AnyTo

/**
 * An agent that another one may hand the conversation over to.
 *
 * @category models
 * @since 0.1.0
 */
export interface Transfer<out Name extends string, out Needs, out Tools extends Named, out Output>
  extends Agent.AnyTransfer
{
  readonly name: Name
  readonly "~needs": Needs
  readonly "~tools": Tools
  readonly "~output": Output
}

/** Any transfer, for constraints. @since 0.1.0 */
export type Any = Transfer<string, any, Named, unknown>

/**
 * The name of an agent, for a tool that transfers the conversation to it. The tool lists it under `dependencies`; an
 * agent with the tool compiles to a run only where it can reach an agent of that name: in its own list, or, as long as
 * there is a way back, above it and in the lists there. To hand over to itself is to go on.
 *
 * **Example** (A tool that gives up)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Agent, AgentRunner, SessionStore, Tool, ToolCall, Toolkit, Transfer } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const ToPerson = Transfer.to("person")
 * const Refund = Tool.make("refund", { success: Schema.String, dependencies: [ToPerson] })
 * const RefundLive = Toolkit.layer(Toolkit.make(Refund), {
 *   refund: Effect.fnUntraced(function*() {
 *     const { actions } = yield* ToolCall.ToolCall
 *     yield* actions.transfer(ToPerson)
 *     return "too much for me"
 *   })
 * })
 *
 * const Person = Agent.make("person", { instructions: "Take over." })
 * const Clerk = Agent.make("clerk", {
 *   instructions: "Refund.",
 *   toolkit: Toolkit.make(Refund),
 *   transfers: [Transfer.make(Person)]
 * })
 * const model = ScriptedModel.layer([ScriptedModel.call("refund", {}), ScriptedModel.text("I am here.")])
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Clerk, { session: "s-1", input: "My money!" }).pipe(
 *     Effect.provide([RefundLive, model, SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && [result.agent, result.text] // => ["person", "I am here."]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const to = <const Name extends string>(name: OneName<Name>): Target<Name> => targetOf(name as Name)

type StuckTo<N> = Extract<N, AnyTo>["name"]

/**
 * Lets an agent get the conversation of the one that lists it.
 *
 * **Details**
 *
 * The next message goes to whoever has the conversation. With `back: false` the target answers one message, can hand the
 * conversation neither back nor to a sibling, and the next message goes to the agent above.
 *
 * **Example** (A front desk)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore, Transfer } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Billing = Agent.make("billing", { description: "Bills and refunds", instructions: "Help with bills." })
 * const Desk = Agent.make("desk", { instructions: "Find out who can help.", transfers: [Transfer.make(Billing)] })
 *
 * const model = ScriptedModel.layer([
 *   ScriptedModel.call("transfer_to_agent", { agent_name: "billing" }),
 *   ScriptedModel.text("Your bill is paid.")
 * ])
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Desk, { session: "s-1", input: "My bill?" }).pipe(
 *     Effect.provide([model, SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && [result.agent, result.text] // => ["billing", "Your bill is paid."]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <A extends Agent.Any, const B extends boolean = true>(
  agent: A,
  options?: {
    /** What the model is told of the target; the agent's own description otherwise. */
    readonly description?: string
    /** May the target hand the conversation back, and to the others of its list? */
    readonly back?: Fits<
      B,
      B extends true ? never
        : Complain<"leave out these transfers, there is no way back", StuckTo<A["~needs"]>>
    >
  }
): Transfer<A["name"], A["~needs"], A["~tools"] | Agent.Delegate<`transfer_to_agent/${A["name"]}`>, A["~output"]> => ({
  name: agent.name,
  "~needs": undefined,
  "~tools": undefined as never,
  "~output": undefined,
  agent,
  description: options?.description ?? agent.definition.description,
  back: (options?.back as boolean | undefined) ?? true
})
