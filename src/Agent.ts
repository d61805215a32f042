/**
 * An agent: instructions, tools, middleware and sub-agents under one name, and the contract of them all.
 *
 * `Agent.make` is inert: it checks and computes. `AgentRunner` runs it.
 *
 * Layer 3, compose.
 *
 * @since 0.1.0
 */
import type { Duration, Schema } from "effect"
import type { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import type * as Contract from "./Contract.ts"
import type * as Instructions from "./Instructions.ts"
import type { To } from "./internal/call.ts"
import {
  contractOf,
  type ContractValue,
  type KeyDefinition,
  leaf,
  mergeContracts,
  oneByName,
  sectionsOf,
  toolContract,
  toolLeaf
} from "./internal/contract.ts"
import type { SectionDefinition } from "./internal/field.ts"
import { transferTool } from "./internal/holders.ts"
import { checkedLimits } from "./internal/limits.ts"
import type {
  Inner,
  Itself,
  Kept,
  KitNeeds,
  M_,
  MiddlewareTools,
  Own,
  OwnNeeds,
  Reached,
  Repeated,
  S_,
  Said,
  SubNeeds,
  SubTools,
  T_,
  Together,
  ToolsIn,
  TransferNeeds,
  TransferTools,
  Unfit,
  Wrapped
} from "./internal/together.ts"
import type { Complain, Fits, Named, Surely, Whole } from "./internal/types.ts"
import type * as Middleware from "./Middleware.ts"
import type * as State from "./State.ts"
import type * as Toolkit from "./Toolkit.ts"

// ===== models ================================================================

/**
 * Bounds of an invocation. A limit is checked before what it counts; what a sub-agent uses counts at once.
 *
 * @category models
 * @since 0.1.0
 */
export interface Limits {
  /** Model calls. */
  readonly steps?: number
  /** Tool calls; a step that would go over does not start its calls. */
  readonly toolCalls?: number
  /** Input and output tokens together; no model call starts at or over it. */
  readonly tokens?: number
  /** Running time; waiting for a person does not count. */
  readonly time?: Duration.Input
}

/** What came out of a sub-agent that a script called. @since 0.1.0 */
export interface Answered {
  readonly agent: string
  /** Encoded; a text where the sub-agent has no output schema. */
  readonly value: Schema.Json
  readonly escalated: boolean
}

/** What a script knows: the message, and what its sub-agents answered so far, in order. @since 0.1.0 */
export interface Turn {
  readonly message: string
  readonly answers: ReadonlyArray<Answered>
}

/** What a script does next: it calls sub-agents, or answers. @since 0.1.0 */
export type Next =
  | { readonly _tag: "Call"; readonly calls: ReadonlyArray<{ readonly agent: string; readonly task: string }> }
  | { readonly _tag: "Answer"; readonly value: Schema.Json }

/** What stands in place of a model; `Compose` makes them. @since 0.1.0 */
export interface Script {
  readonly next: (turn: Turn) => Next
  /** Is its answer that of the agents above it too? */
  readonly escalates: (turn: Turn) => boolean
}

/** What a loop needs of an agent, besides its types. @since 0.1.0 */
export interface Definition {
  readonly name: string
  readonly description: string | undefined
  readonly instructions: string | Instructions.Instructions<any>
  /** All that the model may call, delegates to sub-agents included. */
  readonly tools: ReadonlyMap<string, AiTool.Any>
  /** The tools of the whole tree that need a handler. */
  readonly handled: ReadonlyMap<string, AiTool.Any>
  readonly dynamic: ReadonlyArray<Toolkit.AnyDynamic>
  readonly middleware: ReadonlyArray<Middleware.Any>
  readonly subAgents: ReadonlyArray<AnySubAgent>
  readonly transfers: ReadonlyArray<AnyTransfer>
  readonly limits: Limits
  /** What the answer must be, where it is no plain text. */
  readonly output: Schema.Constraint | undefined
  /** What stands in place of a model, where it needs none. */
  readonly script: Script | undefined
  /** Writes the answer into a field, where it is kept in one. */
  readonly keep: Middleware.AnyHook | undefined
  /** Every section of the tree, by name. */
  readonly sections: ReadonlyMap<string, SectionDefinition>
}

/**
 * An agent, with what it needs and the tools in its tree as types.
 *
 * @category models
 * @since 0.1.0
 */
export interface Agent<out Name extends string, out Needs, out Tools, out Output = string> {
  readonly name: Name
  readonly "~needs": Needs
  readonly "~tools": Tools
  readonly "~output": Output
  readonly contract: ContractValue
  readonly contractTree: Contract.Tree
  readonly definition: Definition
}

/** Any agent, for constraints. @since 0.1.0 */
export type Any = Agent<string, any, Named, unknown>

/** What an agent needs. @since 0.1.0 */
export type Needs<A extends { readonly "~needs": any }> = A["~needs"]

/** The tools in an agent's tree. @since 0.1.0 */
export type Tools<A extends { readonly "~tools": any }> = A["~tools"]

/** What an agent answers with: a text, or a value of its output schema. @since 0.1.0 */
export type Output<A extends { readonly "~output": unknown }> = A["~output"]

/** The tool under which an agent calls a sub-agent. @since 0.1.0 */
export interface Delegate<out Name extends string> {
  readonly name: Name
  readonly "~delegate": true
}

/** Any sub-agent, for constraints; `SubAgent` makes them. @since 0.1.0 */
export interface AnySubAgent {
  readonly name: string
  readonly "~needs": any
  readonly "~tools": Named
  readonly contract: ContractValue
  readonly contractTree: Contract.Tree
  readonly agent: { readonly definition: Definition; readonly contract: ContractValue }
  readonly tool: AiTool.Any
  readonly "~output": unknown
  /** What the model must say in place of a task in words, where it must. */
  readonly parameters: Schema.Constraint | undefined
  /** What the sub-agent is told to do. */
  readonly taskOf: (parameters: unknown) => string
  /** The full names of the fields whose operations come back. */
  readonly returned: ReadonlySet<string>
  readonly snapshot: "spawn" | "step"
}

/** Any right to transfer, for constraints. @since 0.1.0 */
export type AnyTo = To<string>

/** Any transfer, for constraints; `Transfer` makes them. @since 0.1.0 */
export interface AnyTransfer {
  readonly name: string
  readonly "~needs": any
  readonly "~tools": Named
  readonly "~output": unknown
  readonly agent: {
    readonly definition: Definition
    readonly contract: ContractValue
    readonly contractTree: Contract.Tree
  }
  readonly description: string | undefined
  /** May the target hand the conversation back, and to the others of its list? */
  readonly back: boolean
}

// ===== checks ================================================================

/** Writes an answer into the field that keeps it. */
const keeping = (field: Kept<unknown>): Middleware.AnyHook => ({
  kind: "afterRun",
  "~needs": undefined,
  contract: contractOf({ writes: [field] }),
  run: (answer) => field.set(answer)
})

/** The run-time twin of `Wrapped`: what the caller must supply, once middleware has provided its part. */
const requiredKeys = (
  inner: ReadonlyArray<KeyDefinition>,
  middleware: ReadonlyArray<Middleware.Any>
): ReadonlyArray<KeyDefinition> =>
  middleware.reduceRight<ReadonlyArray<KeyDefinition>>((required, each) => {
    const provided = new Set(each.provides.map(({ key }) => key.name))
    return [...required.filter(({ name }) => !provided.has(name)), ...each.contractTree.contract.requires]
  }, inner)

const noSelf = (name: string, inside: ReadonlyArray<AnySubAgent | AnyTransfer>): void => {
  for (const { agent: { definition } } of inside) {
    if (definition.name === name) throw new TypeError(`an agent cannot contain itself: ${name}`)
    noSelf(name, [...definition.subAgents, ...definition.transfers])
  }
}

/** The agents that a conversation may come to, this one's transfers and theirs. */
const targetsIn = (transfers: ReadonlyArray<AnyTransfer>): ReadonlyArray<AnyTransfer> =>
  transfers.flatMap((each) => [each, ...targetsIn(each.agent.definition.transfers)])

// ===== constructors ==========================================================

/**
 * Makes an agent.
 *
 * **Details**
 *
 * The compiler refuses two tools of one name in the agent's tree (middleware and sub-agents included), two sections of
 * one name and different shape, two context keys of one name of which neither type fits the other, two interrupts of one
 * name with different questions or answers, and an agent inside itself. `AgentRunner.run` then requires everything that the tree
 * requires.
 *
 * **Example** (An agent with one tool)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Agent, Tool, Toolkit, ToolContext } from "tenon"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const Find = Tool.make("find", { context: [Env.tenant], success: Schema.String })
 * const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: Toolkit.make(Find) })
 *
 * Assistant.contract.requires.map(({ name }) => name) // => ["tenant"]
 * ```
 *
 * **Example** (An answer that is no text)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Judge = Agent.make("judge", { instructions: "Rate it.", output: Schema.Struct({ stars: Schema.Int }) })
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Judge, { session: "s-1", input: "A good book." }).pipe(
 *     Effect.provide([ScriptedModel.layer([ScriptedModel.text(`{ "stars": 4 }`)]), SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && result.output.stars // => 4
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends string,
  K extends AiToolkit.Any | AiTool.Any = AiToolkit.Toolkit<{}>,
  const M extends M_ = [],
  const S extends S_ = [],
  const Y extends ReadonlyArray<Toolkit.AnyDynamic> = [],
  const T extends T_ = [],
  Told = never,
  O = {},
  Out extends Schema.Constraint = typeof Schema.String,
  F extends Kept<never> = never
>(
  name: Name,
  options: Whole<O> & {
    readonly instructions: string | Instructions.Instructions<Told>
    readonly description?: string
    readonly toolkit?: Fits<
      K,
      | Complain<"wrap this tool in Toolkit.make", Extract<K, AiTool.Any>["name"]>
      | Complain<Contract.UndeclaredKeys, Contract.Undeclared<ToolsIn<K>>["name"]>
      | Together<ToolsIn<K>, Told | KitNeeds<K>>
    >
    readonly middleware?: Fits<
      M,
      | Together<Own<K, M>, OwnNeeds<Told, K, M>, ToolsIn<K>, Told | KitNeeds<K>>
      | Complain<Contract.UndeclaredKeys, Contract.Undeclared<MiddlewareTools<M>>["name"]>
      | Complain<
        "provide these context keys as they are needed",
        Unfit<M, Told | KitNeeds<K> | SubNeeds<S> | TransferNeeds<T> | Y[number]["~needs"]>
      >
    >
    readonly subAgents?: Fits<
      S,
      | Together<Own<K, M> | SubTools<S>, OwnNeeds<Told, K, M> | SubNeeds<S>, Own<K, M>, OwnNeeds<Told, K, M>>
      | Complain<"wrap these agents in SubAgent.make", Exclude<S[number], AnySubAgent>["name"]>
      | Complain<"rename one of these sub-agents", Repeated<S>>
      | Complain<"an agent cannot contain itself", Itself<Name, S>>
    >
    /** Agents that this one may hand the conversation over to. */
    readonly transfers?: Fits<
      T,
      | Together<
        Own<K, M> | SubTools<S> | TransferTools<T>,
        OwnNeeds<Told, K, M> | SubNeeds<S> | TransferNeeds<T>,
        Own<K, M> | SubTools<S>,
        OwnNeeds<Told, K, M> | SubNeeds<S>
      >
      | Complain<"wrap these agents in Transfer.make", Exclude<T[number], AnyTransfer>["name"]>
      | Complain<"rename one of these agents", Repeated<T>>
      | Complain<"an agent cannot contain itself", Itself<Name, T>>
    >
    /** Toolkits that are known only at run time. */
    readonly dynamic?: Fits<
      Y,
      Together<
        never,
        OwnNeeds<Told, K, M> | SubNeeds<S> | TransferNeeds<T> | Y[number]["~needs"],
        never,
        OwnNeeds<Told, K, M> | SubNeeds<S> | TransferNeeds<T>
      >
    >
    /** Bounds of this agent alone; a sub-agent also has what is left of its parent's. */
    readonly limits?: Limits
    /**
     * What the agent answers with, in place of a text: the model is told its JSON Schema, and asked again, twice at the
     * most, where its answer does not fit.
     */
    readonly output?: State.StoredAs<"an agent's output", Out>
    /** The field that keeps the answer: written when the agent has answered, unless with an empty text. */
    readonly outputTo?: Fits<
      F,
      | Complain<"give this field the output's type", F extends Kept<Said<O, Out>> ? never : F["name"]>
      | Together<
        never,
        OwnNeeds<Told, K, M> | SubNeeds<S> | TransferNeeds<T> | F["~writes"],
        never,
        OwnNeeds<Told, K, M> | SubNeeds<S> | TransferNeeds<T>
      >
    >
  }
): Agent<
  Name,
  Reached<
    Name,
    O extends { readonly transfers: unknown } ? T : [],
    Wrapped<
      Surely<O, "middleware", M>,
      Inner<Told> | KitNeeds<K> | SubNeeds<S> | TransferNeeds<T> | Y[number]["~needs"] | F["~writes"]
    >
  >,
  // spelt out: where a name of `internal` stood in it, a consumer's declarations would import what nobody may
  ToolsIn<K> | MiddlewareTools<M> | SubTools<S> | TransferTools<T>,
  Said<O, Out> | T[number]["~output"]
