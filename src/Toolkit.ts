/**
 * Tools together, and the handlers that give them life.
 *
 * effect/ai's toolkits, made so that two tools of one name are refused, and a handler for no tool too.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { Effect, Layer } from "effect"
import { type Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import type * as Contract from "./Contract.ts"
import { contractOf, type ContractValue, oneByName } from "./internal/contract.ts"
import { recorded } from "./internal/handlers.ts"

/** Refuses also one tool that stands in a list twice. */
const refuseRepeated = (tools: Iterable<AiTool.Any>): void => {
  // each entry is a thing of its own, so that a tool differs from itself
  oneByName("tools", [...tools].map(({ name }) => ({ name: name as string })))
}

/** Lets a toolkit's handlers know their tools, so that they are not taken for those of other tools of the same names. */
const recording = <T extends Record<string, AiTool.Any>>(kit: AiToolkit.Toolkit<T>): AiToolkit.Toolkit<T> => {
  const toHandlers = kit.toHandlers.bind(kit)
  return Object.assign(kit, {
    toHandlers: (build: never) => Effect.map(toHandlers(build), (handlers) => recorded(kit.tools, handlers))
  })
}

/**
 * Makes a toolkit, as effect/ai does. Two tools of one name are a defect: effect/ai would silently take the last. (Of
 * two that differ in type, `Agent.make` says so at compile time; two of one type look the same to the compiler.)
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Tools extends ReadonlyArray<AiTool.Any>>(
  ...tools: Tools
): AiToolkit.Toolkit<AiToolkit.ToolsByName<Tools>> => {
  refuseRepeated(tools)
  return recording(AiToolkit.make(...tools))
}

/**
 * Merges toolkits. Two different tools of one name are a defect.
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = <const Toolkits extends ReadonlyArray<AiToolkit.Any>>(
  ...toolkits: Toolkits
): AiToolkit.Toolkit<AiToolkit.MergedTools<Toolkits>> => {
  oneByName("tools", toolkits.flatMap(({ tools }) => Object.values(tools)))
  return recording(AiToolkit.merge(...toolkits))
}

/** effect/ai's `HandlersFor`, as the handlers by their names: an editor shows no tool anew. */
type Handled<T extends Record<string, AiTool.Any>> = {
  [Name in keyof T]: AiTool.RequiresHandler<T[Name]> extends true ? AiTool.Handler<T[Name]["name"]> : never
}[keyof T] extends infer Handlers ? Handlers : never

/**
 * Gives each tool of a toolkit its handler. A missing handler, a handler for no tool, and a handler that touches what
 * its tool does not declare are compile errors.
 *
 * **Details**
 *
 * A handler may come with a reconciliation (`Reconcile.on`), for calls that a crash cut off.
 *
 * It does what `toolkit.toLayer(handlers)` does, and the compiler needs a third of the time for it. Where the handlers
 * are built by an Effect, use `toLayer`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <T extends Record<string, AiTool.Any>>(
  toolkit: AiToolkit.Toolkit<T>,
  handlers: AiToolkit.HandlersFrom<T>
): Layer.Layer<Handled<T>> =>
  Layer.effectContext(
    Effect.map(toolkit.toHandlers(handlers as never), (context) => recorded(toolkit.tools, context)) as never
  )

// ===== toolkits known only at run time =======================================

/**
 * A toolkit that is known only at run time, as one of an MCP server is, with a contract stated by hand.
 *
 * @category models
 * @since 0.1.0
 */
export interface Dynamic<out Needs> {
  readonly "~needs": Needs
  readonly contract: ContractValue
  readonly prefix: string
  readonly kit: AiToolkit.WithHandler<any>
}

/** Any run-time toolkit, for constraints. @since 0.1.0 */
export type AnyDynamic = Dynamic<any>

/**
 * The one door for a toolkit whose tools nobody knows before the run. Its tools get a prefix; a name that clashes with
 * another tool of the agent is a typed error at the run's start. Its calls run one at a time unless a tool is marked
 * `Readonly`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const dynamic = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const W extends Contract.Fields<unknown> = [],
  const B extends Contract.Reduced = [],
  const I extends Contract.Asks = [],
  const D extends Contract.Services = []
>(
  kit: AiToolkit.WithHandler<any>,
  options: Contract.Options<C, R, W, B, I, D> & { readonly prefix: string }
): Dynamic<Contract.Touched<C, R, W, B, I, D>> => ({
  "~needs": undefined as never,
  contract: contractOf({ ...options, exclusive: true }),
  prefix: options.prefix,
  kit
})
