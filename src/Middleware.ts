/**
 * What stands around an agent's runs, model calls and tool calls.
 *
 * A middleware contributes hooks, instructions, tools, sections and context. The contract belongs to a hook, not to the
 * middleware: a hook touches what it declares, and nothing else. Before-hooks run in order, after-hooks in reverse;
 * after-hooks see failures too. The first middleware of an agent is the outermost.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import type { Context, Effect, Exit, Schema } from "effect"
import { type AiError, type Prompt, Response, type Tool as AiTool, type Toolkit as AiToolkit } from "effect/ai"
import type * as Contract from "./Contract.ts"
import type * as Event from "./Event.ts"
import type * as Instructions from "./Instructions.ts"
import type { ToolCall } from "./internal/call.ts"
import {
  contractOf,
  type ContractValue,
  type KeyDefinition,
  leaf,
  mergeContracts,
  toolLeaf
} from "./internal/contract.ts"
import { definitionOf, type SectionDefinition } from "./internal/field.ts"
import { summaryOf } from "./internal/summary.ts"
import type { Named, Other, Surely, Vague, Whole } from "./internal/types.ts"
import type * as State from "./State.ts"

// ===== what hooks see ========================================================

/** A run that begins. @category models @since 0.1.0 */
export interface RunStart {
  readonly agent: string
  readonly session: string
  readonly invocation: string
  /** Whether the agent goes on: after a pause, or with a message that came as it ended. */
  readonly resumed: boolean
}

/** How a run ended. @category models @since 0.1.0 */
export interface RunEnd extends RunStart {
  /** `transferred`: another agent goes on with the conversation. */
  readonly status: "completed" | "transferred" | "paused" | "failed"
}

/** Events of a log by their sequence, from one to another, both included. @category models @since 0.1.0 */
export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * What one event brought into an agent's history, the least that a compaction replaces: a message, or what the model
 * said with the results of the calls that it asked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry {
  readonly kind: "input" | "model"
  /** The event's place in the log. */
  readonly sequence: number
  readonly invocation: string
  readonly messages: ReadonlyArray<Prompt.Message>
  /** Of a model call: its input is the size of what the model was shown, in tokens. */
  readonly usage: Event.Usage | undefined
}

/** A step that is about to begin. @category models @since 0.1.0 */
export interface StepStart {
  readonly agent: string
  readonly invocation: string
  /** The number of the step in its invocation, from 1. */
  readonly step: number
  /** All that was said, in order, what was compacted included. */
  readonly entries: ReadonlyArray<Entry>
  /** The compactions that hold, in the order of the log. */
  readonly compactions: ReadonlyArray<Event.Compacted>
  /**
   * What is to be told in place of these events: what a compaction would replace, and the messages of the user between
   * it. A compaction that is within the range stands for what it replaced. Empty where nothing new would be replaced.
   */
  readonly within: (range: Range) => ReadonlyArray<Prompt.Message>
}

/** A model call that is about to be made. @category models @since 0.1.0 */
export interface ModelRequest {
  readonly agent: string
  readonly step: number
  /** System instructions first, then the history. */
  readonly messages: ReadonlyArray<Prompt.Message>
  /** The names of the tools that the model is shown. */
  readonly tools: ReadonlyArray<string>
}

/** How a model call ended. @category models @since 0.1.0 */
export interface ModelOutcome extends ModelRequest {
  readonly exit: Exit.Exit<ReadonlyArray<Response.AnyPart>, AiError.AiError>
}

/** A tool call that is about to run. @category models @since 0.1.0 */
export interface ToolRequest {
  readonly tool: string
  /** The decoded arguments. */
  readonly parameters: unknown
}

/** A handler that is about to run, or to run again. @category models @since 0.1.0 */
export interface ToolTry extends ToolRequest {
  /** Whether the tool may run twice: effect/ai's marks `Readonly` and `Idempotent` say so. */
  readonly repeatable: boolean
  /** From 1; more where a hook further out runs this one again. */
  readonly try: number
}

/** How a tool call ended. @category models @since 0.1.0 */
export interface ToolOutcome extends ToolRequest {
  readonly result: Event.CallResult
}

// ===== what hooks decide =====================================================