> => {
  const middleware = (options.middleware ?? []) as unknown as ReadonlyArray<Middleware.Any>
  const subAgents = (options.subAgents ?? []) as unknown as ReadonlyArray<AnySubAgent>
  const own = Object.values((options.toolkit as AiToolkit.Any | undefined)?.tools ?? {})
  const dynamic = (options.dynamic ?? []) as unknown as ReadonlyArray<Toolkit.AnyDynamic>
  const transfers = (options.transfers ?? []) as unknown as ReadonlyArray<AnyTransfer>
  noSelf(name, [...subAgents, ...transfers])

  oneByName("middleware", middleware)
  oneByName("agents", targetsIn(transfers))
  const handlers = [...own, ...middleware.flatMap((each) => Object.values(each.tools))]
  const tools = oneByName<AiTool.Any>("tools", [...handlers, ...subAgents.map(({ tool }) => tool)])
  // handlers are found by name alone, so the tools of a whole tree share one space of names
  const handled = oneByName<AiTool.Any>("tools", [
    ...handlers,
    ...[...subAgents, ...transfers].flatMap(({ agent }) => [...agent.definition.handled.values()])
  ])
  const transferring = [{ definition: { name, tools } }, ...targetsIn(transfers).map(({ agent }) => agent)]
    .find(({ definition }) => transfers.length > 0 && definition.tools.has(transferTool))
  if (transferring !== undefined) {
    throw new TypeError(`'${transferTool}' of '${transferring.definition.name}' names two tools: rename one`)
  }

  const told = typeof options.instructions === "object" ? [options.instructions.contract] : []
  const keep = options.outputTo === undefined ? undefined : keeping(options.outputTo as unknown as Kept<unknown>)
  const kept = keep === undefined ? [] : [keep.contract]
  const inner = mergeContracts([
    ...told,
    ...kept,
    ...own.map(toolContract),
    ...subAgents.map(({ contract }) => contract),
    ...transfers.map(({ agent }) => agent.contract),
    ...dynamic.map(({ contract }) => contract)
  ])
  const merged = mergeContracts([inner, ...middleware.map(({ contractTree }) => contractTree.contract)])
  const contract: ContractValue = { ...merged, requires: requiredKeys(inner.requires, middleware), exclusive: false }

  const tree = mergeContracts([merged, ...subAgents.map(({ agent }) => agent.contract)])
  oneByName("interrupts", tree.asks)

  const output = options.output as Schema.Constraint | undefined
  const sections = oneByName("sections", [
    ...sectionsOf(merged),
    ...middleware.flatMap(({ sections: own }) => own),
    ...[...subAgents, ...transfers].flatMap(({ agent }) => [...agent.definition.sections.values()])
  ])

  return {
    name,
    "~needs": undefined as never,
    "~tools": undefined as never,
    "~output": undefined,
    contract,
    contractTree: {
      kind: "agent",
      name,
      contract,
      output,
      sections: [...sections.values()],
      parts: [
        ...told.map((of) => leaf("instructions", "instructions", of)),
        ...kept.map((of) => leaf("hook", "outputTo", of)),
        ...own.map(toolLeaf),
        ...dynamic.map(({ prefix, contract: of }) => leaf("toolkit", `${prefix}*`, of)),
        ...middleware.map(({ contractTree }) => contractTree),
        ...subAgents.map(({ contractTree }) => contractTree),
        ...transfers.map(({ agent }): Contract.Tree => ({ ...agent.contractTree, kind: "transfer" }))
      ]
    },
    definition: {
      name,
      description: options.description,
      instructions: options.instructions,
      tools,
      handled,
      dynamic,
      middleware,
      subAgents,
      transfers,
      limits: checkedLimits(name, options.limits ?? {}),
      output,
      script: undefined,
      keep,
      sections
    }
  }
}
