/**
 * What an agent may spend, in tokens and in money.
 *
 * What was spent is State, of the session or of the user: it counts over every pause and restart. The next model call is
 * refused once a limit is reached; what a call costs is known only when it was made.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, Exit, Option, Schema } from "effect"
import { Model, type Response } from "effect/ai"
import * as Middleware from "../Middleware.ts"
import * as Reducer from "../Reducer.ts"
import * as State from "../State.ts"

// ===== state =================================================================

/** The section that holds what a session spent. @category state @since 0.1.0 */
export const Session = State.make("budget", {
  tokens: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  cost: State.field(Schema.Finite, { initial: 0, reducer: Reducer.sum })
})

/** The section that holds what a user spent, in all sessions. @category state @since 0.1.0 */
export const User = State.make("user_budget", {
  tokens: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" }),
  cost: State.field(Schema.Finite, { initial: 0, reducer: Reducer.sum, scope: "user" })
})

// ===== models ================================================================

/** What was spent, or may be. @category models @since 0.1.0 */
export interface Spent {
  readonly tokens: number
  readonly cost: number
}

/** Whose budget it is. @category models @since 0.1.0 */
export type Scope = "session" | "user"

/** What a budget touches, by whose it is. @category models @since 0.1.0 */
export interface Needs {
  readonly session: (typeof Session)["tokens" | "cost"]["~writes"]
  readonly user: (typeof User)["tokens" | "cost"]["~writes"]
}

/** Fails the run once a limit is reached and no answer is given instead. @category errors @since 0.1.0 */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  scope: Schema.Literals(["session", "user"]),
  limit: Schema.Literals(["tokens", "cost"]),
  allowed: Schema.Finite,
  spent: Schema.Finite
}) {
  override get message(): string {
    return `the ${this.scope} spent ${this.spent} of ${this.allowed} (${this.limit})`
  }
}

/** Limits, and what becomes of a run that reaches one. @category models @since 0.1.0 */
export interface Options<S extends Scope> {
  readonly scope: S
  /** How many tokens may be spent, those that the model reads and writes together. */
  readonly tokens?: number
  /** How much may be spent, in the unit of `price`. */
  readonly cost?: number
  /**
   * What a model call costs. The model's name is the one that the response gives, or that of `Model.ModelName`, and empty
   * where neither is known.
   */
  readonly price?: (model: string, usage: Response.Usage) => number
  /** The answer in place of the model's once a limit is reached; without one the run fails. */
  readonly answer?: string
  /** The share of a limit from which on to warn, once: 0.8 is four fifths. */
  readonly warnAt?: number
  /** What a warning is; a log entry unless said otherwise. */
  readonly onWarning?: (spent: Spent) => Effect.Effect<void>
}

// ===== middleware ============================================================

/** The response knows best: an agent may have a model of its own, and a plan may have asked another one. */
const modelOf = (parts: ReadonlyArray<Response.AnyPart>): Effect.Effect<string> => {
  const named = parts.find((part) => part.type === "response-metadata")?.modelId
  return named === undefined
    ? Effect.map(Effect.serviceOption(Model.ModelName), Option.getOrElse(() => ""))
    : Effect.succeed(named)
}

const crosses = (limit: number | undefined, share: number | undefined, before: number, after: number): boolean =>
  limit !== undefined && share !== undefined && before < limit * share && after >= limit * share

/**
 * Bounds what an agent's model calls may spend.
 *
 * **Details**
 *
 * A budget of a `user` is one for all of the user's sessions and agents, sub-agents included. One of a `session` counts
 * a sub-agent's calls where the sub-agent has a budget too and `returns` names the fields:
 * `SubAgent.make(child, { returns: [Budget.Session.tokens, Budget.Session.cost] })`.
 *
 * A run that fails does so as `HookFailed` with the problem `BudgetExceeded`; the session can go on, with a higher limit.
 *
 * **Gotchas**
 *
 * Put it last in the list: it then sees what the model itself said, whatever other middleware makes of that. The call
 * that goes over a limit is made and paid: only the next one is refused. A call that failed is not counted, since
 * nobody says what it used. Costs are sums of fractions: take a unit in which they are whole numbers where the last digit
 * matters.
 *
 * **Example** (Ten tokens for a session)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { Budget } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Bounded = Budget.make({ scope: "session", tokens: 10, answer: "That is all for today." })
 * const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [Bounded] })
 * const Model = ScriptedModel.layer([{ text: "Hello.", inputTokens: 8, outputTokens: 4 }])
 * const say = (input: string) => AgentRunner.run(Assistant, { session: "s-1", input })
 *
 * const second = await Effect.runPromise(
 *   Effect.andThen(say("Hello."), say("And?")).pipe(Effect.provide([Model, SessionStore.layerMemory]))
 * )
 * second._tag === "Completed" ? second.text : "" // => "That is all for today."
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const S extends Scope>(
  options: Options<S>
): Middleware.Middleware<"budget", Needs[S], never, never> => {
  const { answer, price, warnAt } = options
  const scope: Scope = options.scope
  const limits = { tokens: options.tokens, cost: options.cost }
  if (limits.cost !== undefined && price === undefined) {
    throw new TypeError("a budget with a cost needs a price: it says what a model call costs")
  }
  // two sections of one shape: a field's scope is fixed where it is declared
  const { cost, tokens } = (scope === "session" ? Session : User) as typeof Session
  const warn = options.onWarning ??
    (({ cost, tokens }) => Effect.logWarning(`the budget of the ${scope} is nearly spent: ${tokens} tokens, ${cost}`))

  const before = Middleware.beforeModel({ reads: [tokens, cost] }, () =>
    Effect.gen(function*() {
      const spent: Spent = { tokens: yield* tokens.get, cost: yield* cost.get }
      for (const limit of ["tokens", "cost"] as const) {
        const allowed = limits[limit]
        if (allowed === undefined || spent[limit] < allowed) continue
        if (answer !== undefined) return Middleware.answer(answer)
        return yield* new BudgetExceeded({ scope, limit, allowed, spent: spent[limit] })
      }
      return undefined
    }))

  const after = Middleware.afterModel({ writes: [tokens, cost] }, ({ exit }) =>
    Effect.gen(function*() {
      const parts = Exit.isSuccess(exit) ? exit.value : []
      const usage = parts.find((part) => part.type === "finish")?.usage
      if (usage === undefined) return
      const was: Spent = { tokens: yield* tokens.get, cost: yield* cost.get }
      const more: Spent = {
        tokens: (usage.inputTokens.total ?? 0) + (usage.outputTokens.total ?? 0),
        cost: price?.(yield* modelOf(parts), usage) ?? 0
      }
      yield* tokens.combine(more.tokens)
      if (more.cost !== 0) yield* cost.combine(more.cost)
      const now: Spent = { tokens: was.tokens + more.tokens, cost: was.cost + more.cost }
      if (
        crosses(limits.tokens, warnAt, was.tokens, now.tokens) || crosses(limits.cost, warnAt, was.cost, now.cost)
      ) yield* warn(now)
    }))

  return Middleware.make("budget", {
    hooks: [before as Middleware.Hook<Needs[S]>, after as Middleware.Hook<Needs[S]>]
  })
}
