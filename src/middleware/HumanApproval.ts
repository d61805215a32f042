/**
 * A person's approval before calls of tools whose author did not ask for one.
 *
 * The question is `Interrupt.Approval`, as for a tool with an approval of its own, so one form serves both. A policy says
 * for which calls, and which decisions it takes; a decision can be remembered for later calls.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, Option, Result, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { canonical, digest, jsonCodec } from "../internal/json.ts"
import * as Interrupt from "../Interrupt.ts"
import * as Middleware from "../Middleware.ts"
import * as State from "../State.ts"

// ===== state =================================================================

const Remembered = Schema.Literals(["approve", "reject"])

/** The section that holds what a session remembers, by tool. @category state @since 0.1.0 */
export const Session = State.make("approvals", { always: State.record(Schema.String, Remembered) })

/** The section that holds what a user's sessions remember, by tool. @category state @since 0.1.0 */
export const User = State.make("user_approvals", {
  always: State.record(Schema.String, Remembered, { scope: "user" })
})

// ===== models ================================================================

/** What a person may decide. @category models @since 0.1.0 */
export type Decision = Interrupt.Decision["decision"]

/** Calls that wait for a person, and what that person may decide. @category models @since 0.1.0 */
export interface Policy {
  /**
   * Tools by declaration or by name, or a predicate of the call. A declaration's schema writes the arguments that the
   * person sees, and reads those that come back; without one they are taken for JSON.
   */
  readonly tools: ReadonlyArray<string | AiTool.Any> | ((request: Middleware.ToolRequest) => boolean)
  /** All, unless said otherwise. With none the call runs at once: so a policy can except calls from a later one. */
  readonly decisions?: ReadonlyArray<Decision>
  /** What the person is told. */
  readonly reason?: string
}

/** Who remembers a decision. @category models @since 0.1.0 */
export type Remember = "nobody" | "session" | "user"

/** What the middleware touches, by who remembers. @category models @since 0.1.0 */
export interface Needs {
  readonly nobody: (typeof Interrupt.Approval)["~asks"]
  readonly session: (typeof Interrupt.Approval)["~asks"] | (typeof Session.always)["~writes"]
  readonly user: (typeof Interrupt.Approval)["~asks"] | (typeof User.always)["~writes"]
}

// ===== policies ==============================================================

const nameOf = (tool: string | AiTool.Any): string => typeof tool === "string" ? tool : tool.name as string

const covers = ({ tools }: Policy, request: Middleware.ToolRequest): boolean =>
  typeof tools === "function" ? tools(request) : tools.some((tool) => nameOf(tool) === request.tool)

/** The schemas of the tools that stand in policies by their declarations. */
const schemasIn = (policies: ReadonlyArray<Policy>): ReadonlyMap<string, Schema.Constraint> =>
  new Map(
    policies.flatMap(({ tools }) => typeof tools === "function" ? [] : tools).flatMap((tool) =>
      typeof tool !== "string" && Schema.isSchema(tool.parametersSchema)
        ? [[tool.name as string, tool.parametersSchema as Schema.Constraint] as const]
        : []
    )
  )

const asJson = Schema.decodeUnknownEffect(Schema.Json)

const failed = (_tag: string, message: string): Middleware.Result =>
  Middleware.result({ _tag, message }, { isFailure: true })

const rejected = (reason: string | undefined): Middleware.Result =>
  failed("Rejected", reason ?? "a person rejected this call")

// ===== middleware ============================================================