/**
 * An answer in place of the model's: before a run or a model call it is given without asking the model.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answer {
  readonly _tag: "Answer"
  readonly parts: ReadonlyArray<Response.AnyPart>
}

/**
 * Answers in place of the model, with a text or with the parts of a response.
 *
 * **Example** (A question that needs no model)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Middleware } from "tenon"
 *
 * const Closed = Middleware.make("closed", {
 *   hooks: [Middleware.beforeRun({}, () => Effect.succeed(Middleware.answer("We are closed.")))]
 * })
 *
 * Closed.hooks.map(({ kind }) => kind) // => ["beforeRun"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const answer = (response: string | ReadonlyArray<Response.AnyPart>): Answer => ({
  _tag: "Answer",
  parts: typeof response === "string" ? [Response.makePart("text", { text: response })] : response
})

/**
 * Another request for one model call; what is absent stays as it was.
 *
 * @category models
 * @since 0.1.0
 */
export interface Change {
  readonly _tag: "Change"
  readonly messages?: ReadonlyArray<Prompt.Message>
  /** Said after the agent's own instructions. */
  readonly instructions?: string
  /** The tools that the model is shown, out of those that the agent has; a call of another one is refused. */
  readonly tools?: ReadonlyArray<string>
}

/**
 * Changes one model call: its messages, its tools, what it is told. History changes only by events.
 *
 * @category constructors
 * @since 0.1.0
 */
export const change = (request: Omit<Change, "_tag">): Change => ({ _tag: "Change", ...request })

/** Other messages in place of earlier ones. @category models @since 0.1.0 */
export interface Compact {
  readonly _tag: "Compact"
  readonly range: Range
  readonly messages: ReadonlyArray<Prompt.Message>
  readonly usage: Event.Usage | undefined
}

/**
 * Puts a text, or other messages, in place of what these events brought into the history: an event of its own, which
 * holds from this step on. The log keeps the messages, and State is as it was.
 *
 * **Details**
 *
 * What is open stays: a step with a call that waits for an answer, and what the invocation that goes on began with, a
 * message or an answer to a pending call. Where that leaves nothing to replace, nothing happens. A compaction within a
 * wider one does not hold any more.
 *
 * A text becomes a message of the user. `usage` is what it took to make the messages: it counts as the run's.
 *
 * **Gotchas**
 *
 * Other messages must hold each call with its result; a hook whose messages do not fails the run.
 *
 * **Example** (Nothing but the last invocation)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, Middleware, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Forgetful = Middleware.make("forgetful", {
 *   hooks: [
 *     Middleware.beforeStep({}, ({ compactions, entries }) => {
 *       const range = { from: 0, to: entries.at(-2)?.sequence ?? 0 }
 *       return Effect.succeed(compactions.length === 0 ? Middleware.compact(range, "We have met.") : undefined)
 *     })
 *   ]
 * })
 * const Assistant = Agent.make("assistant", { instructions: "", middleware: [Forgetful] })
 * const say = (input: string) => AgentRunner.run(Assistant, { session: "s-1", input })
 * const Model = ScriptedModel.layer([ScriptedModel.text("Hello."), ScriptedModel.text("Bye.")])
 *
 * const { session } = await Effect.runPromise(
 *   Effect.andThen(say("Hello."), say("Bye.")).pipe(Effect.provide([Model, SessionStore.layerMemory]))
 * )
 * const roles = [session.history.map(({ role }) => role), session.transcript.length]
 * roles // => [["user", "user", "assistant"], 4]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const compact = (
  range: Range,
  replacement: string | ReadonlyArray<Prompt.Message>,
  options: { readonly usage?: Event.Usage | undefined } = {}
): Compact => ({
  _tag: "Compact",
  range,
  messages: typeof replacement === "string" ? [summaryOf(replacement)] : replacement,
  usage: options.usage
})

/** A result of a tool call that a hook gives, as the model reads it. @category models @since 0.1.0 */
export interface Result {
  readonly _tag: "Result"
  readonly result: Event.CallResult
}

/**
 * Gives a call's result: before the call in place of its handler, after it in place of the result that is there. The
 * value is what the model reads.
 *
 * @category constructors
 * @since 0.1.0
 */
export const result = (value: Schema.Json, options: { readonly isFailure?: boolean } = {}): Result => ({
  _tag: "Result",
  result: { isFailure: options.isFailure ?? false, value }
})

/** What a before-hook of a tool call may decide; nothing lets the call go on as it is. @category models @since 0.1.0 */
export type Verdict =
  | Result
  | { readonly _tag: "Refuse"; readonly reason: string }
  | { readonly _tag: "Edit"; readonly parameters: unknown }

