/**
 * An agent that another agent calls as a tool, in a child context derived from the parent's.
 *
 * The child gets the parent's supplied values under the same names, and the parent's state as it is at the spawn. It
 * starts with its own instructions and the task alone. Back come its result, and its own operations on the fields that
 * `returns` names. What a child requires, its parent requires.
 *
 * Layer 3, compose.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import type * as Agent from "./Agent.ts"
import type * as Contract from "./Contract.ts"
import {
  accessOf,
  ContractAnnotation,
  type ContractValue,
  mergeContracts,
  toolContract,
  type Touch
} from "./internal/contract.ts"
import { holdersOf } from "./internal/holders.ts"
import { jsonCodec } from "./internal/json.ts"
import type { Complain, Fits, Named, Part } from "./internal/types.ts"
import type * as State from "./State.ts"
import type * as ToolContext from "./ToolContext.ts"

/**
 * A sub-agent, with what its parent must supply for it.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubAgent<out Name extends string, out Needs, out Tools extends Named, out Output = string>
  extends Agent.AnySubAgent
{
  readonly name: Name
  readonly "~needs": Needs
  readonly "~tools": Tools
  readonly "~output": Output
}

/** Any sub-agent, for constraints. @since 0.1.0 */
export type Any = SubAgent<string, any, Named, unknown>

type Written<Names> = { readonly name: Names; readonly "~writes": any; readonly "~parameter"?: never }
type WrittenBy<N> = Extract<N, State.Write<string, any> | State.Combine<string, any>>["name"]
/** Distributes: of a choice of two lists, what either leaves out is left out. */
type Dropped<N, Kept extends Contract.Keys> = Kept extends unknown
  ? Exclude<Extract<N, ToolContext.AnyKey>, Kept[number]["Identifier"]>["name"]
  : never

/** The parameters under which the model calls a sub-agent, unless it has its own. */
const Task = Schema.Struct({
  task: Schema.String.annotate({ description: "what to do, with everything that is needed to do it" })
})

/** The contracts of all that the holders of a conversation may call; a delegate's stands for its tree. */
const calledIn = ({ dynamic, tools, transfers }: Agent.Definition): ReadonlyArray<ContractValue> => [
  ...[...tools.values()].map(toolContract),
  ...dynamic.map(({ contract }) => contract),
  ...transfers.flatMap(({ agent }) => calledIn(agent.definition))
]

const taskIn = (parameters: unknown): string => (parameters as typeof Task.Type).task

/** The parameters as JSON, where nobody says how to put them into words. */
const asJson = (schema: Schema.Constraint) => {
  const encode = Schema.encodeSync(jsonCodec(schema))
  return (parameters: unknown): string => JSON.stringify(encode(parameters))
}

/** What an agent, or one that its conversation came to, may answer with. */
const answerOf = (agent: Agent.Any): typeof Schema.String => {
  const outputs = [
    ...new Set([...holdersOf(agent).values()].map(({ definition }) => definition.output ?? Schema.String))
  ]
  return (outputs.length === 1 ? outputs[0] : Schema.Union(outputs)) as typeof Schema.String
}

/** The contract of the delegating call: what its tree reads of the parent, and what comes back. */
const delegateContract = (
  agent: Agent.Any,
  returned: ReadonlySet<string>,
  snapshot: "spawn" | "step"
): ContractValue => {
  const called = mergeContracts(calledIn(agent.definition))
  const tree = mergeContracts([agent.contract, called])
  // a child that starts from the step's state reads nothing that earlier calls of the step write
  const seen = snapshot === "spawn"
    ? tree
    : { ...tree, touches: tree.touches.filter(({ field, mode }) => mode !== "read" || field.scope !== "session") }
  const touches = [...accessOf(seen).values()].flatMap(({ field, mode }): ReadonlyArray<Touch> => {
    const comesBack = returned.has(field.name)
    const combined = mode !== "read" && field.storesOutcome
    if (combined && field.scope === "temp") return [{ field, mode: "write", parameter: undefined }]
    if (comesBack && combined) {
      if (snapshot === "step") {
        throw new TypeError(
          `'${field.name}' has a reducer of its own: what comes back is its value, so the sub-agent must start from the spawn's state`
        )
      }
      return [{ field, mode: "write", parameter: undefined }]
    }
    // a session field that does not come back is only read: the child writes its own copy
    if (field.scope !== "session" || comesBack) return [{ field, mode, parameter: undefined }]
    return snapshot === "step" ? [] : [{ field, mode: "read", parameter: undefined }]
  })
  return {
    requires: agent.contract.requires,
    touches,
    asks: agent.contract.asks,
    exclusive: called.exclusive
  }
}

