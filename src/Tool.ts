/**
 * A tool that says what it touches, and can touch nothing else.
 *
 * It is an effect/ai tool whose requirements are its contract: it works wherever an effect/ai tool works, and effect/ai
 * refuses a handler that reads or writes what the tool does not declare.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import type { Duration, Effect, Schema } from "effect"
import { type Prompt, Tool as AiTool } from "effect/ai"
import type * as Contract from "./Contract.ts"
import type { ToolCall } from "./internal/call.ts"
import {
  ApprovalAnnotation,
  ContractAnnotation,
  contractOf,
  declaring,
  FormerlyAnnotation,
  TimeoutAnnotation
} from "./internal/contract.ts"
import type { Held } from "./internal/types.ts"
import * as Interrupt from "./Interrupt.ts"

// ===== marks =================================================================

/**
 * The mark of a tool that changes nothing: it may run again after a crash, on a conflict, and by `ToolRetry`. It is
 * effect/ai's, `tool.annotate(Tool.Readonly, true)`.
 *
 * @category annotations
 * @since 0.1.0
 */
export const Readonly = AiTool.Readonly

/**
 * The mark of a tool that takes effect once for each call id, however often it runs. It is effect/ai's.
 *
 * @category annotations
 * @since 0.1.0
 */
export const Idempotent = AiTool.Idempotent

// ===== models ================================================================

/**
 * Whether a person must approve a call before it runs: always, never, or by an Effect that sees the arguments and has
 * the tool's context and call, and reads its state. A text is the reason that the person is shown.
 *
 * @category models
 * @since 0.1.0
 */
export type NeedsApproval<Parameters, R> =
  | boolean
  | ((parameters: Parameters) => Effect.Effect<boolean | string, never, R>)

/** What a tool takes and gives, by a name that is short in an editor. @since 0.1.0 */
export interface Schemas<out Parameters, out Success, out Failure, out Mode> {
  readonly parameters: Parameters
  readonly success: Success
  readonly failure: Failure
  readonly failureMode: Mode
}

/** What a tool requires: its contract as a type. @since 0.1.0 */
export type Requirements<T> = AiTool.Requirements<T>

// ===== constructors ==========================================================

/**
 * Makes a tool with a contract.
 *
 * **Details**
 *
 * `context`, `reads`, `writes`, `combines` and `asks` are the contract; the rest is effect/ai's. A record field may be
 * narrowed to the entry that a parameter names, `Shop.orders.at("orderId")`: calls for other entries then run at the
 * same time. `exclusive` keeps calls apart whose conflict lies outside of State: from all calls, or from those of one
 * name.
 *
 * **Example** (Search within a tenant)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Reducer, State, Tool, Toolkit, ToolContext } from "tenon"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 *
 * const SearchDocs = Tool.make("search_docs", {
 *   description: "Search the project's documents",
 *   parameters: Schema.Struct({ query: Schema.String }),
 *   success: Schema.String,
 *   context: [Env.tenant],
 *   combines: [Search.count]
 * })
 *
 * const SearchLive = Toolkit.layer(Toolkit.make(SearchDocs), {
 *   search_docs: Effect.fnUntraced(function*({ query }) {
 *     yield* Search.count.combine(1)
 *     return `${query} in ${yield* Env.tenant}`
 *   })
 * })
 *
 * SearchDocs.name // => "search_docs"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends string,
  Parameters extends Schema.Constraint = typeof AiTool.EmptyParams,
  Success extends Schema.Constraint = typeof Schema.Void,
  Failure extends Schema.Constraint = typeof Schema.Never,
  Mode extends AiTool.FailureMode = "error",
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<Parameters["Type"]> = [],
  const W extends Contract.Fields<Parameters["Type"]> = [],
  const B extends Contract.Reduced = [],
  const I extends Contract.Asks = [],
  const D extends Contract.Services = [],
  O = {}
>(
  name: Name,
  options: Held<O, Contract.Lists> & Contract.Options<C, R, W, B, I, D> & {
    readonly description?: string
    readonly parameters?: Parameters
    readonly success?: Success
    readonly failure?: Failure
    /** For effect/ai alone: an agent's model is told of a failure in either mode. */
    readonly failureMode?: Mode
    readonly approval?: NeedsApproval<Parameters["Type"], Contract.Touched<C, R | W, [], [], [], D> | ToolCall>
    readonly exclusive?: boolean | string
    /**
     * Names that the tool had: calls of stored sessions go on under them, and a model that still uses one is understood. A
     * tool that has such a name now goes before.
     */
    readonly formerly?: ReadonlyArray<string>
    /** How long the handler may run. A call that takes longer fails, and commits nothing. */
    readonly timeout?: Duration.Input
    readonly toModelOutput?: (result: Success["Type"]) => ReadonlyArray<Prompt.ToolModelOutputPart>
  }
): AiTool.Tool<
  Name,
  Schemas<Parameters, Success, Failure, Mode>,
  Contract.Touched<C, R, W, B, I, D> | ToolCall
> => {
  const contract = contractOf(options)
  const guarded = options.approval !== undefined && options.approval !== false
  const { description, parameters, success, failure, failureMode = "error", toModelOutput } = options
  const tool = AiTool.make(name, { description, parameters, success, failure, failureMode, toModelOutput })
    .annotate(
      ContractAnnotation,
      guarded ? { ...contract, asks: [...contract.asks, Interrupt.Approval["~ask"]] } : contract
    )
  const known = options.formerly === undefined ? tool : tool.annotate(FormerlyAnnotation, options.formerly)
  const timed = options.timeout === undefined ? known : known.annotate(TimeoutAnnotation, options.timeout)
  return declaring(guarded ? timed.annotate(ApprovalAnnotation, options.approval) : timed) as never
}