/** Refuses the call: the model gets the reason as the call's result. @category constructors @since 0.1.0 */
export const refuse = (reason: string): Verdict => ({ _tag: "Refuse", reason })

/** Lets the call go on with other arguments, decoded ones; the model's message stays as it was. @category constructors @since 0.1.0 */
export const edit = (parameters: unknown): Verdict => ({ _tag: "Edit", parameters })

// ===== hooks =================================================================

/** Where a hook stands. @category models @since 0.1.0 */
export type HookKind =
  | "beforeRun"
  | "afterRun"
  | "beforeStep"
  | "beforeModel"
  | "afterModel"
  | "beforeTool"
  | "aroundTool"
  | "afterTool"
  | "onEvent"

/** An Effect that runs at one place, with a contract of its own. @category models @since 0.1.0 */
export interface Hook<out Needs> {
  readonly kind: HookKind
  readonly contract: ContractValue
  readonly "~needs": Needs
  readonly run: (input: any) => Effect.Effect<unknown, unknown, any>
}

/** Any hook, for constraints. @since 0.1.0 */
export type AnyHook = Hook<any>

type MakeSilentHook<Input, Output> = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const W extends Contract.Fields<unknown> = [],
  const B extends Contract.Reduced = [],
  const D extends Contract.Services = []
>(
  contract: Omit<Contract.Options<C, R, W, B, [], D>, "asks">,
  run: (input: Input) => Effect.Effect<Output, unknown, Contract.Touched<C, R, W, B, [], D>>
) => Hook<Contract.Touched<C, R, W, B, [], D>>

type MakeHook<Input, Output, Given = never> = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const W extends Contract.Fields<unknown> = [],
  const B extends Contract.Reduced = [],
  const I extends Contract.Asks = [],
  const D extends Contract.Services = []
>(
  contract: Contract.Options<C, R, W, B, I, D>,
  run: (input: Input) => Effect.Effect<Output, unknown, Contract.Touched<C, R, W, B, I, D> | Given>
) => Hook<Contract.Touched<C, R, W, B, I, D>>

const hook =
  (kind: HookKind) => (contract: object, run: (input: any) => Effect.Effect<any, unknown, any>): Hook<any> => ({
    kind,
    contract: contractOf(contract),
    "~needs": undefined,
    run
  })

/**
 * Runs at the start of a run, before its first model call, and may give the answer. What it writes is an event of its
 * own.
 *
 * @category hooks
 * @since 0.1.0
 */
export const beforeRun: MakeHook<RunStart, Answer | void> = hook("beforeRun")

/**
 * Runs at the end of a run, also of one that failed or paused. An answer that it gives stands in place of a completed
 * run's. Where a message came meanwhile, the hooks of a run run once more around its answer.
 *
 * @category hooks
 * @since 0.1.0
 */
export const afterRun: MakeHook<RunEnd, Answer | void> = hook("afterRun")

/**
 * Runs before each step, once the messages that came meanwhile have joined, and may put other messages in place of
 * earlier ones. It sees all that was said; `beforeModel` sees, and changes, what one model call is shown of it.
 *
 * **Gotchas**
 *
 * It runs again where its step begins again, as `beforeModel` does.
 *
 * @category hooks
 * @since 0.1.0
 */
export const beforeStep: MakeHook<StepStart, Compact | void> = hook("beforeStep")

/**
 * Runs before each model call, and may change it, or answer in its place: before-hooks further in do not run
 * then, after-hooks do.
 *
 * **Gotchas**
 *
 * It runs again where its model call is made again, after a crash, or once a question is answered that a hook of this
 * call asked; what it wrote before stands.
 *
 * @category hooks
 * @since 0.1.0
 */
export const beforeModel: MakeHook<ModelRequest, Change | Answer | void> = hook("beforeModel")

/**
 * Runs after each model call, also after one that failed, and may answer in its place. It cannot ask: what the model
 * said is not stored yet.
 *
 * @category hooks
 * @since 0.1.0
 */
export const afterModel: MakeSilentHook<ModelOutcome, Answer | void> = hook("afterModel")

/**
 * Runs before each tool call, as part of its attempt, and may refuse it, edit its arguments, or give its result:
 * before-hooks further in do not run then, after-hooks do.
 *
 * @category hooks
 * @since 0.1.0
 */