/**
 * Makes a sub-agent of an agent.
 *
 * **Details**
 *
 * `narrow` lists the only context keys that the child may ever see: a promise at this place, which breaks here when the
 * child comes to need more. `returns` lists the fields whose operations come back to the parent. With `snapshot: "step"`
 * the child sees the parent's state at the start of the step, so that sub-agents of one step run side by side and do not
 * see each other's writes.
 *
 * With `parameters` the model calls the agent as it would call a tool of that shape, and `task` puts them into words;
 * without `task` the agent is told the parameters as JSON. An agent's `output` is what comes back.
 *
 * **Example** (A researcher)
 *
 * ```ts
 * import { Agent, SubAgent } from "tenon"
 *
 * const Researcher = Agent.make("researcher", { instructions: "Find sources." })
 * const Assistant = Agent.make("assistant", { instructions: "Help.", subAgents: [SubAgent.make(Researcher)] })
 *
 * Array.from(Assistant.definition.tools.keys()) // => ["researcher"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  A extends Agent.Any,
  const N extends Contract.Keys = [],
  const R extends ReadonlyArray<Written<WrittenBy<A["~needs"]>>> = [],
  P extends Schema.Constraint = typeof Task
>(
  given: Fits<A, Complain<"list these under the agent's own transfers", Part<A["~needs"], Agent.AnyTo>["name"]>>,
  options?: {
    /** The only context keys that the child may ever see. */
    readonly narrow?: Fits<N, Complain<"add these keys, the sub-agent requires them", Dropped<A["~needs"], N>>>
    /** The fields whose operations come back. */
    readonly returns?: R
    /** Which of the parent's states the child starts from. */
    readonly snapshot?: "spawn" | "step"
    /** What the model is told of the sub-agent; the agent's own description otherwise. */
    readonly description?: string
    /** What the model must say when it calls the sub-agent, in place of a task in words. */
    readonly parameters?: State.StoredAs<"a sub-agent's parameters", P>
    /** What the sub-agent is told to do. */
    readonly task?: (parameters: P["Type"]) => string
  }
): SubAgent<
  A["name"],
  Exclude<A["~needs"], State.AnyRight> | R[number]["~writes"],
  A["~tools"] | Agent.Delegate<A["name"]>,
  A["~output"]
> => {
  const agent = given as unknown as Agent.Any
  const returned = new Set((options?.returns ?? []).map(({ name }) => name as string))
  for (const name of returned) {
    if (!agent.contract.touches.some(({ field, mode }) => field.name === name && mode !== "read")) {
      throw new TypeError(`'${agent.name}' does not write '${name}': it cannot come back`)
    }
  }
  const kept = options?.narrow as ReadonlyArray<{ readonly name: string }> | undefined
  const dropped = kept === undefined
    ? []
    : agent.contract.requires.filter(({ name }) => !kept.some((key) => key.name === name))
  if (dropped.length > 0) {
    throw new TypeError(
      `add these keys, the sub-agent '${agent.name}' requires them: ${dropped.map(({ name }) => name).join(", ")}`
    )
  }
  const snapshot = options?.snapshot ?? "spawn"
  const contract = delegateContract(agent, returned, snapshot)
  const parameters = options?.parameters as Schema.Constraint | undefined
  const tool = AiTool.make(agent.name, {
    description: options?.description ?? agent.definition.description ??
      `Delegates a task to the agent '${agent.name}'.`,
    parameters: (parameters ?? Task) as typeof Task,
    success: answerOf(agent)
  }).annotate(ContractAnnotation, contract) as AiTool.Any
  return {
    name: agent.name,
    "~needs": undefined as never,
    "~tools": undefined as never,
    "~output": undefined,
    // to its parent, only what comes back is a touch of State; what the tree reads matters to the schedule alone
    contract: { ...contract, touches: contract.touches.filter(({ field }) => returned.has(field.name)) },
    contractTree: { ...agent.contractTree, kind: "sub-agent", tool },
    agent,
    tool,
    parameters,
    taskOf: options?.task ?? (parameters === undefined ? taskIn : asJson(parameters)),
    returned,
    snapshot
  }
}
