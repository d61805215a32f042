/**
 * Which tools an agent called, compared with those that it should have called.
 *
 * Pure: lists in, a number from 0 to 1 out.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Equal } from "effect"
import type { Tool as AiTool } from "effect/ai"
import type * as Event from "../Event.ts"

// ===== models ================================================================

/** A call that a model asked for. @category models @since 0.1.0 */
export interface Call {
  readonly tool: string
  /** The arguments as the model gave them. */
  readonly parameters: unknown
}

/** A call that is expected: with these arguments, with some that fit, or, where they are left out, with any. @category models @since 0.1.0 */
export interface Expected {
  readonly tool: string
  readonly parameters?: unknown
}

/**
 * How calls are compared.
 *
 * - `exact`: the expected calls, in their order, and no others
 * - `inOrder`: the expected calls in their order; others may come between
 * - `anyOrder`: the expected calls in any order; others may come too
 * - `subset`: no calls but expected ones; some may be missing
 * - `precision`: the share of the calls that were expected
 * - `recall`: the share of the expected calls that came
 * - `f1`: the harmonic mean of the last two
 *
 * The first four are all or nothing: 1 or 0. The last three take no account of the order.
 *
 * @category models
 * @since 0.1.0
 */
export type Measure = "exact" | "inOrder" | "anyOrder" | "subset" | "precision" | "recall" | "f1"

// ===== constructors ==========================================================

/**
 * An expected call of a tool: a tool's parameters are typed, and compared as the model gives them, which is encoded.
 *
 * **Example** (With these arguments, with some that fit, with any)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Tool } from "tenon"
 * import { Trajectory } from "tenon/testing"
 *
 * const Find = Tool.make("find", { parameters: Schema.Struct({ query: Schema.String }) })
 * const calls = [{ tool: "find", parameters: { query: "licence" } }]
 *
 * Trajectory.score([Trajectory.call(Find, { query: "licence" })], calls) // => 1
 * Trajectory.score([Trajectory.call(Find, ({ query }) => query.length > 9)], calls) // => 0
 * Trajectory.score([Trajectory.call("find")], calls) // => 1
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const call = <const T extends AiTool.Any | string>(
  tool: T,
  parameters?: Arguments<T> | ((parameters: Arguments<T>) => boolean)
): Expected => ({
  tool: typeof tool === "string" ? tool : tool.name as string,
  ...(parameters !== undefined && { parameters })
})

/** What a model gives a tool. */
type Arguments<T> = T extends AiTool.Any ? AiTool.ParametersEncoded<T> : unknown

/** The calls that a model asked for in some events; of sub-agents too, where they are asked for. @category constructors @since 0.1.0 */
export const of = (
  events: ReadonlyArray<Event.Event>,
  options?: { readonly subAgents?: boolean | undefined }
): ReadonlyArray<Call> => {
  const spawned = new Set(
    events.flatMap((event) => event.kind === "input" && event.spawn !== undefined ? [event.agent] : [])
  )
  return events.flatMap((event) =>
    event.kind === "model" && (options?.subAgents === true || !spawned.has(event.agent))
      ? event.calls.map(({ parameters, tool }) => ({ tool, parameters }))
      : []
  )
}

// ===== comparing =============================================================

const fits = (expected: Expected, actual: Call): boolean => {
  if (expected.tool !== actual.tool) return false
  const { parameters } = expected
  if (parameters === undefined) return true
  return typeof parameters === "function"
    ? (parameters as (given: unknown) => boolean)(actual.parameters)
    : Equal.equals(parameters, actual.parameters)
}

/**
 * How many calls can be told to be expected ones, each at most once. A predicate may fit a call that another expectation
 * needs, so the first that fits need not be the right one: a call moves on where its expectation has another.
 */
const matched = (expected: ReadonlyArray<Expected>, actual: ReadonlyArray<Call>): number => {
  const candidates = expected.map((each) => actual.flatMap((call, index) => fits(each, call) ? [index] : []))
  const takenBy = new Map<number, number>()
  const place = (expectation: number, tried: Set<number>): boolean =>
    (candidates[expectation] ?? []).some((index) => {
      if (tried.has(index)) return false
      tried.add(index)
      const owner = takenBy.get(index)
      if (owner !== undefined && !place(owner, tried)) return false
      takenBy.set(index, expectation)
      return true
    })
  return expected.filter((_, index) => place(index, new Set())).length
}

/** Do the expected calls come in this order, whatever is between them? The first that fits leaves the most to the others. */
const comesInOrder = (expected: ReadonlyArray<Expected>, actual: ReadonlyArray<Call>): boolean => {
  let next = 0
  for (const each of actual) {
    const wanted = expected[next]
    if (wanted !== undefined && fits(wanted, each)) next++
  }
  return next === expected.length
}

const share = (part: number, whole: number): number => whole === 0 ? 1 : part / whole

const measures: {
  readonly [_ in Measure]: (expected: ReadonlyArray<Expected>, actual: ReadonlyArray<Call>) => number
} = {
  exact: (expected, actual) => Number(expected.length === actual.length && comesInOrder(expected, actual)),
  inOrder: (expected, actual) => Number(comesInOrder(expected, actual)),
  anyOrder: (expected, actual) => Number(matched(expected, actual) === expected.length),
  subset: (expected, actual) => Number(matched(expected, actual) === actual.length),
  precision: (expected, actual) => share(matched(expected, actual), actual.length),
  recall: (expected, actual) => share(matched(expected, actual), expected.length),
  f1: (expected, actual) => share(2 * matched(expected, actual), expected.length + actual.length)
}

/**
 * How far calls are as expected, from 0 to 1: as `exact` says, unless told otherwise.
 *
 * **Example** (Another call in between)
 *
 * ```ts
 * import { Trajectory } from "tenon/testing"
 *
 * const expected = [Trajectory.call("find"), Trajectory.call("order", { id: 1 })]
 * const calls = ["find", "think", "order"].map((tool) => ({ tool, parameters: { id: 1 } }))
 *
 * Trajectory.score(expected, calls) // => 0
 * Trajectory.score(expected, calls, "inOrder") // => 1
 * Trajectory.score(expected, calls, "f1") // => 0.8
 * ```
 *
 * @category comparing
 * @since 0.1.0
 */
export const score = (
  expected: ReadonlyArray<Expected>,
  actual: ReadonlyArray<Call>,
  measure: Measure = "exact"
): number => measures[measure](expected, actual)