export const beforeTool: MakeHook<ToolRequest, Verdict | void, ToolCall> = hook("beforeTool")

/**
 * Runs around each handler, between the hooks before the call and those after it. `next` runs what stands further in,
 * other hooks around and the handler, once more each time it is run, and gives the result, a failed one too.
 *
 * **Details**
 *
 * Each run of `next` is a try of its own: what was done in one to State, and asked of the loop, stays only where no
 * other follows it, and as far as it was not cancelled. What the handler did stays only where the hook gives a result
 * that is no failure. What the hook itself wrote stays, as with other hooks.
 *
 * The tries of a call count their questions from the same number: who has answered is not asked again. A question that
 * the hook itself asks between two tries is a new one each time, and so are those that follow it.
 *
 * **Gotchas**
 *
 * It does not run where no handler does: for a call that another hook refused or answered, and for a sub-agent, which
 * has hooks and limits of its own. One run of `next` must end before the next begins. A tool that is not repeatable may
 * take effect twice.
 *
 * **Example** (Once more)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Middleware } from "tenon"
 *
 * const OnceMore = Middleware.make("once_more", {
 *   hooks: [
 *     Middleware.aroundTool({}, ({ repeatable }, next) =>
 *       Effect.flatMap(next, (given) => given.result.isFailure && repeatable ? next : Effect.succeed(given)))
 *   ]
 * })
 *
 * OnceMore.hooks.map(({ kind }) => kind) // => ["aroundTool"]
 * ```
 *
 * @category hooks
 * @since 0.1.0
 */
export const aroundTool = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const W extends Contract.Fields<unknown> = [],
  const B extends Contract.Reduced = [],
  const I extends Contract.Asks = [],
  const D extends Contract.Services = []
>(
  contract: Contract.Options<C, R, W, B, I, D>,
  run: (
    request: ToolTry,
    next: Effect.Effect<Result>
  ) => Effect.Effect<Result, unknown, Contract.Touched<C, R, W, B, I, D> | ToolCall>
): Hook<Contract.Touched<C, R, W, B, I, D>> =>
  hook("aroundTool")(
    contract,
    ({ next, request }: { readonly request: ToolTry; readonly next: Effect.Effect<Result> }) => run(request, next)
  )

/**
 * Runs after each tool call, as part of its attempt, also after one that failed, or that could not run: of a tool that
 * is unknown, or with arguments that do not fit. It may give another result.
 *
 * @category hooks
 * @since 0.1.0
 */
export const afterTool: MakeHook<ToolOutcome, Result | void, ToolCall> = hook("afterTool")

/**
 * Runs for each event of the agent and of its sub-agents, once it is stored and in the order of the log. It cannot
 * write.
 *
 * @category hooks
 * @since 0.1.0
 */
export const onEvent = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const D extends Contract.Services = []
>(
  contract: Pick<Contract.Options<C, R, [], [], [], D>, "context" | "reads" | "dependencies">,
  run: (event: Event.Event) => Effect.Effect<void, unknown, Contract.Touched<C, R, [], [], [], D>>
): Hook<Contract.Touched<C, R, [], [], [], D>> => hook("onEvent")(contract, run)

// ===== context ===============================================================

/**
 * A context key that middleware supplies to what it stands around. Contravariant in what it provides: one that gives more
 * may stand where one that gives less is expected, and not the other way round.
 *
 * @category models
 * @since 0.1.0
 */
export interface Provision<out Needs, in Provides> {
  readonly key: KeyDefinition
  readonly contract: ContractValue
  readonly "~needs": Needs
  readonly "~provides": (_: Provides) => void
  readonly effect: Effect.Effect<unknown, unknown, any>
}

/** Any provision, for constraints. @since 0.1.0 */
export type AnyProvision = Provision<any, never>

/**
 * Supplies a context key to the tools and to the middleware inside, by an Effect that runs once a run. A value that the
 * caller supplies under the same name wins.
 *
 * @category constructors
 * @since 0.1.0
 */
export const provide = <
  Identifier,
  Type,
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const D extends Contract.Services = []
>(
  key: Context.Key<Identifier, Type> & Contract.AnyKey,
  contract: Pick<Contract.Options<C, R, [], [], [], D>, "context" | "reads" | "dependencies">,
  effect: Effect.Effect<Type, unknown, Contract.Touched<C, R, [], [], [], D>>
): Provision<Contract.Touched<C, R, [], [], [], D>, Identifier> => ({
  key: key["~key"],
  contract: contractOf(contract),
  "~needs": undefined as never,
  "~provides": undefined as never,
  effect
})