/**
 * Asks a person before calls that a policy names; the first policy that covers a call holds.
 *
 * **Details**
 *
 * The run pauses as at any question, and other calls of the step go on. A decision that the policy does not take is
 * refused when it comes, and changes nothing. Edited arguments are checked by the tool's schema. Where `remember` says
 * who remembers, a decision with `always` holds for later calls of the tool: of the session, or of all the user's
 * sessions. What a sub-agent's session remembers comes back where `returns` names `HumanApproval.Session.always`.
 *
 * **Gotchas**
 *
 * Where decisions are remembered each call of the agent may read what an earlier one wrote: the calls of a step then run
 * one after the other, and wait for the person. Put it last in the list, so that the person sees the arguments as other
 * middleware left them. A tool with an approval of its own asks that too.
 *
 * **Example** (Mail waits)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Agent, AgentRunner, Interrupt, SessionStore, Tool, Toolkit } from "tenon"
 * import { HumanApproval } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Send = Tool.make("send", { parameters: Schema.Struct({ to: Schema.String }), success: Schema.String })
 * const Clerk = Agent.make("clerk", {
 *   instructions: "Write.",
 *   toolkit: Toolkit.make(Send),
 *   middleware: [HumanApproval.make({ policies: [{ tools: [Send], decisions: ["approve", "reject"] }] })]
 * })
 * const Model = ScriptedModel.layer([
 *   ScriptedModel.call("send", { to: "ada@example.org" }),
 *   ScriptedModel.text("Not sent.")
 * ])
 *
 * const program = Effect.gen(function*() {
 *   const paused = yield* AgentRunner.run(Clerk, { session: "s-1", input: "Send it." })
 *   const answers = paused.session.open.map(({ id }) => Interrupt.reject(id, "not today"))
 *   const { session } = yield* AgentRunner.resume(Clerk, { session: "s-1", answers })
 *   return session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
 * })
 * const SendLive = Toolkit.layer(Toolkit.make(Send), { send: () => Effect.succeed("sent") })
 * const results = await Effect.runPromise(Effect.provide(program, [SendLive, Model, SessionStore.layerMemory]))
 * results // => [{ _tag: "Rejected", message: "not today" }]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const R extends Remember = "nobody">(options: {
  readonly policies: ReadonlyArray<Policy>
  /** Who remembers a decision that is given with `always`: nobody, unless said otherwise. */
  readonly remember?: R
}): Middleware.Middleware<"human_approval", Needs[R], never, never> => {
  const { policies } = options
  const remember: Remember = options.remember ?? "nobody"
  // two sections of one shape: a field's scope is fixed where it is declared
  const always = (remember === "user" ? User : Session).always as typeof Session.always
  const schemas = schemasIn(policies)

  const ask = Effect.fnUntraced(function*(request: Middleware.ToolRequest, policy: Policy) {
    const { parameters, tool } = request
    const allowed = policy.decisions ?? ["approve", "edit", "reject"]
    if (allowed.length === 0) return undefined
    if (remember !== "nobody") {
      const known = Option.getOrUndefined(yield* always.entry(tool))
      if (known !== undefined) return known === "approve" ? undefined : rejected(undefined)
    }
    const schema = schemas.get(tool)
    const args = schema === undefined
      ? yield* asJson(parameters)
      : yield* Schema.encodeUnknownEffect(jsonCodec(schema))(parameters)
    const decision = yield* Interrupt.Approval.ask({
      tool,
      arguments: args,
      hash: digest(canonical([tool, args])),
      ...(policy.reason !== undefined && { reason: policy.reason }),
      allowed,
      ...(remember !== "nobody" && { remember: true })
    })
    if (decision.decision === "edit") {
      if (schema === undefined) return Middleware.edit(decision.arguments)
      const edited = Schema.decodeResult(jsonCodec(schema))(decision.arguments)
      return Result.isSuccess(edited)
        ? Middleware.edit(edited.success)
        : failed("InvalidArguments", `the edited arguments of '${tool}' do not fit: ${edited.failure.message}`)
    }
    if (decision.always === true) yield* always.put(tool, decision.decision)
    return decision.decision === "approve" ? undefined : rejected(decision.reason)
  })

  const hook = Middleware.beforeTool(
    { asks: [Interrupt.Approval], writes: remember === "nobody" ? [] : [always] },
    (request) => {
      const policy = policies.find((each) => covers(each, request))
      return policy === undefined ? Effect.void : ask(request, policy)
    }
  )
  return Middleware.make("human_approval", { hooks: [hook as Middleware.Hook<Needs[R]>] })
}
