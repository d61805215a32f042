/**
 * Who may hold a conversation: the agent that it began with, and those that it may be transferred to. Layer 3.
 */
import { Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { memoize } from "effect/Function"
import type { AnyTransfer, Definition } from "../Agent.ts"
import type { ContractValue } from "./contract.ts"

/** The name of the tool by which a model hands a conversation over. */
export const transferTool = "transfer_to_agent"

/** An agent as one that may hold a conversation. */
export interface Holder {
  readonly name: string
  readonly definition: Definition
  readonly contract: ContractValue
  /** The one that lists it; absent for the agent that the conversation began with. */
  readonly above: Holder | undefined
  /** Can it hand the conversation back, and so gets the next message too? */
  readonly back: boolean
  /**
   * Whom its tools may hand the conversation over to: besides those that its model may name also itself, and whom the
   * agents above it can reach, as long as there is a way back. So the types have it.
   */
  readonly reach: ReadonlyArray<string>
  /** The tool for that, where there is anybody. */
  readonly tool: AiTool.Any | undefined
}

export type Holders = ReadonlyMap<string, Holder>

const described = (name: string, description: string | undefined): string =>
  description === undefined ? `- ${name}` : `- ${name}: ${description}`

const toolFor = (reached: ReadonlyArray<readonly [name: string, description: string | undefined]>): AiTool.Any =>
  AiTool.make(transferTool, {
    description: [
      "Hands the conversation over to another agent, which goes on with it:",
      ...reached.map(([name, description]) => described(name, description))
    ].join("\n"),
    parameters: Schema.Struct({ agent_name: Schema.Literals(reached.map(([name]) => name)) }),
    success: Schema.String
    // nothing outside of the log happens: after a crash it may run again
  }).annotate(AiTool.Idempotent, true) as AiTool.Any

type Holding = Pick<AnyTransfer["agent"], "definition" | "contract">

/** Everybody who may hold the conversation that an agent begins, by name; the agent itself first. */
export const holdersOf: (agent: Holding) => Holders = memoize((agent) => {
  const out = new Map<string, Holder>()
  const add = (
    { definition, contract }: Holding,
    above: Holder | undefined,
    isBack: boolean,
    siblings: ReadonlyArray<AnyTransfer>
  ): void => {
    // a script hands nothing over
    const back = isBack && definition.script === undefined
    const sideways: ReadonlyArray<readonly [string, string | undefined]> = above === undefined || !back ? [] : [
      [above.name, above.definition.description],
      ...siblings.filter(({ name }) => name !== definition.name).map(({ name, description }) =>
        [name, description] as const
      )
    ]
    const reached = [
      ...definition.transfers.map(({ name, description }) => [name, description] as const),
      ...sideways
    ]
    const holder: Holder = {
      name: definition.name,
      definition,
      contract,
      above,
      back,
      reach: [definition.name, ...reached.map(([name]) => name), ...(back ? above?.reach ?? [] : [])],
      tool: reached.length === 0 ? undefined : toolFor(reached)
    }
    out.set(holder.name, holder)
    for (const transfer of definition.transfers) add(transfer.agent, holder, transfer.back, definition.transfers)
  }
  add(agent, undefined, true, [])
  return out
})

/** Who goes on for one who held a conversation: the first where the program has none of that name any more. */
export const holderIn = (holders: Holders, name: string | undefined): string =>
  name !== undefined && holders.has(name) ? name : [...holders.keys()][0] as string

/** Who gets the next message: who holds the conversation, or the first above that could hand it back. */
export const receiverOf = (holders: Holders, name: string | undefined): string => {
  let holder = holders.get(holderIn(holders, name))
  while (holder?.above !== undefined && !holder.back) holder = holder.above
  return holderIn(holders, holder?.name)
}