// ===== middleware ============================================================

/**
 * Hooks, instructions, tools, sections and context under one name. Contravariant in what it provides: one that
 * gives more may stand where one that gives less is expected, and not the other way round.
 *
 * @category models
 * @since 0.1.0
 */
export interface Middleware<out Name extends string, out Needs, in Provides, out Tools> {
  readonly name: Name
  readonly "~middleware": { readonly needs: Needs; readonly tools: Tools }
  readonly "~provides": (_: Provides) => void
  readonly contractTree: Contract.Tree
  readonly hooks: ReadonlyArray<AnyHook>
  readonly provides: ReadonlyArray<AnyProvision>
  readonly instructions: string | Instructions.Instructions<any> | undefined
  readonly tools: Readonly<Record<string, AiTool.Any>>
  readonly sections: ReadonlyArray<SectionDefinition>
}

/** Any middleware, for constraints. @since 0.1.0 */
export type Any = Middleware<string, any, never, Named>

/** The tools of a toolkit; distributes, so that a choice of two needs what both need. @since 0.1.0 */
export type ToolsIn<K> = 0 extends 1 & K ? any : K extends { readonly tools: infer T } ? T[keyof T] : never

// not a type parameter of its own: where a middleware stands in a list, the list's `any` would be inferred for it
type Told<T> = T extends Instructions.Instructions<infer Needs> ? Needs : never

/**
 * What a list provides for sure: of a choice of two lists, or of one whose length nobody knows, nothing; and nothing of
 * a place where one of two keys may stand.
 */
type Certain<P extends ReadonlyArray<AnyProvision>> = [Other<P>] extends [never]
  ? number extends P["length"] ? never : [Other<P["length"]>] extends [never] ? { [I in keyof P]: One<P[I]> }[number]
  : never
  : never
type One<P> = Single<P extends Provision<any, infer Provides> ? Provides : never>
type Single<Provides> = true extends Vague<Provides> | ([Other<Provides>] extends [never] ? false : true) ? never
  : Provides

/**
 * Makes a middleware.
 *
 * **Example** (Count the steps)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Contract, Middleware, Reducer, State } from "tenon"
 *
 * const Usage = State.make("usage", { steps: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 * const CountSteps = Middleware.make("count_steps", {
 *   hooks: [Middleware.beforeModel({ combines: [Usage.steps] }, () => Usage.steps.combine(1))]
 * })
 *
 * Contract.of(CountSteps).touches.map(({ field }) => field.name) // => ["usage.steps"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends string,
  const H extends ReadonlyArray<AnyHook> = [],
  const P extends ReadonlyArray<AnyProvision> = [],
  K extends AiToolkit.Any = AiToolkit.Toolkit<{}>,
  T extends string | Instructions.Instructions<any> = string,
  const Z extends ReadonlyArray<State.AnySection> = [],
  O = {}
>(
  name: Name,
  options: Whole<O> & {
    readonly hooks?: H
    readonly provides?: P
    readonly toolkit?: K
    readonly instructions?: T
    readonly sections?: Z
  }
): Middleware<
  Name,
  H[number]["~needs"] | P[number]["~needs"] | Told<T> | AiTool.Requirements<ToolsIn<K>> | Z[number]["~owner"],
  Certain<Surely<O, "provides", P>>,
  ToolsIn<K>
> => {
  const hooks = options.hooks ?? []
  const provides = options.provides ?? []
  const tools = options.toolkit?.tools ?? {}
  const parts = [
    ...provides.map((provision) => leaf("hook", `provides ${provision.key.name}`, provision.contract)),
    ...hooks.map((each) => leaf("hook", each.kind, each.contract)),
    ...Object.values(tools).map(toolLeaf),
    ...(typeof options.instructions === "object"
      ? [leaf("instructions", "instructions", options.instructions.contract)]
      : [])
  ]
  const sections = (options.sections ?? []).map(definitionOf)
  return {
    name,
    "~middleware": undefined as never,
    "~provides": undefined as never,
    contractTree: {
      kind: "middleware",
      name,
      contract: mergeContracts(parts.map(({ contract }) => contract)),
      sections,
      parts
    },
    hooks,
    provides,
    instructions: options.instructions,
    tools,
    sections
  }
}
