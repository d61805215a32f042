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
import { Context } from "effect"
import type { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import type * as Contract from "./Contract.ts"
import type * as Instructions from "./Instructions.ts"
import type { To } from "./internal/call.ts"
import {
  ContractAnnotation,
  type ContractValue,
  type KeyDefinition,
  mergeContracts,
  oneByName,
  sectionsOf
} from "./internal/contract.ts"
import type { SectionDefinition } from "./internal/field.ts"
import { transferTool } from "./internal/holders.ts"
import type { Complain, Crowded, Fits, Named, Several, Surely, Torn, Vague, Whole } from "./internal/types.ts"
import type * as Interrupt from "./Interrupt.ts"
import type * as Middleware from "./Middleware.ts"
import type * as State from "./State.ts"
import type * as ToolContext from "./ToolContext.ts"
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

// ===== checks as types =======================================================

type ToolsIn<K> = Middleware.ToolsIn<K>
type KitNeeds<K> = AiTool.Requirements<ToolsIn<K>>
type Together<T extends Named, N, TBefore extends Named = never, NBefore = never> =
  | Complain<
    "list these one by one, a wider type loses their names",
    string extends T["name"] ? string : 0 extends 1 & N ? any : never
  >
  | Complain<"rename one of these tools", Exclude<Several<T>, Several<TBefore>>>
  | Complain<
    "give these context keys one type",
    Exclude<Torn<Extract<N, ToolContext.AnyKey>>, Torn<Extract<NBefore, ToolContext.AnyKey>>>
  >
  | Complain<
    "give these sections one shape",
    Exclude<Several<Extract<N, State.AnyOwner>>, Several<Extract<NBefore, State.AnyOwner>>>
  >
  | Complain<
    "give these interrupts one type of question and answer",
    Exclude<Several<Extract<N, Interrupt.AnyAsks>>, Several<Extract<NBefore, Interrupt.AnyAsks>>>
  >

type M_ = ReadonlyArray<Middleware.Any>
type S_ = ReadonlyArray<AnySubAgent | Any>
type MiddlewareTools<M extends M_> = M[number]["~middleware"]["tools"]
type Provided<M extends M_> = Given<M[number]>
type Given<One> = One extends Middleware.Middleware<string, any, infer Provides, Named>
  ? true extends Vague<Provides> ? never : Extract<Provides, ToolContext.AnyKey>
  : never
/** Of provisions that nobody knows none are for sure. */
type Without<Inner, Provides> = true extends Vague<Provides> ? Inner : Exclude<Inner, Provides>
type MiddlewareNeeds<M extends M_> = M[number]["~middleware"]["needs"]
type SubTools<S extends S_> = S[number]["~tools"]
type SubNeeds<S extends S_> = S[number]["~needs"]
type Own<K, M extends M_> = ToolsIn<K> | MiddlewareTools<M>
type OwnNeeds<Told, K, M extends M_> = Told | KitNeeds<K> | MiddlewareNeeds<M>
type T_ = ReadonlyArray<AnyTransfer | Any>
type Itself<Name extends string, Inner extends S_ | T_> =
  [Extract<Inner[number]["~tools"], Delegate<Name | `transfer_to_agent/${Name}`>>] extends [never] ? never : Name
/** The tools of agents that a conversation may go to, and the one that takes it there. */
type TransferTools<T extends T_> = T extends readonly [] ? never : T[number]["~tools"] | Delegate<"transfer_to_agent">
type TransferNeeds<T extends T_> = T[number]["~needs"]
/** Transfers to this agent, and to those of its list, can be made here. */
type Reached<Name extends string, T extends T_, Inner> = T extends readonly [] ? Inner
  : Exclude<Inner, To<Name | T[number]["name"]>>

/** For each name the places where it stands, so that even two sub-agents of one type are told apart. */
type Places<T extends ReadonlyArray<Named>> = {
  [I in Exclude<keyof T, keyof Array<unknown>> as (T[I] & Named)["name"]]: I
}
type Repeated<T extends ReadonlyArray<Named>> = Crowded<Places<T>>

/** From the innermost middleware outwards: each takes away what it provides and adds what it needs itself. */
type Wrapped<M extends ReadonlyArray<unknown>, Inner> = M extends readonly [...infer Outer, infer Last]
  ? Wrapped<Outer, Around<Last, Inner>>
  : M extends readonly [] ? Inner
  : Inner | (M extends M_ ? MiddlewareNeeds<M> : never)

/** Distributes: where either of two may stand, only what both provide is taken away. */
type Around<One, Inner> = One extends Middleware.Middleware<string, infer N, infer Provides, Named>
  ? N | Without<Inner, Provides>
  : never

/**
 * The provided keys that do not fit: of a type that somebody cannot take, or needed as something else by the caller too,
 * whose value wins. At run time keys go by their names alone.
 */
type Unfit<M extends M_, Inner> = [Provided<M>] extends [never] ? never
  : Misfit<Inner | MiddlewareNeeds<M>, Provided<M>, Wrapped<M, Inner>>
type Misfit<All, P extends Named, Rest> =
  | Exclude<NamedAs<All, P["name"]>, P>["name"]
  | Several<NamedAs<All, P["name"] & Extract<Rest, ToolContext.AnyKey>["name"]>>
type NamedAs<All, N extends string> = Extract<All, ToolContext.Key<N, never>>

// ===== checks as values ======================================================

const toolContract = (tool: AiTool.Any): ContractValue => Context.get(tool.annotations, ContractAnnotation)

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
  Out extends Schema.Constraint = typeof Schema.String
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
  }
): Agent<
  Name,
  Reached<
    Name,
    T,
    Wrapped<Surely<O, "middleware", M>, Told | KitNeeds<K> | SubNeeds<S> | TransferNeeds<T> | Y[number]["~needs"]>
  >,
  Own<K, M> | SubTools<S> | TransferTools<T>,
  Out["Type"] | T[number]["~output"]
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
  const inner = mergeContracts([
    ...told,
    ...own.map(toolContract),
    ...subAgents.map(({ contract }) => contract),
    ...transfers.map(({ agent }) => agent.contract),
    ...dynamic.map(({ contract }) => contract)
  ])
  const merged = mergeContracts([inner, ...middleware.map(({ contractTree }) => contractTree.contract)])
  const contract: ContractValue = { ...merged, requires: requiredKeys(inner.requires, middleware), exclusive: false }

  const tree = mergeContracts([merged, ...subAgents.map(({ agent }) => agent.contract)])
  oneByName("interrupts", tree.asks)

  const node = (kind: Contract.Tree["kind"], label: string, of: ContractValue): Contract.Tree => ({
    kind,
    name: label,
    contract: of,
    parts: []
  })
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
      parts: [
        ...told.map((of) => node("instructions", "instructions", of)),
        ...own.map((tool) => node("tool", tool.name as string, toolContract(tool))),
        ...dynamic.map(({ prefix, contract: of }) => node("toolkit", `${prefix}*`, of)),
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
      limits: options.limits ?? {},
      output: options.output as Schema.Constraint | undefined,
      sections: oneByName("sections", [
        ...sectionsOf(merged),
        ...middleware.flatMap(({ sections }) => sections),
        ...[...subAgents, ...transfers].flatMap(({ agent }) => [...agent.definition.sections.values()])
      ])
    }
  }
}
