/**
 * A contract as a value: what a declaration requires and touches. Layer 1; its public face is `Contract`.
 */
import { Context, type Duration, type Effect, type Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import type { Tree } from "../Contract.ts"
import type { FieldDefinition, SectionDefinition } from "./field.ts"
import type { AccessMap, Mode } from "./fork.ts"

/** A context key as it was declared: two declarations of one name may differ in their schema. */
export interface KeyDefinition {
  readonly name: string
  /** Absent for a local key. */
  readonly schema: Schema.Constraint | undefined
}

/** An interrupt as it was declared. */
export interface AskDefinition {
  readonly name: string
  readonly question: Schema.Constraint
  readonly answer: Schema.Constraint
  /** How long a call waits for an answer; for ever when absent. */
  readonly lifetime?: Duration.Input | undefined
}

/** One field that a declaration touches. */
export interface Touch {
  readonly field: FieldDefinition
  readonly mode: Mode
  /** The parameter that names the only entry touched. */
  readonly parameter: string | undefined
}

export interface ContractValue {
  readonly requires: ReadonlyArray<KeyDefinition>
  readonly touches: ReadonlyArray<Touch>
  readonly asks: ReadonlyArray<AskDefinition>
  /** Calls that must not overlap although State does not say so: with every call, or with those of one name. */
  readonly exclusive: boolean | string
}

export const emptyContract: ContractValue = { requires: [], touches: [], asks: [], exclusive: false }

/** Where a tool carries its contract: an annotation, so that effect/ai's own combinators keep it. */
export const ContractAnnotation = Context.Reference<ContractValue>("tenon/Contract", {
  defaultValue: () => emptyContract
})

/** The contract that a tool carries. */
export const toolContract = ({ annotations }: Pick<AiTool.Any, "annotations">): ContractValue =>
  Context.get(annotations, ContractAnnotation)

/** The contract of a tool, or of an agent. */
export const contractIn = (declared: AiTool.Any | { readonly contract: ContractValue }): ContractValue =>
  "contract" in declared ? declared.contract : toolContract(declared)

/** A part of a contract that has no parts of its own. */
export const leaf = (kind: Tree["kind"], name: string, contract: ContractValue): Tree => ({
  kind,
  name,
  contract,
  parts: []
})

/** A tool as a part of a contract. */
export const toolLeaf = (tool: AiTool.Any): Tree => ({
  ...leaf("tool", tool.name as string, toolContract(tool)),
  tool
})

/** An approval whose needs its tool's types have checked. */
export type AnyApproval =
  | boolean
  | ((parameters: any, call: AiTool.NeedsApprovalContext) => Effect.Effect<boolean | string, never, any>)

/** Where a tool carries its approval. effect/ai's own `needsApproval` has no requirements, and would run past us. */
export const ApprovalAnnotation = Context.Reference<AnyApproval>("tenon/Tool/Approval", { defaultValue: () => false })

/** Where a tool carries its time-out. */
export const TimeoutAnnotation = Context.Reference<Duration.Input | undefined>("tenon/Tool/Timeout", {
  defaultValue: () => undefined
})

/** Where a tool carries the names that it had. */
export const FormerlyAnnotation = Context.Reference<ReadonlyArray<string>>("tenon/Tool/Formerly", {
  defaultValue: () => []
})

/** The names that a tool had. */
export const formerNames = ({ annotations }: Pick<AiTool.Any, "annotations">): ReadonlyArray<string> =>
  Context.get(annotations, FormerlyAnnotation)

/** How instructions look up what their places name. */
export interface Lookup {
  readonly key: (key: KeyDefinition) => unknown
  readonly field: (field: FieldDefinition) => unknown
}

interface Options {
  readonly context?: ReadonlyArray<unknown> | undefined
  readonly reads?: ReadonlyArray<unknown> | undefined
  readonly writes?: ReadonlyArray<unknown> | undefined
  readonly combines?: ReadonlyArray<unknown> | undefined
  readonly asks?: ReadonlyArray<unknown> | undefined
  readonly exclusive?: boolean | string | undefined
}

interface FieldLike {
  readonly "~field": FieldDefinition
  readonly "~entry"?: string
}

const touchesOf = (mode: Mode, fields: ReadonlyArray<unknown> | undefined): ReadonlyArray<Touch> =>
  (fields as ReadonlyArray<FieldLike> | undefined ?? []).map((field) => ({
    field: field["~field"],
    mode,
    parameter: field["~entry"]
  }))

/** Reads the options that every declaration shares. */
export const contractOf = (options: Options): ContractValue => {
  const touches = [
    ...touchesOf("read", options.reads),
    ...touchesOf("write", options.writes),
    ...touchesOf("combine", options.combines)
  ]
  for (const { field, mode } of touches) {
    if (mode === "combine" && field.reducer === undefined) {
      throw new TypeError(`'${field.name}' has no reducer: it can be written, not combined`)
    }
  }
  return {
    requires: ((options.context ?? []) as ReadonlyArray<{ readonly "~key": KeyDefinition }>).map((key) => key["~key"]),
    touches,
    asks: ((options.asks ?? []) as ReadonlyArray<{ readonly "~ask": AskDefinition }>).map((ask) => ask["~ask"]),
    exclusive: options.exclusive ?? false
  }
}

/** Things by their names. Two different ones of one name, which the compiler cannot always tell apart, are a defect. */
export const oneByName = <A extends { readonly name: string }>(what: string, items: Iterable<A>): Map<string, A> => {
  const out = new Map<string, A>()
  for (const item of items) {
    const known = out.get(item.name)
    if (known !== undefined && known !== item) throw new TypeError(`'${item.name}' names two ${what}: rename one`)
    out.set(item.name, item)
  }
  return out
}

const distinct = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

/** What several declarations touch together. */
export const mergeContracts = (contracts: ReadonlyArray<ContractValue>): ContractValue =>
  contracts.length === 1 ? contracts[0] as ContractValue : {
    requires: distinct(contracts.flatMap(({ requires }) => requires)),
    touches: distinct(contracts.flatMap(({ touches }) => touches)),
    asks: distinct(contracts.flatMap(({ asks }) => asks)),
    exclusive: contracts.reduce<boolean | string>(
      // two names of exclusion are together as good as "with every call"
      (all, { exclusive }) => all === false ? exclusive : exclusive === false || exclusive === all ? all : true,
      false
    )
  }

/**
 * A tool with a contract whose `addDependency` adds a context key to the contract; effect/ai's keeps the type alone. The
 * property is its own, so effect/ai's combinators copy it.
 */
export const declaring = <T extends object>(tool: T): T =>
  Object.assign(tool, {
    addDependency(this: AiTool.Any, tag: Context.Key<unknown, unknown>): AiTool.Any {
      if (!("~key" in tag)) return (Object.getPrototypeOf(this) as AiTool.Any).addDependency.call(this, tag)
      const known = toolContract(this)
      return this.annotate(ContractAnnotation, mergeContracts([known, contractOf({ context: [tag] })]))
    }
  })

const rank = { read: 0, combine: 1, write: 2 } as const

/** What a fork allows: the strongest mode that is declared for a field; a read beside a combine makes it a write. */
export const accessOf = (contract: ContractValue, parameters?: unknown): AccessMap => {
  const out = new Map<string, { field: FieldDefinition; mode: Mode; entry: string | undefined }>()
  for (const { field, mode, parameter } of contract.touches) {
    const entry = parameter === undefined
      ? undefined
      : String((parameters as Record<string, unknown> | undefined)?.[parameter])
    const known = out.get(field.name)
    if (known === undefined) {
      out.set(field.name, { field, mode, entry })
      continue
    }
    if (known.mode !== mode && (known.mode === "combine" || mode === "combine")) known.mode = "write"
    else if (rank[mode] > rank[known.mode]) known.mode = mode
    if (known.entry !== entry) known.entry = undefined
  }
  return out
}

/** What may only be read of what a fork allows. */
export const readOnly = (access: AccessMap): AccessMap =>
  new Map(
    [...access].flatMap(([name, each]) => each.mode === "combine" ? [] : [[name, { ...each, mode: "read" as const }]])
  )

/** The sections that a contract speaks of, by name. */
export const sectionsOf = (contract: ContractValue): ReadonlyArray<SectionDefinition> =>
  distinct(contract.touches.map(({ field }) => field.section))
